import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { alice, scanCard, startTestGateway, type TestGateway, withKey } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { samplesOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const manifest = 'examples/persisted-operations.json';
const read = '{ malaysiaStatus(documentId: "1") { state } }';
const create = 'mutation ($k: String) { createGroup(input: { idempotencyKey: $k }) { __typename } }';
const group = { id: 1, name: 'a', createdAt: 0, uid: 1, queueCount: 0, queues: [] };

const service = await serviceForFile(does.json(200, { status: 'queued' }));
/** One for each test, so that it has counted nothing. */
let gateway: TestGateway;
beforeEach(async () => {
  gateway = forTest(
    await startTestGateway({
      UPSTREAM_URL: service.url,
      PERSISTED_OPERATIONS: manifest,
      MALAYSIA_POLL_MIN_MS: '20',
      MALAYSIA_POLL_MAX_MS: '20',
    }),
  );
});
afterEach(() => vi.restoreAllMocks());

/** The heaviest callers are those of the last full minute: another one begins. */
function passAMinute(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
}

const samples = (name: string, url = `${gateway.origin}/metrics`) => samplesOf(url, name);
const metricsText = async () => await (await fetch(`${gateway.origin}/metrics`)).text();

it('metrics of operations count by type and outcome, and by name only when the manifest has it', async () => {
  const { operations } = JSON.parse(readFileSync(manifest, 'utf8'));
  const known: any = Object.values(operations).find(({ name }: any) => name === 'MalaysiaStatus');
  await gateway.ask(known.document, { documentId: '1' });
  await gateway.ask(read.replace('{', 'query ANameOfTheClientsOwn {'));
  await gateway.ask('{ nope }');
  service.will(does.json(403, {}));
  await gateway.ask(read);
  expect(await samples('folio_operations_total')).toEqual({
    '{type="query",operation="MalaysiaStatus",outcome="ok"}': 1,
    '{type="query",operation="other",outcome="ok"}': 1,
    '{type="unknown",operation="other",outcome="GRAPHQL_VALIDATION_FAILED"}': 1,
    '{type="query",operation="other",outcome="FORBIDDEN"}': 1,
  });
  expect(await samples('folio_operation_duration_seconds_count')).toEqual({
    '{type="query",operation="MalaysiaStatus"}': 1,
    '{type="query",operation="other"}': 2,
  });
  const seconds = Object.values(await samples('folio_operation_duration_seconds_sum'));
  expect(Math.max(...seconds)).toBeLessThan(10);
});

describe('metrics of calls to the service', () => {
  it('count by endpoint, outcome and attempt', async () => {
    service.will(does.reset, does.json(200, { status: 'queued' }));
    await gateway.ask(read);
    expect(await samples('folio_service_calls_total')).toEqual({
      '{endpoint="malaysiaStatus",outcome="UPSTREAM_UNAVAILABLE",attempt="1"}': 1,
      '{endpoint="malaysiaStatus",outcome="ok",attempt="2"}': 1,
    });
  });

  it('report calls that run or wait, and not those that ended', async () => {
    service.will(does.hang);
    const asked = Array.from({ length: 12 }, (_, id) =>
      gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`),
    );
    await expect.poll(() => service.received.length).toBe(10);
    // The last two requests may arrive after the service has ten calls.
    const queued = () => samples('folio_service_calls_queued');
    await expect.poll(queued).toMatchObject({ '{kind="request"}': 2 });
    expect(await samples('folio_service_calls_in_flight')).toEqual({ '': 10 });
    service.will(does.json(404, {}));
    service.cut();
    await Promise.all(asked);
    expect(await samples('folio_service_calls_in_flight')).toEqual({ '': 0 });
  });

  it('report the state of each endpoint’s breaker', async () => {
    await gateway.ask(read);
    expect(await samples('folio_breaker_state')).toEqual({ '{endpoint="malaysiaStatus"}': 0 });
    service.will(does.htmlPage(502));
    for (let call = 0; call < 20; call += 1) await gateway.ask(create);
    expect(await samples('folio_breaker_state')).toMatchObject({ '{endpoint="createGroup"}': 2 });
  });
});

it('metrics report an upload’s bytes, and the upload as in progress until its response', async () => {
  service.will(does.json(200, { scanDocuments: { docId: 1, status: 'COMPLETED', data: {} } }));
  await scanCard(gateway, 'x'.repeat(123_456));
  expect(await samples('folio_upload_bytes_total')).toEqual({ '': 123_456 });
  expect(await samples('folio_uploads_in_flight')).toEqual({ '': 0 });
});

it('metrics report open sockets, subscriptions and watches, and the polls that sharing saves', async () => {
  const watch = { query: 'subscription { malaysiaStatusChanged(documentId: "1") { state } }' };
  const clients = [gateway.webSocketClient(), gateway.webSocketClient()];
  const events = clients.map((client) => client.iterate(watch));
  for (const each of events) await each.next();
  expect(await samples('folio_sockets')).toMatchObject({ '{kind="websocket"}': 2 });
  expect(await samples('folio_subscriptions')).toEqual({ '': 2 });
  expect(await samples('folio_watches')).toEqual({ '': 1 });
  service.will(does.json(200, { status: 'validated' }));
  for (const each of events) for await (const _event of each);
  expect((await samples('folio_polls_saved_total'))['']).toBeGreaterThan(0);
  expect((await samples('folio_poll_lag_seconds_count'))['']).toBe(service.received.length);
  expect(await samples('folio_detection_delay_seconds_count')).toEqual({ '': 1 });
  expect(await samples('folio_subscriptions')).toEqual({ '': 0 });
  expect(await samples('folio_watches')).toEqual({ '': 0 });
});

it('metrics report the keys of the ledger, and the writes that a known key saved', async () => {
  service.will(does.json(200, { createGroup: group }));
  await gateway.ask(create, { k: 'the-first-key' });
  await gateway.ask(create, { k: 'the-first-key' });
  await gateway.ask(create, { k: 'the-second-key' });
  expect(await samples('folio_ledger_entries')).toEqual({ '': 2 });
  expect(await samples('folio_ledger_joins_total')).toEqual({ '': 1 });
  expect((await samples('folio_ledger_bytes'))['']).toBeGreaterThan(0);
});

it('metrics report the process: version, event loop lag, memory', async () => {
  const text = await metricsText();
  expect(text).toMatch(/^folio_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toMatch(/^folio_redis_lost 0$/m);
});

it('a client cannot add series, except that the heaviest callers of a minute have at most 20 of each use', async () => {
  const seriesOf = async (pattern: RegExp) => (await metricsText()).match(pattern)?.length ?? 0;
  const series = () => seriesOf(/^folio_(?!top_callers)/gm);
  await gateway.ask(read);
  await gateway.ask('{ nope }');
  const before = await series();
  for (let name = 0; name < 25; name += 1) {
    const other = { ...alice, ...withKey(`key-${name}`) };
    await gateway.ask(`query Name${name} { malaysiaStatus(documentId: "${name}") { state } }`, {}, other);
    await gateway.ask(`{ nope${name} }`, {}, other);
  }
  expect(await series()).toBe(before);
  passAMinute();
  expect(await seriesOf(/^folio_top_callers\{use="operations"/gm)).toBe(20);
  expect(await seriesOf(/^folio_top_callers\{/gm)).toBeLessThanOrEqual(60);
});

it('metrics in production are not on the public port, but on a separate one, which serves probes and nothing else', async () => {
  const production = { NODE_ENV: 'production', UPSTREAM_URL: 'sandbox', METRICS_PORT: '0' };
  const { url, metrics: own } = forTest(await startTestGateway(production));
  expect((await fetch(new URL('/metrics', url))).status).toBe(404);
  expect(await samples('folio_build_info', own.href)).not.toEqual({});
  expect(await (await fetch(new URL('/health', own))).json()).toEqual({ status: 'alive' });
  expect(await (await fetch(new URL('/ready', own))).json()).toEqual({ status: 'ready', degraded: [] });
  expect((await fetch(new URL('/graphql', own))).status).toBe(404);
});

it('the heaviest callers are a metric with the tags that the log has', async () => {
  for (let at = 0; at < 3; at += 1) await gateway.ask('{ __typename }');
  const [{ lane }] = gateway.logged('operation');
  passAMinute();
  const callers = await samples('folio_top_callers');
  expect(callers[`{use="operations",lane="${lane}"}`]).toBe(3);
  expect(callers[`{use="bytes",lane="${lane}"}`]).toBeGreaterThan(500);
});
