/** Large inputs that arrive at the same time. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { heapSize, memoryBudgets } from '../../src/config/memory-budgets.ts';
import { countArrival, inSharedTurn, ownTurn } from '../../src/tools/event-loop-turns.ts';
import { alice, bob, post, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { type Connection, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';
import { pass, turnCounter, work } from '../support/work.ts';

const gateway = forFile(await startTestGateway());
afterEach(() => vi.restoreAllMocks());

it('a turn is left between two large inputs, and between two steps of one, for a connection that was accepted', async () => {
  const now = turnCounter();
  const steps = async () => {
    const resolved: number[] = [];
    for (const isNextStep of [false, true, true]) {
      await ownTurn({ isNextStep });
      resolved.push(now());
    }
    return resolved;
  };
  const resolved = (await Promise.all([steps(), steps()])).flat();
  for (const [index, turn] of resolved.slice(1).entries())
    expect(turn - (resolved[index] as number)).toBeGreaterThan(1);
});

it('small inputs share a turn of the event loop for 10 ms, and the others wait for later turns', async () => {
  await nextTurn();
  const now = turnCounter();
  const handled: number[] = [];
  const all = Array.from(
    { length: 12 },
    () =>
      new Promise<void>((resolve) => {
        inSharedTurn(() => {
          pass(6);
          handled.push(now());
          resolve();
        });
      }),
  );
  expect(handled).toHaveLength(2);
  await Promise.all(all);
  for (const turn of handled) expect(handled.filter((other) => other === turn).length).toBeLessThan(3);
});

it('what waits for a later turn is done soon, although the I/O of each turn takes all its time', async () => {
  const now = turnCounter();
  let io: NodeJS.Timeout | undefined;
  const turnsWaited = await new Promise<number>((resolve) => {
    let begun: number | undefined;
    // Timers are before immediates in a turn, as I/O is.
    io = setInterval(() => {
      if (begun === undefined) {
        begun = now();
        setImmediate(inSharedTurn, () => resolve(now() - (begun as number)));
      }
      inSharedTurn(() => work(12));
      if (now() - begun > 20) clearInterval(io);
    }, 1);
  });
  clearInterval(io);
  expect(turnsWaited).toBeLessThan(10);
});

it('what waits for a later turn is done soon, although an input before it takes all the time of many turns', async () => {
  await nextTurn();
  const now = turnCounter();
  let parts = 0;
  const continued = (): void => {
    pass(12);
    parts += 1;
    if (parts < 40) inSharedTurn(continued);
  };
  for (let inputs = 0; inputs < 3; inputs += 1) inSharedTurn(continued);
  const begun = now();
  await new Promise<void>((resolve) => inSharedTurn(resolve));
  parts = 40;
  expect(now() - begun).toBeLessThan(10);
});

it('64 parts of operations that wait are continued together, although the I/O of each turn takes all its time', async () => {
  const now = turnCounter();
  const { scheduler } = aShares();
  const io = setInterval(() => inSharedTurn(() => work(12)), 1);
  await nextTurn();
  const begun = now();
  await Promise.all(Array.from({ length: 64 }, () => scheduler.laterTurn(holder('a'))));
  clearInterval(io);
  expect(now() - begun).toBeLessThan(5);
});

it('what waits for a later turn is done soon, although operations that take all its time wait in each turn', async () => {
  const now = turnCounter();
  const { scheduler } = aShares();
  let turnsWaited: number | undefined;
  const begun = now();
  const operations = Array.from({ length: 3 }, async () => {
    while (turnsWaited === undefined && now() - begun < 40) {
      await scheduler.waitForTurn(holder('a'));
      pass(12);
    }
  });
  await nextTurn();
  await nextTurn();
  const since = now();
  setImmediate(inSharedTurn, () => (turnsWaited = now() - since));
  await Promise.all(operations);
  expect(turnsWaited).toBeLessThan(10);
});

/** The turns in which the gateway parses large JSON from now on. The test parses results. `ms`: how long each takes at least. */
function turnsOfLargeJson(now: () => number, ms = 0): number[] {
  const large: number[] = [];
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, ...rest) => {
    if (text.length > 20_000 && !text.startsWith('{"data"')) {
      large.push(now());
      work(ms);
    }
    return parse(text, ...rest);
  });
  return large;
}

