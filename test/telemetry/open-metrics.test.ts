/** Metrics in the OpenMetrics format, with exemplars that name the trace of a slow operation. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile, temporaryFolder } from '../support/lifetimes.ts';
import { freePort } from '../support/redis.ts';
import * as does from '../support/service.ts';

const openMetrics = 'application/openmetrics-text;version=1.0.0';
const read = '{ malaysiaStatus(documentId: "1") { state } }';
const service = await serviceForFile(does.json(200, { status: 'queued' }));
const collector = forFile(await startCollector());

/** Starts a gateway that traces, sends one operation, and returns a function that reads its metrics. */
async function traced(environment: Record<string, string> = {}, keep = forTest) {
  const gateway = keep(
    await startTestGateway({ UPSTREAM_URL: service.url, ...collector.environment, ...environment }),
  );
  await gateway.ask(read);
  const metrics = async (accept = openMetrics) => {
    const response = await fetch(`${gateway.origin}/metrics`, { headers: { accept } });
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  return { gateway, metrics };
}

/** The name and the labels of each sample, without exemplars, what Node has open, and kinds of garbage collections so far. */
const samplesIn = (text: string) =>
  [...text.matchAll(/^((?!nodejs_(?:active|gc))[a-z]\w*(?:\{.*?\})?) [^ ]+( # .*)?$/gm)]
    .map(([, sample]) => sample)
    .sort();

const withExemplar = (text: string) => text.split('\n').filter((line) => line.includes(' # {'));

describe('the metrics of a gateway', async () => {
  const { metrics } = await traced({}, forFile);

  it.each([
    [openMetrics, 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    [`${openMetrics};q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2`, 'application/openmetrics-text'],
    [`text/plain,${openMetrics}`, 'application/openmetrics-text'],
    ['text/plain;version=0.0.4', 'text/plain; version=0.0.4; charset=utf-8'],
    [`text/plain,${openMetrics};q=0.5`, 'text/plain'],
    [`${openMetrics};q=0, */*`, 'text/plain'],
    ['*/*', 'text/plain'],
  ])('have the type that a client accepts: %s', async (accept, type) => {
    expect((await metrics(accept)).type).toContain(type);
  });

  it('have the same samples in both formats, before and after one was asked for', async () => {
    const before = samplesIn((await metrics('text/plain')).text);
    expect(before).toContain('folio_operations_total{type="query",operation="other",outcome="ok"}');
    for (const accept of [openMetrics, 'text/plain', openMetrics])
      expect(samplesIn((await metrics(accept)).text)).toEqual(before);
  });

  it('in OpenMetrics end with EOF, have no empty lines, and name counters without _total', async () => {
    const { text } = await metrics();
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text).not.toContain('\n\n');
    expect(text).toContain('# TYPE folio_operations counter\n');
    expect(text).not.toMatch(/^# TYPE \w+_total counter/m);
  });
});

describe('an exemplar', () => {
  it('names the trace and the span of an operation and of its call in their buckets', async () => {
    const { gateway, metrics } = await traced();
    const lines = withExemplar((await metrics()).text);
    await gateway.close();
    const exemplars = [
      ['folio_operation_duration_seconds_bucket', 'query'],
      ['folio_service_call_duration_seconds_bucket', 'GET /v2/einvoice/malaysia/status/{documentId}'],
    ] as const;
    expect(lines).toHaveLength(exemplars.length);
    for (const [metric, span] of exemplars) {
      const line = lines.find((each) => each.startsWith(metric)) ?? '';
      const [, traceId, spanId, value, seconds] =
        / # \{trace_id="(\w+)",span_id="(\w+)"\} (\S+) (\S+)$/.exec(line) ?? [];
      const sent = collector.spans.findLast(({ name }) => name === span);
      expect({ traceId, spanId }).toEqual({ traceId: sent?.traceId, spanId: sent?.spanId });
      expect(Number(value)).toBeLessThanOrEqual(Number(/le="([^"]+)"/.exec(line)?.[1]));
      expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(60);
    }
  });

  it('is absent in plain text, of traces that are not sampled, and without tracing', async () => {
    const texts = [
      await (await traced()).metrics('text/plain'),
      await (await traced({ OTEL_TRACES_SAMPLER: 'always_off' })).metrics(),
      await (await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).metrics(),
    ];
    for (const { text } of texts) expect(withExemplar(text)).toEqual([]);
  });
});

describe.skipIf(spawnSync('prometheus', ['--version']).status !== 0)('Prometheus', () => {
  it('scrapes the metrics and stores the trace of an operation', async () => {
    const { gateway } = await traced();
    const folder = temporaryFolder();
    const scrape = { job_name: 'folio', scrape_interval: '1s', scrape_timeout: '1s' };
    const targets = [new URL(gateway.origin).host];
    const config = { scrape_configs: [{ ...scrape, static_configs: [{ targets }] }] };
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const flags = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
      '--enable-feature=exemplar-storage',
    ];
    const prometheus = spawn('prometheus', flags, { stdio: 'ignore' });
    forTest({
      async close() {
        prometheus.kill('SIGKILL');
        await once(prometheus, 'exit');
      },
    });
    const [start, end] = [-600, 600].map((seconds) => Date.now() / 1_000 + seconds);
    const query = `query=folio_operation_duration_seconds_bucket&start=${start}&end=${end}`;
    const stored = async () => {
      const response = await fetch(`http://${address}/api/v1/query_exemplars?${query}`).catch(
        () => undefined,
      );
      const { data = [] } = ((await response?.json().catch(() => ({}))) ?? {}) as any;
      return data[0]?.exemplars[0]?.labels.trace_id;
    };
    await expect.poll(stored, { interval: 200 }).toMatch(/^\w{32}$/);
  });
});
