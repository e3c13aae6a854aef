/** Metrics in the OpenMetrics format, with exemplars that name the trace of a slow operation. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCollector, type TestCollector } from '../support/collector.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { freePort } from '../support/redis.ts';
import * as does from '../support/service.ts';

const openMetrics = 'application/openmetrics-text;version=1.0.0';
const read = '{ malaysiaStatus(documentId: "1") { state } }';

let service: does.TestService;
let collector: TestCollector;
let gateway: TestGateway | undefined;
beforeEach(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  collector = await startCollector();
});
afterEach(async () => {
  await gateway?.close();
  await service.close();
  await collector.close();
});

/** Starts a gateway, sends one operation, and returns a function that reads its metrics. */
async function metricsOf(environment: Record<string, string>) {
  gateway = await startTestGateway({ UPSTREAM_URL: service.url, ...environment });
  await gateway.ask(read);
  const url = `${gateway.origin}/metrics`;
  return async (accept = openMetrics) => {
    const response = await fetch(url, { headers: { accept } });
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
}

/** The name and the labels of each sample, with the exemplars left out. */
/** Without what Node has open at the moment. */
const samplesIn = (text: string) =>
  [...text.matchAll(/^((?!nodejs_active)[a-z]\w*(?:\{.*?\})?) [^ ]+( # .*)?$/gm)]
    .map(([, sample]) => sample)
    .sort();

const exemplars = / # \{trace_id="(\w+)",span_id="(\w+)"\} (\S+) (\S+)$/;

describe('the metrics of a gateway', () => {
  it.each([
    [openMetrics, 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    [`${openMetrics};q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2`, 'application/openmetrics-text'],
    ['text/plain;version=0.0.4', 'text/plain; version=0.0.4; charset=utf-8'],
    [`text/plain,${openMetrics};q=0.5`, 'text/plain'],
    [`${openMetrics};q=0, */*`, 'text/plain'],
    ['*/*', 'text/plain'],
  ])('for accept: %s have the type %s', async (accept, type) => {
    const metrics = await metricsOf({});
    expect((await metrics(accept)).type).toContain(type);
  });

  it('have the same samples in both formats, before and after one was asked for', async () => {
    const metrics = await metricsOf(collector.environment);
    const before = samplesIn((await metrics('text/plain')).text);
    expect(before).toContain('folio_operations_total{type="query",operation="other",outcome="ok"}');
    expect(samplesIn((await metrics()).text)).toEqual(before);
    expect(samplesIn((await metrics('text/plain')).text)).toEqual(before);
    expect(samplesIn((await metrics()).text)).toEqual(before);
  });

  it('in OpenMetrics end with EOF, have no empty lines, and name counters without _total', async () => {
    const { text } = await (await metricsOf({}))();
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text).not.toContain('\n\n');
    expect(text).toContain('# TYPE folio_operations counter\n');
    expect(text).not.toMatch(/^# TYPE \w+_total counter/m);
  });
});

describe('an exemplar', () => {
  it('names the trace and the span of an operation and of its call in their buckets', async () => {
    const { text } = await (await metricsOf(collector.environment))();
    const lines = text.split('\n').filter((line) => line.includes(' # {'));
    await gateway?.close();
    gateway = undefined;
    for (const [metric, span] of [
      ['folio_operation_duration_seconds_bucket', 'query'],
      ['folio_service_call_duration_seconds_bucket', 'GET /v2/einvoice/malaysia/status/{documentId}'],
    ] as const) {
      const [line = '', ...others] = lines.filter((each) => each.startsWith(metric));
      expect(others).toEqual([]);
      const [, traceId, spanId, value, seconds] = exemplars.exec(line) ?? [];
      const sent = collector.spans.find(({ name }) => name === span);
      expect({ traceId, spanId }).toEqual({ traceId: sent?.traceId, spanId: sent?.spanId });
      expect(Number(value)).toBeLessThanOrEqual(Number(/le="([^"]+)"/.exec(line)?.[1]));
      expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(60);
    }
    expect(lines).toHaveLength(2);
  });

  it('is the latest of its bucket: more operations do not add more', async () => {
    const metrics = await metricsOf(collector.environment);
    for (let times = 0; times < 50; times += 1) await gateway?.ask(read);
    const perBucket = (await metrics()).text
      .split('\n')
      .filter((line) => line.startsWith('folio_operation_duration_seconds_bucket') && line.includes(' # {'));
    expect(perBucket.length).toBeGreaterThan(0);
    expect(perBucket.length).toBeLessThanOrEqual(16);
  });

  it('is absent in plain text, of traces that are not sampled, and without tracing', async () => {
    expect((await (await metricsOf(collector.environment))('text/plain')).text).not.toContain(' # {');
    await gateway?.close();
    const unsampled = { ...collector.environment, OTEL_TRACES_SAMPLER: 'always_off' };
    expect((await (await metricsOf(unsampled))()).text).not.toContain(' # {');
    await gateway?.close();
    expect((await (await metricsOf({}))()).text).not.toContain(' # {');
  });
});

describe.skipIf(spawnSync('prometheus', ['--version']).status !== 0)('Prometheus', () => {
  let prometheus: ChildProcess | undefined;
  afterEach(async () => {
    prometheus?.kill('SIGKILL');
    if (prometheus) await once(prometheus, 'exit');
  });

  it('scrapes the metrics and stores the trace of an operation', { timeout: 60_000 }, async () => {
    await metricsOf(collector.environment);
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const targets = [new URL(gateway?.origin as string).host];
    const scrape = { job_name: 'folio', scrape_interval: '200ms', scrape_timeout: '200ms' };
    const config = { scrape_configs: [{ ...scrape, static_configs: [{ targets }] }] };
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const flags = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
      '--enable-feature=exemplar-storage',
    ];
    prometheus = spawn('prometheus', flags, { stdio: 'ignore' });
    const stored = async () => {
      const query = new URLSearchParams({
        query: 'folio_operation_duration_seconds_bucket',
        start: String(Date.now() / 1_000 - 600),
        end: String(Date.now() / 1_000 + 600),
      });
      const response = await fetch(`http://${address}/api/v1/query_exemplars?${query}`).catch(
        () => undefined,
      );
      const { data = [] } = ((await response?.json().catch(() => ({}))) ?? {}) as any;
      return data[0]?.exemplars[0]?.labels.trace_id;
    };
    await expect.poll(stored, { timeout: 30_000, interval: 200 }).toMatch(/^\w{32}$/);
  });
});
