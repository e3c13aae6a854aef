/** Callers can make a small process hold a bounded amount of memory, while others are served. */

import { afterEach, describe, expect, it } from 'vitest';
import { countBounds, memoryBudgets } from '../../src/config/memory-budgets.ts';
import { fc } from '../support/fast-check.ts';
import { alice, bob, type GraphQLResponse, scanOperation, withKey } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { smallHeap, startProcess } from '../support/process.ts';
import { type Connection, form, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { connectedSocket } from '../support/websocket.ts';

const MiB = 1024 * 1024;
const created = does.json(200, { createGroup: { id: 7 } });
const create = 'mutation ($n: String) { createGroup(input: { name: $n }) { __typename } }';
const group = { createGroup: { __typename: 'Group' } };

const service = await serviceForFile(created);
const gateway = forFile(await startProcess({ ...smallHeap, UPSTREAM_URL: service.url, METRICS_PORT: '0' }));
const queuedCalls = () => metricOf(gateway.metrics, 'folio_service_calls_queued{kind="request"}');

/** From now on the service responds only after the test. */
let respond = () => {};
function hang(): void {
  const { behave, release } = does.late(does.json(200, { status: 'queued' }));
  respond = release;
  service.will(behave);
}

// The tests share the process: what one leaves is over before the next begins.
afterEach(async () => {
  respond();
  await expect.poll(queuedCalls).toBe(0);
});

/** Until then the gateway is healthy. */
async function expectSoon(isTrue: () => boolean): Promise<void> {
  const isTrueWhileHealthy = async () => {
    expect(await gateway.health()).toBe(200);
    return isTrue();
  };
  await expect.poll(isTrueWhileHealthy).toBe(true);
}

describe('half-sent bodies', () => {
  const send = async (bytes: string) => forTest(await openConnection(gateway.url, bytes));

  it('under invented keys hold a bounded part of a heap of 128 MiB, while every body that arrives without delay is served, at the latest when it is sent again', async () => {
    const residentBytes = () => metricOf(gateway.metrics, 'process_resident_memory_bytes');
    const before = await residentBytes();
    const half = ' '.repeat(3_000_000);
    const kinds = [
      [{ 'content-type': 'application/json' }, half],
      [form.headers, form.part('operations', half)],
    ] as const;
    const attackers: Awaited<ReturnType<typeof send>>[] = [];
    for (let key = 0; key < 80; key += 1) {
      const [headers, body] = kinds[key % 2] as (typeof kinds)[number];
      const own = { ...withKey(`invented-${key}`), 'content-length': '4000000', ...headers };
      attackers.push(await send(headOf('POST /graphql', own) + body));
      if (key % 40 !== 39) continue;
      // Before the bodies of the others have been read for longer it can be the costliest: it is refused, to be sent after a second.
      const ask = async () => (await gateway.ask(create, { n: 'n'.repeat(200_000) })).data;
      await expect.poll(ask, { interval: 1_000 }).toEqual(group);
    }
    expect(await gateway.health()).toBe(200);
    // 240 MB were sent; a full collection frees the bodies that were dropped.
    expect((await residentBytes()) - before).toBeLessThan(160 * MiB);
    const refused = () => attackers.filter(({ text }) => text() !== '');
    // The bodies are sent, but not all of them are read yet.
    await expectSoon(() => refused().length > 70);
    for (const { text } of refused())
      expect(text()).toMatch(
        /^HTTP\/1\.1 503 .*"code":"RATE_LIMITED","retryable":true,"retryAfterMs":1000,"sideEffect":"NONE"/s,
      );
  });

  it('of one accepted caller hold at most three quarters of the bound, and a body of another caller that arrives slowly is served', async () => {
    for (const caller of [alice, bob]) expect((await gateway.ask(create, {}, caller)).data).toEqual(group);
    const body = JSON.stringify({ query: create, variables: { n: 'n'.repeat(500_000) } });
    const slow = await send(postOf(body, bob).slice(0, -1));
    const large: (typeof slow)[] = [];
    for (let at = 0; at < 12; at += 1)
      large.push(await send(postOf(' '.repeat(2_000_000), { ...alice, 'content-length': '3000000' })));
    const refused = () => large.filter(({ text }) => text() !== '');
    await expectSoon(() => refused().length >= 4);
    for (const { text } of refused()) expect(text()).toMatch(/^HTTP\/1\.1 503 .*"bound":"bodies-owner"/s);
    slow.socket.write(body.slice(-1));
    await slow.until(/^HTTP\/1\.1 200 /);
  });
});

describe('what invented callers leave to wait for the service', () => {
  /** The first `count` responses with status 503. What is not refused waits until the gateway ends. */
  async function refusals(asked: readonly Promise<GraphQLResponse>[], count: number) {
    const refused: GraphQLResponse[] = [];
    const enough = Promise.withResolvers<void>();
    for (const one of asked) {
      const add = (response: GraphQLResponse) => {
        if (response.status === 503 && refused.push(response) === count) enough.resolve();
      };
      one.then(add, () => {});
    }
    await enough.promise;
    return refused.map(({ errors }) => errors?.[0]?.extensions);
  }

  it('is a bounded part of a heap of 128 MiB for large variables, half of it for accepted callers', async () => {
    expect((await gateway.ask(create)).data).toEqual(group);
    hang();
    const waiting =
      'query ($i: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $i) { isValid } malaysiaStatus(documentId: "1") { state } }';
    const parties = { docType: 'INVOICE', docNumber: '1', supplier: {}, buyer: {}, lines: [] };
    const i = { ...parties, extra: { note: 'x'.repeat(1_000_000) } };
    const asked = Array.from({ length: 60 }, (_, key) =>
      gateway.ask(waiting, { i }, withKey(`large-${key}`)),
    );
    for (const error of await refusals(asked, 50))
      expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true, sideEffect: 'NONE' });

    service.will(does.json(200, { status: 'queued' }));
    expect((await gateway.ask(waiting, { i })).data.malaysiaStatus).toEqual({ state: 'QUEUED' });
    expect(await gateway.health()).toBe(200);
  });

  it('is bounded in sum for lists of calls, and an accepted caller is served next to them', async () => {
    expect((await gateway.ask(create)).data).toEqual(group);
    hang();
    const list =
      'query ($a: [ID!]!, $b: [ID!]!) { a: malaysiaStatuses(documentIds: $a) { id } b: malaysiaStatuses(documentIds: $b) { id } }';
    const ids = (from: number) => Array.from({ length: 100 }, (_, index) => String(from + index));
    const asked = Array.from({ length: 200 }, (_, key) =>
      gateway.ask(list, { a: ids(0), b: ids(100) }, withKey(`lists-${key}`)),
    );
    const errors = (await refusals(asked, 190)).map((error) => `${error?.['code']},${error?.['bound']}`);
    expect(errors).toContain('RATE_LIMITED,waiting-newcomers');
    // The process may also have no time for so many requests at once.
    for (const error of errors) expect(error).toMatch(/^RATE_LIMITED,(waiting|admission)(-newcomers)?$/);
    // One list of 200: at 16 KiB a call the bound is 320 calls, of which newcomers may have 228.
    const waiting = await queuedCalls();
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThanOrEqual(228);
    expect(await gateway.health()).toBe(200);

    service.will(created);
    expect((await gateway.ask(create)).data).toEqual(group);
  });
});

