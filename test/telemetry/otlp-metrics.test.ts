/** Metrics that a gateway sends to an OpenTelemetry collector. */
import { resourceFromAttributes } from '@opentelemetry/resources';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetricExporter } from '../../src/telemetry/otlp-exporters.ts';
import { startCollector } from '../support/collector.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));

/** What a collector has after a gateway has executed two operations: stopping the gateway sends the last values. */
async function exported(environment: Record<string, string> = {}) {
  const collector = forTest(await startCollector());
  const gateway = await startTestGateway({
    UPSTREAM_URL: service.url,
    ...collector.environment,
    ...environment,
  });
  for (let times = 0; times < 2; times += 1)
    await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }');
  const text = await (await fetch(`${gateway.origin}/metrics`)).text();
  await gateway.close();
  return { ...collector, text };
}

it('every metric of /metrics is sent to the collector under its name, with its unit and its kind', async () => {
  const startedAt = Date.now();
  const { text, metrics } = await exported();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names).toContain('folio_operations_total');
  expect([...metrics.keys()].sort()).toEqual(names.sort());
  expect(metrics.get('folio_upload_bytes_total')?.unit).toBe('By');
  // A cumulative sum.
  expect(metrics.get('folio_operations_total')?.sum).toMatchObject({
    isMonotonic: true,
    aggregationTemporality: 2,
    dataPoints: [{ asDouble: 2, attributes: { type: 'query', operation: 'other', outcome: 'ok' } }],
  });
  expect(metrics.get('folio_redis_lost')?.gauge?.dataPoints).toMatchObject([{ asDouble: 0 }]);
  const { unit, histogram } = metrics.get('folio_operation_duration_seconds');
  expect(unit).toBe('s');
  const attributes = { type: 'query', operation: 'other' };
  expect(histogram.dataPoints).toMatchObject([{ count: 2, attributes }]);
  const { sum, explicitBounds, bucketCounts, startTimeUnixNano, timeUnixNano } = histogram.dataPoints[0];
  expect(sum).toBeGreaterThan(0);
  expect(Number(startTimeUnixNano) / 1e6).toBeCloseTo(performance.timeOrigin, 0);
  expect(Number(timeUnixNano) / 1e6).toBeGreaterThan(startedAt);
  expect(Number(timeUnixNano) / 1e6).toBeLessThan(Date.now() + 1);
  expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
  expect(bucketCounts.reduce((all: number, count: number) => all + count)).toBe(2);
});

it('each gateway sends its metrics as an instance of its own', async () => {
  const [first, second] = [await exported(), await exported()].map(({ resource }) => resource);
  expect(first).toMatchObject({ 'service.name': 'folio', 'service.instance.id': expect.any(String) });
  expect(second?.['service.instance.id']).not.toBe(first?.['service.instance.id']);
});

it('metrics and traces are sent as protocol buffers unless JSON is configured', async () => {
  const { contentTypes, bodies } = await exported({ OTEL_EXPORTER_OTLP_PROTOCOL: '' });
  expect([...contentTypes]).toEqual(['application/x-protobuf']);
  expect(bodies.join()).toContain('folio_operations_total');
  expect(bodies.join()).toContain('malaysia/status');
  expect(bodies.filter((body) => body.startsWith('{'))).toEqual([]);
});

/** Responds with these statuses in turn, and with the last of them from then on. */
async function failingCollector(...statuses: number[]) {
  const { url } = forTest(await does.startService(...statuses.map((status) => does.json(status, {}))));
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
}

it('a collector that takes no traces and no metrics is a warning in the log', async () => {
  const gateway = await startTestGateway(await failingCollector(400));
  await gateway.ask('{ __typename }');
  await gateway.close();
  for (const what of ['traces', 'metrics'])
    expect(gateway.logged(`the collector takes no ${what}`)).toMatchObject([{ err: { code: 400 } }]);
});

it('the time in which a collector takes nothing is logged when it begins and when it ends', async () => {
  const { tracing } = readConfig(await failingCollector(400, 400, 200, 200, 400));
  const messages: string[] = [];
  const destination = { write: (line: string) => void messages.push(JSON.parse(line).msg) };
  const log = createLog({ level: 'info', production: true, destination });
  const exporter = createMetricExporter(tracing as NonNullable<typeof tracing>, log);
  const metrics = { resource: resourceFromAttributes({}), scopeMetrics: [] };
  for (let times = 0; times < 5; times += 1)
    await new Promise((resolve) => exporter.export(metrics, resolve));
  expect(messages).toEqual([
    'the collector takes no metrics',
    'the collector takes metrics again',
    'the collector takes no metrics',
  ]);
});
