/** What requests hold in memory while they are in progress, and what they leave: nothing that grows with their number. */
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/operation/persisted/operation-hash.ts';
import { startTestGateway, type TestGateway, withKey } from '../support/gateway.ts';
import { heapBytes } from '../support/heap.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { type Connection, form, handshake, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));

it('1,000 requests with 20 variables each leave less than 640 KiB after they have ended', async () => {
  const gateway = forTest(await startTestGateway({ LOG_LEVEL: 'warn' }));
  const names = Array.from({ length: 20 }, (_, index) => `id${index}`);
  const declarations = names.map((name) => `$${name}: ID!`);
  const fields = names.map(
    (name) => `${name}: malaysiaStatus(documentId: $${name}) @skip(if: true) { state }`,
  );
  const query = `query (${declarations.join(', ')}) { ${fields.join(' ')} }`;
  const variables = Object.fromEntries(names.map((name, index) => [name, String(index)]));
  const senders = 8;
  const send = (requests: number) =>
    Promise.all(
      Array.from({ length: senders }, async () => {
        for (let sent = 0; sent < requests / senders; sent += 1) {
          const { data, errors } = await gateway.ask(query, variables);
          expect({ data, errors }).toEqual({ data: {} });
        }
      }),
    );
  // Until the code is compiled and the caches are filled.
  await send(600);
  const before = await heapBytes();
  await send(1_000);
  expect((await heapBytes()) - before).toBeLessThan(640 * 1024);
});

type AreOpen = (connections: readonly Connection[], gateway: TestGateway, opened: number) => Promise<unknown>;

/** Resolves when that many queries wait for the service. */
const areWaiting: AreOpen = async (_connections, gateway, opened) => {
  const running = () => metricOf(gateway, 'folio_service_calls_in_flight');
  const waiting = () => metricOf(gateway, 'folio_service_calls_queued{kind="request"}');
  await expect.poll(async () => (await running()) + (await waiting())).toBe(opened);
};

describe('of a request of 230 KB that is in progress nothing uncounted is held', () => {
  const surplus = Array(9_000).fill({ member: 'of no use' });
  const slow = { LOG_LEVEL: 'warn', UPSTREAM_READ_DEADLINE_MS: '300000' };

  /** Bytes that 20 requests hold more than 20 without the surplus. */
  async function heldBytes(
    bytesOf: (key: number, more: object) => string,
    areOpen: AreOpen,
  ): Promise<number> {
    const gateway = forTest(await startTestGateway({ ...slow, UPSTREAM_URL: service.url }));
    const open = async (from: number, more: object) => {
      // One after the other: a busy machine takes long to read all.
      for (let key = from; key < from + 20; key += 1)
        await areOpen([forTest(await openConnection(gateway.url, bytesOf(key, more)))], gateway, key + 1);
      service.received.length = 0;
      return await heapBytes();
    };
    const before = await open(0, {});
    return (await open(20, { surplus })) - before;
  }

  it('by queries with more than the hash of their text', async () => {
    service.will(does.hang);
    const bytesOf = (key: number, more: object) => {
      const query = `{ malaysiaStatus(documentId: "${key}") { state } }`;
      const extensions = { persistedQuery: { sha256Hash: hashOf(query), ...more } };
      return postOf(JSON.stringify({ query, extensions }), withKey(`key-${key}`));
    };
    const held = await heldBytes(bytesOf, areWaiting);
    expect(held).toBeLessThan(20 * 100 * 1_024);
  });

  const asJson = (query: string, variables: object, headers: Record<string, string>) =>
    postOf(JSON.stringify({ query, variables }), headers);
  const asForm = (query: string, variables: object, headers: Record<string, string>) =>
    postOf(form.beforeFile(query, { ...variables, file: null }) + form.file('x') + form.end, {
      ...headers,
      ...form.headers,
    });

  it.each([
    ['as server-sent events', 'text/event-stream', asJson],
    ['as parts of a response', 'multipart/mixed;subscriptionSpec=1.0', asJson],
    ['in a form with a file', 'text/event-stream', asForm],
  ])('by subscriptions with variables that they do not declare, %s', async (_name, accept, requestOf) => {
    service.will(does.json(200, { status: 'queued' }));
    const query = 'subscription ($id: ID!) { malaysiaStatusChanged(documentId: $id) { state } }';
    const bytesOf = (key: number, more: object) =>
      requestOf(query, { id: '1', ...more }, { ...withKey(`key-${key}`), accept });
    const held = await heldBytes(bytesOf, (connections) =>
      Promise.all(connections.map(({ until }) => until(/QUEUED/))),
    );
    expect(held).toBeLessThan(20 * 100 * 1_024);
  });
});

/** Of 14 KiB. */
const padding = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x-${index}`, 'v'.repeat(170)]));

it('200 handshakes with half a body leave less than 640 KiB after their connections have closed', async () => {
  const gateway = forTest(await startTestGateway({ LOG_LEVEL: 'warn' }));
  const head = headOf('GET /graphql', { ...handshake, ...padding, 'content-length': '2' });
  const send = async () => {
    for (let sent = 0; sent < 200; sent += 1) {
      const connection = await openConnection(gateway.url, `${head}x`);
      connection.socket.end();
      await connection.closed();
    }
  };
  await send();
  const before = await heapBytes();
  await send();
  expect((await heapBytes()) - before).toBeLessThan(640 * 1024);
});

describe('of a head of 14 KiB nothing is held', () => {
  const count = 60;
  const body = (query: string) => JSON.stringify({ query });
  type Kind = readonly [
    name: string,
    does.Behaviour,
    bytes: (headers: Record<string, string>, key: number) => string,
    areOpen: AreOpen,
  ];
  const all = (form: RegExp) => (connections: readonly Connection[]) =>
    Promise.all(connections.map(({ until }) => until(form)));
  const stream = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const queued = does.json(200, { status: 'queued' });

  it.each<Kind>([
    [
      'by a connection that waits for its next request',
      queued,
      (headers) => headOf('GET /x', headers),
      all(/404/),
    ],
    [
      'by an event stream',
      queued,
      (headers) => postOf(body(stream), { ...headers, accept: 'text/event-stream' }),
      all(/QUEUED/),
    ],
    [
      'by a query that waits for the service',
      does.hang,
      (headers, key) => postOf(body(`{ malaysiaStatus(documentId: "${key}") { state } }`), headers),
      areWaiting,
    ],
  ])(
    '%s',
    // What V8 compiles or collects meanwhile is measured too, at times.
    { retry: 2 },
    async (_name, behaviour, bytes, areOpen) => {
      service.will(behaviour);
      const slow = { UPSTREAM_READ_DEADLINE_MS: '300000' };
      const gateway = forTest(
        await startTestGateway({ LOG_LEVEL: 'warn', UPSTREAM_URL: service.url, ...slow }),
      );
      let opened = 0;
      let before = 0;
      /** Bytes of each since the last call. */
      const open = async (headers: Record<string, string>) => {
        const connections: Connection[] = [];
        while (connections.length < count) {
          const own = { ...headers, ...withKey(`key-${opened}`) };
          connections.push(forTest(await openConnection(gateway.url, bytes(own, opened))));
          opened += 1;
          // More at once could be refused on a busy machine.
          if (opened % 10 === 0) await areOpen(connections, gateway, opened);
        }
        // The test's record of the polls is in this heap too.
        service.received.length = 0;
        const after = await heapBytes();
        const each = (after - before) / count;
        before = after;
        return each;
      };
      // Until the code is compiled.
      await open({});
      const small = await open({});
      expect((await open(padding)) - small).toBeLessThan(10_000);
    },
  );
});
