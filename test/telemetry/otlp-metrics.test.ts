/** Metrics that a gateway sends to an OpenTelemetry collector. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startCollector, type TestCollector } from '../support/collector.ts';
import { startTestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let collector: TestCollector;
beforeEach(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  collector = await startCollector();
});
afterEach(async () => {
  await service.close();
  await collector.close();
});

/** Stopping the gateway sends the last values. */
async function exported(environment: Record<string, string> = {}): Promise<string> {
  const gateway = await startTestGateway({
    UPSTREAM_URL: service.url,
    ...collector.environment,
    ...environment,
  });
  for (let times = 0; times < 2; times += 1)
    await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }');
  const text = await (await fetch(`${gateway.origin}/metrics`)).text();
  await gateway.close();
  return text;
}

it('every metric of /metrics is sent to the collector under its name, with its unit', async () => {
  const text = await exported();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names).toContain('folio_operations_total');
  expect([...collector.metrics.keys()].sort()).toEqual(names.sort());
  expect(collector.metrics.get('folio_operation_duration_seconds')?.unit).toBe('s');
  expect(collector.metrics.get('folio_upload_bytes_total')?.unit).toBe('By');
});

it('a counter is sent as a cumulative, monotonic sum with its labels', async () => {
  await exported();
  expect(collector.metrics.get('folio_operations_total')?.sum).toMatchObject({
    isMonotonic: true,
    aggregationTemporality: 2,
    dataPoints: [{ asDouble: 2, attributes: { type: 'query', operation: 'other', outcome: 'ok' } }],
  });
});

it('a gauge is sent with its value', async () => {
  await exported();
  expect(collector.metrics.get('folio_redis_lost')?.gauge?.dataPoints).toMatchObject([{ asDouble: 0 }]);
});

it('a histogram is sent with the number of values in each of its buckets', async () => {
  await exported();
  const [point, ...others] =
    collector.metrics.get('folio_operation_duration_seconds')?.histogram?.dataPoints ?? [];
  expect(others).toEqual([]);
  expect(point).toMatchObject({ count: 2, attributes: { type: 'query', operation: 'other' } });
  expect(point?.sum).toBeGreaterThan(0);
  expect(point?.explicitBounds?.[0]).toBe(0.001);
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds?.length ?? 0) + 1);
  expect(point?.bucketCounts?.reduce((sum, count) => sum + count, 0)).toBe(2);
});

it('each gateway sends its metrics as an instance of its own', async () => {
  await exported();
  const first = collector.resource['service.instance.id'];
  await exported();
  expect(first).toEqual(expect.any(String));
  expect(collector.resource).toMatchObject({ 'service.name': 'folio' });
  expect(collector.resource['service.instance.id']).not.toBe(first);
});

it('metrics are sent as protocol buffers unless JSON is configured', async () => {
  await exported({ OTEL_EXPORTER_OTLP_PROTOCOL: '' });
  expect([...collector.contentTypes]).toEqual(['application/x-protobuf']);
  expect(collector.bodies.join()).toContain('folio_operations_total');
});
