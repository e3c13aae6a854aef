/** What requests hold in memory while they are in progress, and what they leave: nothing that grows with their number. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/operation/persisted/operation-hash.ts';
import { startTestGateway, type TestGateway, withKey } from '../support/gateway.ts';
import { heapBytes } from '../support/heap.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { type Connection, form, handshake, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { onRequestStart } from '../support/work.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));

const slow = { LOG_LEVEL: 'warn', UPSTREAM_URL: service.url, UPSTREAM_READ_DEADLINE_MS: '300000' };

it('200 requests with 40 variables each leave less than 200 KiB after they have ended', async () => {
  const gateway = forTest(await startTestGateway({ LOG_LEVEL: 'warn' }));
  const names = Array.from({ length: 40 }, (_, index) => `id${index}`);
  const query = `query (${names.map((name) => `$${name}: ID!`)}) {
    malaysiaStatuses(documentIds: [${names.map((name) => `$${name}`)}]) @skip(if: true) { state }
  }`;
  const variables = Object.fromEntries(names.map((name, index) => [name, String(index)]));
  const body = JSON.stringify({ query, variables });
  const requests = postOf(body).repeat(49) + postOf(body, { connection: 'close' });
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += 50) {
      const responses = await (await openConnection(gateway.url, requests)).closed();
      expect(responses.match(/"data":\{\}/g)).toHaveLength(50);
    }
  };
  // Until the code is compiled and the caches are filled.
  await send(600);
  const before = await heapBytes();
  await send(200);
  expect((await heapBytes()) - before).toBeLessThan(200 * 1024);
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

  /** Bytes that 10 of these requests hold. */
  async function heldBytes(bytesOf: (key: number) => string, areOpen: AreOpen): Promise<number> {
    const gateway = forTest(await startTestGateway(slow));
    let opened = 0;
    const open = async () => {
      const connections: Connection[] = [];
      for (const end = opened + 10; opened < end; opened += 1)
        connections.push(forTest(await openConnection(gateway.url, bytesOf(opened))));
      await areOpen(connections, gateway, opened);
      service.received.length = 0;
    };
    // Until the code is compiled.
    await open();
    const before = await heapBytes();
    await open();
    return (await heapBytes()) - before;
  }

  it('by queries with more than the hash of their text', async () => {
    service.will(does.hang);
    const bytesOf = (key: number) => {
      const query = `{ malaysiaStatus(documentId: "${key}") { state } }`;
      const extensions = { persistedQuery: { sha256Hash: hashOf(query), surplus } };
      return postOf(JSON.stringify({ query, extensions }), withKey(`key-${key}`));
    };
    const held = await heldBytes(bytesOf, areWaiting);
    expect(held).toBeLessThan(10 * 120 * 1_024);
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
    const bytesOf = (key: number) =>
      requestOf(query, { id: '1', surplus }, { ...withKey(`key-${key}`), accept });
    const held = await heldBytes(bytesOf, (connections) =>
      Promise.all(connections.map(({ until }) => until(/QUEUED/))),
    );
    expect(held).toBeLessThan(10 * 120 * 1_024);
  });
});

/** Of 14 KiB. */
const padding = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x-${index}`, 'v'.repeat(170)]));

it('50 handshakes with half a body leave less than 400 KiB after their connections have closed', async () => {
  const gateway = forTest(await startTestGateway({ LOG_LEVEL: 'warn' }));
  const head = headOf('GET /graphql', { ...handshake, ...padding, 'content-length': '2' });
  const send = async () => {
    for (let sent = 0; sent < 50; sent += 1) {
      const connection = await openConnection(gateway.url, `${head}x`);
      connection.socket.end();
      await connection.closed();
    }
  };
  await send();
  const before = await heapBytes();
  await send();
  expect((await heapBytes()) - before).toBeLessThan(400 * 1024);
});

describe('of a head of 14 KiB nothing is held', () => {
  const body = (query: string) => JSON.stringify({ query });
  const all = (form: RegExp) => (connections: readonly Connection[]) =>
    Promise.all(connections.map(({ until }) => until(form)));
  const stream = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const queued = does.json(200, { status: 'queued' });

  it.each<[string, does.Behaviour, bytes: (headers: Record<string, string>, key: number) => string, AreOpen]>(
    [
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
    ],
  )('%s', async (_name, behaviour, bytes, areOpen) => {
    service.will(behaviour);
    const gateway = forTest(await startTestGateway(slow));
    const heads: WeakRef<object>[] = [];
    onRequestStart(({ headers, rawHeaders }) => {
      if (headers['x-0']) heads.push(new WeakRef(headers), new WeakRef(rawHeaders));
    });
    const connections: Connection[] = [];
    for (let key = 0; key < 3; key += 1) {
      const head = bytes({ ...padding, ...withKey(`key-${key}`) }, key);
      connections.push(forTest(await openConnection(gateway.url, head)));
    }
    await areOpen(connections, gateway, 3);
    await heapBytes();
    expect(heads.map((head) => head.deref())).toEqual(Array(6).fill(undefined));
  });
});

it('a query that waits for the service holds no trailers', async () => {
  service.will(does.hang);
  const gateway = forTest(await startTestGateway(slow));
  const requests: IncomingMessage[] = [];
  onRequestStart((request) => {
    if (request.headers['transfer-encoding']) requests.push(request);
  });
  const body = JSON.stringify({ query: '{ malaysiaStatus(documentId: "1") { state } }' });
  const head = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...withKey('key') };
  const end = `0\r\nx-trailer: ${'v'.repeat(14_000)}\r\n\r\n`;
  const bytes = `${headOf('POST /graphql', head)}${body.length.toString(16)}\r\n${body}\r\n${end}`;
  const connection = forTest(await openConnection(gateway.url, bytes));
  await areWaiting([connection], gateway, 1);
  expect(requests.map(({ complete, rawTrailers }) => [complete, rawTrailers])).toEqual([[true, []]]);
});