it('uploads that wait are bounded in sum, and an accepted caller is served next to them', async () => {
  expect((await gateway.ask(create)).data).toEqual(group);
  hang();
  const body = form.beforeFile(scanOperation, { file: null }) + form.file('x'.repeat(300_000));
  const uploads: Connection[] = [];
  // Others are refused because the process has no time for them, or wait for it.
  const isRefused = ({ text }: Connection) => text().includes('"bound":"files-newcomers"');
  for (let key = 0; !uploads.some(isRefused); key += 1) {
    const own = { ...withKey(`uploads-${key}`), authorization: 'Bearer a', 'content-length': '4000000' };
    const head = headOf('POST /graphql', { ...form.headers, ...own });
    uploads.push(forTest(await openConnection(gateway.url, head + body)));
    if (key % 5 === 4) expect(await gateway.health()).toBe(200);
  }

  service.will(created);
  expect((await gateway.ask(create)).data).toEqual(group);
});

it('operations that share one call of the service are bounded in sum over all WebSockets, and an accepted caller is served next to them', async () => {
  expect((await gateway.ask(create)).data).toEqual(group);
  hang();
  const aliases = Array.from({ length: 9 }, (_, at) => `a${at}: state`).join(' ');
  const bounds = new Set<string>();
  for (let opened = 0; opened < 30 && !bounds.has('joins-newcomers'); opened += 1) {
    const { raw, subscribe } = await connectedSocket(gateway, withKey('invented'));
    raw.on('message', (data) => bounds.add(/"bound":"([\w-]+)"/.exec(String(data))?.[1] ?? 'none'));
    // Each has a document of its own, below the size from which documents are counted.
    for (let id = 0; id < 200; id += 1)
      subscribe(`${id}`, `query q${opened}_${id} { malaysiaStatus(documentId: "1") { ${aliases} } }`);
    expect(await gateway.health()).toBe(200);
  }
  await expectSoon(() => bounds.has('joins-newcomers'));

  service.will(created);
  expect((await gateway.ask(create)).data).toEqual(group);
});

it('the budgets of the heap are together less than half of it for any size, and none is zero', () => {
  fc.assert(
    fc.property(fc.integer({ min: 16 * MiB, max: 64 * 1024 * MiB }), (heapBytes) => {
      const budgets = Object.values(memoryBudgets(heapBytes));
      expect(budgets.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(heapBytes / 2);
      expect(Math.min(...budgets)).toBeGreaterThan(0);
      const { streams, idleConnections } = countBounds(heapBytes, 1);
      const ofConnections = streams * 40 * 1024 + idleConnections * 16 * 1024;
      expect(ofConnections, 'event streams and incomplete heads').toBeLessThan(heapBytes / 2);
    }),
    { seed: 20_310_409, numRuns: 300 },
  );
});
