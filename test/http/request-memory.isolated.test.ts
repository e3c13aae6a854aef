/** What requests hold in memory while they are in progress, and what they leave: nothing that grows with their number. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/operation/persisted/operation-hash.ts';
import { startTestGateway, withKey } from '../support/gateway.ts';
import { heapBytes } from '../support/heap.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { type Connection, form, handshake, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { onRequestStart } from '../support/work.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));

const slow = { LOG_LEVEL: 'warn', UPSTREAM_URL: service.url, UPSTREAM_READ_DEADLINE_MS: '300000' };
const gateway = forFile(await startTestGateway(slow));

it('200 requests with 40 variables each leave less than 400 KiB after they have ended', async () => {
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
  expect((await heapBytes()) - before).toBeLessThan(400 * 1024);
});

type AreOpen = (connections: readonly Connection[], opened: number) => Promise<unknown>;

/** Resolves when that many queries wait for the service. */
const areWaiting: AreOpen = async (_connections, opened) => {
  const running = () => metricOf(gateway, 'folio_service_calls_in_flight');
  const waiting = () => metricOf(gateway, 'folio_service_calls_queued{kind="request"}');
  await expect.poll(async () => (await running()) + (await waiting())).toBe(opened);
};

describe('of a request of 230 KB that is in progress nothing uncounted is held', () => {
  const surplus = Array(9_000).fill({ member: 'of no use' });

  /** Bytes that 10 of these requests hold. */
  async function heldBytes(bytesOf: (key: number) => string, areOpen: AreOpen): Promise<number> {
    let opened = 0;
    const open = async () => {
      const connections: Connection[] = [];
      for (const end = opened + 10; opened < end; opened += 1)
        connections.push(forTest(await openConnection(gateway.url, bytesOf(opened))));
      await areOpen(connections, opened);
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
    ['as JSON', asJson],
    ['in a form with a file', asForm],
  ])('by subscriptions with variables that they do not declare, %s', async (_name, requestOf) => {
    service.will(does.json(200, { status: 'queued' }));
    const query = 'subscription ($id: ID!) { malaysiaStatusChanged(documentId: $id) { state } }';
    const bytesOf = (key: number) =>
      requestOf(query, { id: '1', surplus }, { ...withKey(`key-${key}`), accept: 'text/event-stream' });
    const held = await heldBytes(bytesOf, (connections) =>
      Promise.all(connections.map(({ until }) => until(/QUEUED/))),
    );
    expect(held).toBeLessThan(10 * 120 * 1_024);
  });
});

/** Of 14 KiB. */
const padding = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x-${index}`, 'v'.repeat(170)]));

it('50 handshakes with half a body leave less than 400 KiB after their connections have closed', async () => {
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

it('of a head of 14 KiB nothing is held by connections that wait for a request, event streams and queries that wait', async () => {
  const queued = does.json(200, { status: 'queued' });
  service.will((request, response) => (request.url?.endsWith('/9') ? does.hang : queued)(request, response));
  const heads: WeakRef<object>[] = [];
  onRequestStart(({ headers, rawHeaders }) => {
    if (headers['x-0']) heads.push(new WeakRef(headers), new WeakRef(rawHeaders));
  });
  const posted = (query: string, headers: Record<string, string>) =>
    postOf(JSON.stringify({ query }), headers);
  for (let key = 0; key < 3; key += 1) {
    const headers = { ...padding, ...withKey(`key-${key}`) };
    const open = async (bytes: string) => forTest(await openConnection(gateway.url, bytes));
    await (await open(headOf('GET /x', headers))).until(/404/);
    const stream = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    await (await open(posted(stream, { ...headers, accept: 'text/event-stream' }))).until(/QUEUED/);
    await open(posted('{ malaysiaStatus(documentId: "9") { state } }', headers));
  }
  await areWaiting([], 3);
  await heapBytes();
  expect(heads.map((head) => head.deref())).toEqual(Array(18).fill(undefined));
});

it('a query that waits for the service holds no trailers', async () => {
  service.will(does.hang);
  const requests: IncomingMessage[] = [];
  onRequestStart((request) => {
    if (request.headers['transfer-encoding']) requests.push(request);
  });
  const body = JSON.stringify({ query: '{ malaysiaStatus(documentId: "1") { state } }' });
  const head = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...withKey('key') };
  const end = `0\r\nx-trailer: ${'v'.repeat(14_000)}\r\n\r\n`;
  const bytes = `${headOf('POST /graphql', head)}${body.length.toString(16)}\r\n${body}\r\n${end}`;
  const connection = forTest(await openConnection(gateway.url, bytes));
  await areWaiting([connection], 1);
  expect(requests.map(({ complete, rawTrailers }) => [complete, rawTrailers])).toEqual([[true, []]]);
});
