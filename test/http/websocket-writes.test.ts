/** Keyed writes over WebSockets: what a caller reads who completes, leaves or repeats while its write runs, and what is sent. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { alice, bob, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';
import { connectedSocket, type TestSocket } from '../support/websocket.ts';

const service = await serviceForFile();
const gateway = forFile(await startTestGateway({ UPSTREAM_URL: service.url }));
const done = does.json(200, { createGroup: { id: 7 } });
const connected = async (credentials = alice) => forTest(await connectedSocket(gateway, credentials));
const create = (key: string, name = 'n') =>
  `mutation { createGroup(input: { name: "${name}", idempotencyKey: "${key}" }) { ... on Group { id } } }`;
const unread = 'folio_bound_used_ratio{bound="results"}';
const value = { data: { createGroup: { id: '7' } } };

/** A write that the service has received, and ends when `respond` is called. */
async function begun(key: string, behaviour = done) {
  const socket = await connected();
  const held = service.hold(behaviour);
  socket.subscribe('1', create(key));
  const respond = await held;
  service.will(does.json(200, { createGroup: { id: 8 } }));
  return { socket, respond };
}

/** `isClosed`: whether the socket ends with it. */
const ends: [how: string, end: (socket: TestSocket) => void, isClosed: boolean][] = [
  ['completes it', (socket) => socket.send({ type: 'complete', id: '1' }), false],
  ['closes its socket', (socket) => socket.close(), true],
  ['breaks its connection', (socket) => socket.raw.terminate(), true],
  ['sends other credentials', (socket) => socket.send({ type: 'connection_init', payload: bob }), true],
  ['sends what is not a message', (socket) => socket.send('hello'), true],
];

describe.each(ends)('while its write runs, a caller %s', (_how, end, isClosed) => {
  it('and gets the only outcome under the same key over another socket and over HTTP', async () => {
    const key = randomUUID();
    const { socket, respond } = await begun(key);
    end(socket);
    if (isClosed) await socket.closed();
    const other = await connected();
    other.subscribe('1', create(key));
    const overHttp = gateway.ask(create(key), {}, alice);
    other.send({ type: 'ping' });
    expect(await other.message()).toEqual({ type: 'pong' });
    respond();
    expect(await other.messageOf('1')).toMatchObject({ type: 'next', payload: value });
    expect(await overHttp).toMatchObject(value);
    expect(service.received).toHaveLength(1);
  });

  it('and gets OUTCOME_UNKNOWN where the response was lost', async () => {
    const key = randomUUID();
    const { socket, respond } = await begun(key, does.reset);
    end(socket);
    if (isClosed) await socket.closed();
    const joined = gateway.ask(create(key), {}, alice);
    respond();
    const unknown = { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', retryable: false };
    expect((await joined).errors?.[0]?.extensions).toMatchObject(unknown);
    expect((await gateway.ask(create(key), {}, alice)).errors?.[0]?.extensions).toMatchObject(unknown);
    expect(service.received).toHaveLength(1);
  });
});

it('a write whose socket closes with its message is sent once at most, and its key has the outcome', async () => {
  for (let round = 0; round < 20; round += 1) {
    service.will(done);
    const key = randomUUID();
    const socket = await connected();
    socket.subscribe('1', create(key));
    if (round % 2) socket.raw.terminate();
    else socket.send({ type: 'complete', id: '1' });
    expect(await gateway.ask(create(key), {}, alice)).toMatchObject(value);
    const sent = service.received.filter(({ body }) => String(body).includes('n')).length;
    expect(sent).toBe(round + 1);
  }
});

it('another token, and another input, on another socket get a conflict that says what was sent', async () => {
  const key = randomUUID();
  const { socket, respond } = await begun(key);
  const renewed = await connected({ ...alice, authorization: 'Bearer renewed' });
  renewed.subscribe('1', create(key));
  expect((await renewed.messageOf('1')).payload.errors[0].extensions).toMatchObject({
    ...{ code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'POSSIBLE', retryable: false },
  });
  socket.subscribe('2', create(key, 'other'));
  respond();
  expect((await socket.messageOf('2')).payload.errors[0].extensions).toMatchObject({
    ...{ code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'NONE', retryable: false },
  });
  expect(await socket.messageOf('1')).toMatchObject({ payload: value });
  expect(service.received).toHaveLength(1);
});

/** Lets the client read nothing until the network takes no more: from then on each message waits for those before it. */
async function readNothing(socket: TestSocket) {
  socket.raw.pause();
  const csv = 'x'.repeat(300_000);
  service.will(does.json(200, { exportDocumentByDocIds: { data: csv, message: '' } }));
  while (!((await metricOf(gateway.metrics, unread)) > 0)) {
    const before = service.received.length;
    socket.subscribe(
      `${before} more`,
      'mutation { exportDocuments(input: {}) { ... on ExportResult { csv } } }',
    );
    await expect.poll(() => service.received.length).toBe(before + 1);
  }
}

it('a slow reader who reuses the id of a write that it has completed gets nothing of that write', async () => {
  const { socket, respond } = await begun(randomUUID());
  await readNothing(socket);
  socket.send({ type: 'complete', id: '1' });
  socket.subscribe('1', '{ __typename }');
  const following = service.hold(done);
  socket.subscribe('2', create(randomUUID()));
  await following;
  const ended = () => gateway.logged('operation').length;
  const endedBefore = ended();
  respond();
  await expect.poll(ended).toBeGreaterThan(endedBefore);
  socket.raw.resume();
  expect(await socket.messageOf('1')).toMatchObject({ payload: [{ extensions: { code: 'BAD_REQUEST' } }] });
  const next = socket.messageOf('1');
  socket.subscribe('1', '{ reused: __typename }');
  expect(await next).toMatchObject({ type: 'next', payload: { data: { reused: 'Query' } } });
});

it('a slow reader who reuses the id of a refused operation that it has completed loses no result', async () => {
  const socket = await connected();
  await readNothing(socket);
  socket.subscribe('1', '{ unknown }');
  socket.send({ type: 'complete', id: '1' });
  const key = randomUUID();
  socket.subscribe('1', create(key));
  const following = service.hold(done);
  socket.subscribe('2', create(randomUUID(), 'following'));
  const respond = await following;
  socket.raw.resume();
  respond();
  const codeOf = async () => (await socket.messageOf('1')).payload[0].extensions.code;
  expect([await codeOf(), await codeOf()]).toEqual(['GRAPHQL_VALIDATION_FAILED', 'BAD_REQUEST']);
  expect(await socket.messageOf('2')).toMatchObject({ type: 'next', payload: value });
  service.will(done);
  socket.subscribe('1', create(key));
  expect(await socket.messageOf('1')).toMatchObject({ type: 'next', payload: value });
});