/** The turns in which the gateway writes such JSON from now on. `ms`: how long each takes at least. */
function turnsOfWrites(now: () => number, isCounted: (json: string) => boolean, ms = 0): number[] {
  const written: number[] = [];
  const { stringify } = JSON;
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest: any[]) => {
    const json = stringify(value, ...rest);
    if (json !== undefined && isCounted(json)) {
      written.push(now());
      pass(ms);
    }
    return json;
  });
  return written;
}

it('small bodies whose last bytes arrive at the same time, and take long, are parsed in many turns', async () => {
  const body = JSON.stringify({ query: `{ __typename } #${'x'.repeat(30_000)}` });
  const connections: Connection[] = [];
  for (let opened = 0; opened < 10; opened += 1) {
    connections.push(forTest(await openConnection(gateway.url, postOf(body).slice(0, -1))));
    await gateway.ask('{ __typename }');
  }
  const now = turnCounter();
  const large = turnsOfLargeJson(now, 15);
  for (const { socket } of connections) socket.write('}');
  for (const { until } of connections) await until(/^HTTP.1.1 .*"Query"/s);
  expect(large).toHaveLength(10);
  const ofTurns = Map.groupBy(large, (turn) => turn).values();
  expect(Math.max(...ofTurns.map(({ length }) => length))).toBeLessThan(5);
});

it('a caller whose large body arrives behind those of another is among the first to have it read', async () => {
  const body = JSON.stringify({
    query: `{ __typename } #${'x'.repeat(60_000)}`,
    variables: { x: 'x'.repeat(60_000) },
  });
  const callers = [...Array<typeof bob>(16).fill(bob), alice];
  const connections: Connection[] = [];
  for (const headers of callers) {
    connections.push(forTest(await openConnection(gateway.url, postOf(body, headers).slice(0, -1))));
    await gateway.ask('{ __typename }');
  }
  const read: string[] = [];
  for (const { socket } of connections) socket.write('}');
  const responses = connections.map(async ({ until }, index) => {
    await until(/^HTTP.1.1 .*"Query"/s);
    read.push(index < 16 ? 'bob' : 'alice');
  });
  await Promise.all(responses);
  expect(read.slice(0, 3)).toContain('alice');
});

it('a caller whose large response arrives behind those of another is among the first to have it read', async () => {
  const responses: ServerResponse[] = [];
  const service = forTest(
    await does.startService((_request, response) => {
      responses.push(response);
    }),
  );
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
  const read: string[] = [];
  const asked = [];
  for (const [index, caller] of [...Array<typeof bob>(8).fill(bob), alice].entries()) {
    const query = `{ mexicoValidation(by: { documentId: "${index}" }) { result } }`;
    const name = caller === bob ? 'bob' : 'alice';
    asked.push(gateway.ask(query, {}, caller).then(() => read.push(name)));
    await expect.poll(() => responses.length).toBe(index + 1);
  }
  const body = JSON.stringify({ validation_result: 'VALID', detail: 'x'.repeat(200_000) });
  for (const response of responses) response.writeHead(200, { 'content-length': body.length });
  for (const response of responses) response.write(body.slice(0, -1));
  await gateway.ask('{ __typename }');
  for (const response of responses) response.end('}');
  await Promise.all(asked);
  expect(read.slice(0, 4)).toContain('alice');
});

it('a caller with a large body does not wait for all who open GraphiQL', async () => {
  const file = '/graphiql/graphiql.js';
  await fetch(gateway.origin + file, { method: 'HEAD' });
  const body = JSON.stringify({ query: '{ __typename }', variables: { x: 'x'.repeat(100_000) } });
  const open = async (bytes: string) => forTest(await openConnection(gateway.url, bytes.slice(0, -1)));
  const pages = await Promise.all(
    Array.from({ length: 120 }, () => open(headOf(`HEAD ${file}`, { connection: 'close' }))),
  );
  const caller = await open(postOf(body, alice));
  await gateway.ask('{ __typename }');
  for (const { socket } of pages) socket.write('\n');
  caller.socket.write('}');
  await caller.until(/^HTTP.1.1 .*"Query"/s);
  expect(pages.filter(({ text }) => text().includes('200 OK')).length).toBeLessThan(pages.length);
});

