/** Callers that request large results and do not read them. */
import { afterEach, describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { memoryBudgets } from '../../src/config/memory-budgets.ts';
import { createUnreadResults, type UnreadResult, type UnreadResults } from '../../src/http/unread-results.ts';
import { applicationShareOf } from '../../src/shares/bound-sizes.ts';
import { ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { alice, post, quickPolls, readResponse, withKey } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf, samplesOf } from '../support/metric.ts';
import { smallHeap, startProcess } from '../support/process.ts';
import { openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { holder, sharesWith } from '../support/shares.ts';
import { connectedSocket, type TestSocket } from '../support/websocket.ts';

const exported = (csv: string) => does.json(200, { exportDocumentByDocIds: { data: csv, message: '' } });
const [ascii, chinese] = [exported('x'.repeat(4_000_000)), exported('票'.repeat(1_900_000))];
const service = await serviceForFile((request, response) =>
  (request.headers[credentialHeaders.apiKey] === 'chinese' ? chinese : ascii)(request, response),
);
const environment = { ...smallHeap, ...quickPolls, UPSTREAM_URL: service.url, METRICS_PORT: '0' };
const gateway = forFile(await startProcess(environment));

const asking = (fields: string) =>
  `query ($i: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $i) { problems { ${fields} } } }`;
/** A request of 40 kB whose result has 7.7 MB. */
const large = asking(Array.from({ length: 19 }, (_, at) => `${'a'.repeat(2_000)}${at}: rule`).join(' '));
/** A request of 2 kB whose result has 60 kB. */
const small = asking(`${'a'.repeat(280)}: rule`);
/** A request of 2 kB whose result has 240 kB. */
const filling = asking(Array.from({ length: 4 }, (_, at) => `${'a'.repeat(280)}${at}: rule`).join(' '));
const totals = { a: Array(200).fill(1) };
const variables = {
  i: { docType: 'CREDIT_NOTE', docNumber: '1', supplier: {}, buyer: {}, lines: [], totals },
};
const callers = 4;

const query = 'mutation { exportDocuments(input: {}) { ... on ExportResult { csv } } }';

async function expectOthersAreServed(): Promise<void> {
  const { data } = await readResponse(await post(gateway, { query }));
  expect(data.exportDocuments.csv).toHaveLength(4_000_000);
}

const resultsUsed = () => metricOf(gateway.metrics, 'folio_bound_used_ratio{bound="results"}');
const dropped = async () =>
  (await metricOf(gateway.metrics, 'folio_refusals_total{bound="results-newcomers"}')) || 0;

/** A connection that reads no response to this request. */
async function unreadConnection(request: string) {
  const connection = forTest(await openConnection(gateway.url));
  connection.socket.pause();
  connection.socket.write(request);
  return connection;
}

/** Sockets that read no message. */
async function unreadSockets(count: number, payload = {}): Promise<readonly TestSocket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => connectedSocket(gateway, payload)));
  for (const { raw } of sockets) {
    raw.pause();
    forTest({ close: () => raw.terminate() });
  }
  return sockets;
}

/** Operations that are done or were refused. */
const done = async () => {
  const outcomes = await samplesOf(`${gateway.metrics.origin}/metrics`, 'folio_operations_total');
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
};

/** Sends operations over each socket until the network takes no more of their results. */
async function fill(sockets: readonly TestSocket[]): Promise<void> {
  for (const { subscribe } of sockets) {
    const before = await resultsUsed();
    for (let end = (await done()) + 1; !((await resultsUsed()) > before); end += 1) {
      subscribe(`fill ${end}`, filling, variables);
      // The gateway may stop reading from the socket before this one.
      while ((await done()) < end && !((await resultsUsed()) > before));
    }
  }
}

afterEach(() => expect.poll(resultsUsed).toBe(0));

const withToken = { ...withKey('chinese'), authorization: 'Bearer t' };