it('bodies of 1 MB that arrive at the same time are parsed and checked in separate turns', async () => {
  const service = forTest(await does.startService(does.json(200, { createXmlDocument: { requestId: '1' } })));
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
  const children = '<EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/>';
  const xml = `<EInvoice><Header>${'<a/>'.repeat(250_000)}</Header>${children}</EInvoice>`;
  const query =
    'mutation ($xml: String!) { createFapiao(input: { document: { xml: $xml } }) { __typename } }';
  const now = turnCounter();
  const large = turnsOfLargeJson(now);
  const { decode } = TextDecoder.prototype;
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, bytes, options) {
    if ((bytes?.byteLength ?? 0) > 500_000) large.push(now());
    return decode.call(this, bytes, options);
  });
  const results = await Promise.all(Array.from({ length: 4 }, () => gateway.ask(query, { xml })));
  for (const { data } of results) expect(data.createFapiao.__typename).toBe('FapiaoRequest');
  expect(large).toHaveLength(8);
  expect(new Set(large).size).toBe(8);
});

it.each([
  ['plain', {}, (body: Buffer) => body],
  ['compressed', { 'content-encoding': 'gzip' }, gzipSync],
])(
  '%s responses that arrive at the same time are parsed and passed on in separate turns, one after the other',
  async (_what, headers, encode) => {
    const queues = Array.from({ length: 10_000 }, (_, index) => ({ id: index, name: 'queue' }));
    const body = encode(Buffer.from(JSON.stringify({ createGroup: { id: '1', queues } })));
    const requests: ServerResponse[] = [];
    const service = forTest(
      await does.startService((_request, response) => {
        requests.push(response);
        if (requests.length < 4) return;
        for (const each of requests)
          each.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
      }),
    );
    const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
    const now = turnCounter();
    const large = turnsOfLargeJson(now);
    const written = turnsOfWrites(now, ({ length }) => length > 100_000);
    const mutation = 'mutation { createGroup(input: { name: "a" }) { ... on Group { queues { id } } } }';
    const results = await Promise.all(Array.from({ length: 4 }, () => gateway.ask(mutation)));
    for (const { data } of results) expect(data.createGroup.queues).toHaveLength(10_000);
    expect([large.length, written.length]).toEqual([4, 4]);
    const inOrder = large.flatMap((turn, index) => [turn, written[index]]);
    expect(inOrder).toEqual([...new Set(inOrder)].sort((one, other) => (one ?? 0) - (other ?? 0)));
  },
);

/** Operations that wait for one call of the service, each of which takes 6 ms when it is continued. */
async function waitingForOneCall(count: number) {
  const responses = new Map<string, ServerResponse>();
  const service = forTest(
    await does.startService(({ url = '' }, response) => {
      responses.set(url.slice(-1), response);
    }),
  );
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
  const ask = (name: string, id: string, caller = bob) =>
    gateway.ask(`{ ${name}: mexicoValidation(by: { documentId: "${id}" }) { result } }`, {}, caller);
  const asked = Array.from({ length: count }, () => ask('late', '1'));
  const joins = memoryBudgets(heapSize()).joins / 8_192;
  const joined = async () => (await metricOf(gateway, 'folio_bound_used_ratio{bound="joins"}')) * joins;
  await expect.poll(joined).toBeGreaterThan(count - 1.5);
  const isCalled = (id: string) => responses.has(id);
  await expect.poll(() => isCalled('1')).toBe(true);
  return {
    ask,
    /** The turns in which they are continued. */
    written: turnsOfWrites(turnCounter(), (json) => json.startsWith('{"data":{"late"'), 6),
    asked: Promise.all(asked),
    isCalled,
    respond: (id: string) => responses.get(id)?.writeHead(200).end('{"validation_result":"VALID"}'),
  };
}

it('operations that wait for one call of the service are continued in turns of 10 ms', async () => {
  const { written, asked, respond } = await waitingForOneCall(20);
  respond('1');
  await asked;
  expect(written).toHaveLength(20);
  // Three in a turn of the scheduler, of which two can begin between two counts.
  for (const turn of written) expect(written.filter((other) => other === turn).length).toBeLessThan(7);
});

it('an operation of another caller is not behind those that wait for one call', async () => {
  const { ask, written, asked, respond, isCalled } = await waitingForOneCall(30);
  const other = ask('other', '2', alice);
  await expect.poll(() => isCalled('2')).toBe(true);
  respond('1');
  while (written.length === 0) await nextTurn();
  respond('2');
  await other;
  expect(written.length).toBeLessThan(15);
  await asked;
});

const invoice = { docType: 'INVOICE', docNumber: 'A', lines: [{ amountExclTax: '1' }] };
const parties = { supplier: {}, buyer: {} };
const letters = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}`);
const eight = (field: string, type: string, value: object) => {
  const fields = letters('i', 8).map((name) => `${name}: ${field}(invoice: $invoice) { isValid }`);
  return { query: `query ($invoice: ${type}!) { ${fields.join(' ')} }`, variables: { invoice: value } };
};

/** Calls the function when an invoice is checked, and when a list of rules is made. */
function onPart(call: () => void): void {
  const { entries } = Object;
  vi.spyOn(Object, 'entries').mockImplementation((value: object) => {
    if (Object.keys(value).join() === 'supplier,buyer') call();
    return entries(value);
  });
  const { toSorted } = Array.prototype;
  vi.spyOn(Array.prototype, 'toSorted').mockImplementation(function (this: any[], compare) {
    if (this[0]?.appliesTo !== undefined) call();
    return toSorted.call(this, compare);
  });
}

it.each([
  ['drafts', eight('checkMalaysiaInvoiceDraft', 'MalaysiaInvoiceDraftInput', invoice)],
  ['checked invoices', eight('checkMalaysiaInvoice', 'MalaysiaInvoiceInput', { ...invoice, ...parties })],
  [
    'imported invoices',
    {
      query:
        'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { __typename } }',
      variables: { input: Array(8).fill({ queueId: '1', invoice: { ...invoice, ...parties } }) },
    },
  ],
  [
    'lists of rules',
    {
      query: `{ gatewayInfo { ${letters('r', 8)
        .map((name) => `${name}: rules { rule }`)
        .join(' ')} } }`,
    },
  ],
])('the %s of one operation are handled in several turns', async (_what, operation) => {
  const now = turnCounter();
  const handled: number[] = [];
  onPart(() => {
    handled.push(now());
    pass(6);
  });
  const { errors } = (await (await post(gateway, operation)).json()) as { errors?: unknown };
  expect(errors).toBeUndefined();
  expect(handled).toHaveLength(8);
  // Two in a turn of the scheduler, of which two can begin between two counts.
  for (const turn of handled) expect(handled.filter((other) => other === turn).length).toBeLessThan(5);
});

const { scheduler } = aShares();

it.each([
  ['large inputs', () => ownTurn()],
  ['operations', () => scheduler.waitForTurn(holder('a')) ?? Promise.resolve()],
  ['those of one result', () => scheduler.laterTurn(holder('a'))],
])('connections that wait are accepted before the next of %s that take long', async (_what, turn) => {
  let accepted = 0;
  const server = createServer((socket) => {
    countArrival();
    accepted += 1;
    // It closes with its client.
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  forTest({ close: () => void server.close() });
  for (const client of clients) forTest({ close: () => client.destroy() });
  await once(clients.at(-1) as Socket, 'connect');
  const before: number[] = [];
  const long = async () => {
    await turn();
    before.push(accepted);
    pass(20);
  };
  await Promise.all(Array.from({ length: 4 }, long));
  expect(before[1]).toBeGreaterThan(100);
});

it('operations and those of one result wait for a short time only while connections arrive without end, once those of a burst are accepted', async () => {
  // The connections of other tests arrive no more.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  const all = 120;
  let turns = 0;
  const arriving = async () => {
    for (; turns < all; turns += 1) {
      countArrival();
      inSharedTurn(() => {});
      pass(12);
      await nextTurn();
    }
  };
  const arrived = arriving();
  while (turns < 5) await nextTurn();
  const continued = async () => {
    const since = turns;
    await Promise.all([scheduler.waitForTurn(holder('a')), scheduler.laterTurn(holder('a'))]);
    return turns - since;
  };
  expect(await continued()).toBeGreaterThan(20);
  const waits: number[] = [];
  while (turns < all) waits.push(await continued());
  await arrived;
  // In each period, of which connections go first for a part.
  expect(waits.filter((wait) => wait > 3).length).toBeGreaterThan(2);
  expect(Math.max(...waits)).toBeLessThan(20);
});