describe('callers that do not read their large results', () => {
  it('are disconnected above a share of the heap, and others are served', async () => {
    const body = JSON.stringify({ query: large, variables });
    const connections = [];
    for (let caller = 0; caller < callers; caller += 1) {
      connections.push(await unreadConnection(postOf(body, { connection: 'close' })));
      expect(await gateway.health()).toBe(200);
    }
    await expectOthersAreServed();
    for (const { socket } of connections) socket.resume();
    const received = await Promise.all(connections.map(({ closed }) => closed()));
    expect(received.filter(({ length }) => length >= 7_500_000).length).toBeLessThan(callers / 2);
  });

  it('are counted with the bytes of their results, not with the characters', async () => {
    const request = postOf(JSON.stringify({ query }), withToken);
    const connections = await Promise.all([unreadConnection(request), unreadConnection(request)]);
    // 5.7 MB of 6 MiB: the connection that was written to last is not counted.
    await expect.poll(resultsUsed).toBeGreaterThan(0.8);
    for (const { socket } of connections) socket.destroy();
  });

  it('are disconnected over WebSockets too', async () => {
    const sockets = await unreadSockets(callers);
    for (const { subscribe } of sockets) {
      subscribe('1', large, variables);
      expect(await gateway.health()).toBe(200);
    }
    await expectOthersAreServed();
    for (const { raw } of sockets) raw.resume();
    const results = await Promise.allSettled(sockets.map((socket) => socket.message()));
    for (const { raw } of sockets) raw.terminate();
    const whole = results.filter(({ status }) => status === 'fulfilled');
    expect(whole.length).toBeLessThan(callers / 2);
  });

  it('are disconnected when each result is small', async () => {
    const before = await dropped();
    // Each is read from until 1 MiB of its results is unsent: beyond 6 MiB, two are disconnected at least.
    const sockets = await unreadSockets(7);
    for (const { subscribe } of sockets)
      for (let id = 0; id < 200; id += 1) subscribe(String(id), small, variables);
    await expect.poll(dropped).toBeGreaterThanOrEqual(before + 2);
    expect(await gateway.health()).toBe(200);
    for (const { raw } of sockets) raw.terminate();
  });
});

it('exports of 31 MB that three accepted callers read slowly at the same time all arrive whole', async () => {
  service.will(exported('x'.repeat(31_000_000)));
  const { url, metrics } = forTest(
    await startProcess({ ...environment, NODE_OPTIONS: '--max-old-space-size=256' }),
  );
  const connections = [];
  for (const key of ['one', 'two', 'three']) {
    const connection = await openConnection(url);
    connection.socket.pause();
    const headers = { ...withKey(key), authorization: 'Bearer t', connection: 'close' };
    connection.socket.write(postOf(JSON.stringify({ query }), headers));
    connections.push(connection);
  }
  const exports = 'folio_operations_total{type="mutation",operation="other",outcome="ok"}';
  await expect.poll(() => metricOf(metrics, exports)).toBe(3);
  for (const { socket } of connections) socket.resume();
  const received = await Promise.all(connections.map(({ closed }) => closed()));
  for (const { length } of received) expect(length).toBeGreaterThan(31_000_000);
});

it.each([
  ['pongs', () => ({ type: 'ping' })],
  ['errors', (id: string) => ({ type: 'subscribe', id, payload: { query: '{ none }' } })],
])('callers are disconnected for the memory of many small %s that they do not read', async (_name, ask) => {
  const sockets = await unreadSockets(4);
  await fill(sockets);
  const before = await dropped();
  for (const { send } of sockets) for (let sent = 0; sent < 450; sent += 1) send(ask(String(sent)));
  await expect.poll(dropped).toBeGreaterThan(before);
  for (const { raw } of sockets) raw.terminate();
});

it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])(
  'events of %s count until their caller has read them',
  async (accept) => {
    let changes = 0;
    const changing: does.Behaviour = (request, response) => {
      changes += 1;
      does.json(200, { status: 'queued', message: `${changes}${'x'.repeat(1_500)}` })(request, response);
    };
    service.will(changing);
    const aliases = Array.from({ length: 29 }, (_, at) => `a${at}: message`).join(' ');
    const subscription = `subscription { malaysiaStatusChanged(documentId: "1") { ${aliases} } }`;
    const request = postOf(JSON.stringify({ query: subscription }), { ...alice, accept });
    const streams = [await unreadConnection(request), await unreadConnection(request)];
    await expect.poll(resultsUsed).toBeGreaterThan(0);
    service.will(does.json(200, { status: 'queued' }));
    for (const { socket } of streams) socket.resume();
    await expect.poll(resultsUsed).toBe(0);
    for (const { socket } of streams) {
      expect(socket.destroyed).toBe(false);
      socket.destroy();
    }
  },
);

it('unread messages keep no memory of what was sent between them', async () => {
  const external = () => metricOf(gateway.metrics, 'nodejs_external_memory_bytes');
  const sockets = await unreadSockets(2);
  await fill(sockets);
  const read = async () =>
    (await post(gateway, { query: asking(`${'a'.repeat(100)}: rule`), variables })).text();
  const before = await external();
  for (let sent = 0; sent < 60; sent += 1) {
    for (const { send } of sockets) send({ type: 'ping' });
    // 81 kB in all: more than Node's pool.
    expect(await Promise.all([read(), read(), read()])).toHaveLength(3);
  }
  const grown = async () => (await read()) && (await external()) - before;
  await expect.poll(grown).toBeLessThan(60 * 16 * 1_024);
  // The sockets are still open: their end would release the memory too.
  expect(await resultsUsed()).toBeGreaterThan(0);
  for (const { raw } of sockets) raw.terminate();
});

it('responses below 4 KiB that callers do not read count with their requests', async () => {
  const body = JSON.stringify({ query: `{ ${'a'.repeat(3_500)}: __typename }` });
  // As many as may wait.
  const batch = postOf(body, { cookie: 'x'.repeat(1_000) }).repeat(100);
  const first = await unreadConnection('');
  // Until the network takes no more of the responses. Between two readings of a metric some are done.
  for (let seen = await done(), end = seen; seen === end; ) {
    first.socket.write(batch);
    end += 100;
    for (let same = 0; same < 100 && seen < end; ) {
      const now = await done();
      same = now === seen ? same + 1 : 0;
      seen = now;
    }
  }
  // The connection that was written to last is not counted.
  const last = await unreadConnection(postOf(JSON.stringify({ query }), withToken));
  const bytes = async () => (await resultsUsed()) * memoryBudgets(128 * 1024 * 1024).results;
  await expect.poll(bytes).toBeGreaterThan(8 * 1024);
  for (const { close } of [first, last]) close();
});

describe('unread results', () => {
  const KiB = 1024;
  const results = applicationShareOf('results', 1_000 * KiB);
  const shares = sharesWith({ results }, holder('known'), holder('other'));
  /** `kibibytes`: of the responses of the service, among which there is almost no room by default. */
  const aBound = (kibibytes = 1) => {
    const share = applicationShareOf('responses', kibibytes * KiB);
    const responses = new ReclaimingBudget(share, shares, 'of largest owner');
    return createUnreadResults(shares, responses);
  };

  /** A connection to which so much was written that has not been sent. */
  function write(results: UnreadResults, kibibytes: number, caller = 'new', keepsResults = false) {
    const target = {
      keepsResults,
      unsent: undefined as UnreadResult | undefined,
      unsentBytes: kibibytes * KiB,
      isCut: false,
      destroy() {
        target.isCut = true;
      },
    };
    results.written(target, () => holder(caller));
    return target;
  }
  const areCut = (...targets: ReturnType<typeof write>[]) => targets.map(({ isCut }) => isCut);

  it('of one accepted caller are dropped beyond three quarters of the bound, and those of another one are not', () => {
    const results = aBound();
    const written = [
      write(results, 240, 'other'),
      write(results, 370, 'known'),
      write(results, 381, 'known'),
    ];
    write(results, 1);
    expect(areCut(...written)).toEqual([false, false, true]);
  });

  it('of accepted callers count among the responses of the service when the bound has no room, while these have room', () => {
    const results = aBound(2_600);
    const onHeap = write(results, 1_200, 'other', true);
    const large = write(results, 1_200, 'known');
    expect(areCut(onHeap)).toEqual([true]);
    const newcomer = write(results, 1_200);
    const another = write(results, 1_200, 'other');
    expect(areCut(large, newcomer, another)).toEqual([false, true, false]);
    write(results, 600, 'known');
    write(results, 1);
    expect(areCut(large, another)).toEqual([false, false]);
    another.unsent?.close();
    const next = write(results, 1_200, 'other');
    const beyond = write(results, 700, 'other');
    write(results, 1);
    expect(areCut(large, next, beyond)).toEqual([false, false, true]);
  });

  it('do not count once they were sent, and the newest is never dropped', () => {
    const results = aBound();
    const read = write(results, 5_000);
    read.unsentBytes = 0;
    const partly = write(results, 400);
    const huge = write(results, 5_000);
    partly.unsentBytes = 10 * KiB;
    partly.unsent?.sent();
    results.written(huge, () => undefined);
    expect(areCut(read, partly, huge)).toEqual([false, false, false]);
    write(results, 1);
    expect(areCut(read, partly, huge)).toEqual([false, false, true]);
    expect(areCut(write(results, 450), write(results, 1), partly)).toEqual([false, false, false]);
  });

  it('of one connection count but for the largest, also when no other one is written to', () => {
    const results = aBound();
    const target = write(results, 400);
    const writeMore = (kibibytes: number) => {
      target.unsentBytes += kibibytes * KiB;
      results.written(target, () => holder('new'));
    };
    writeMore(5_000);
    writeMore(90);
    expect(target.isCut).toBe(false);
    writeMore(11);
    expect(target.isCut).toBe(true);
  });

  it('count from 4 KiB of one connection', () => {
    const results = aBound();
    const small = Array.from({ length: 1_000 }, () => write(results, 4 - 1 / KiB));
    expect(areCut(...small)).not.toContain(true);
    const counted = Array.from({ length: 127 }, () => write(results, 4));
    expect(areCut(...counted).filter(Boolean)).toHaveLength(1);
  });

  it('of the connection that was written to last count when another one is, also after a third has closed', () => {
    const results = aBound();
    const closed = write(results, 1);
    const written = [write(results, 300)];
    closed.unsent?.close();
    written.push(write(results, 300), write(results, 1));
    expect(areCut(...written).filter(Boolean)).toHaveLength(1);
  });

  it('do not count after their connection has closed', () => {
    const results = aBound();
    for (let round = 0; round < 10; round += 1) write(results, 300).unsent?.close();
    const open = [write(results, 250), write(results, 240)];
    write(results, 1);
    expect(areCut(...open)).toEqual([false, false]);
  });
});
