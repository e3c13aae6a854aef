/** What callers of a gateway see while it stops. */
import { afterEach, expect, it } from 'vitest';
import { closeStaggered, openMsOf, spreadMsOf } from '../../src/http/drain.ts';
import { alice, scanCard, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { isListening } from '../support/listen.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import { headOf, openConnection, postOf } from '../support/raw-http.ts';
import { fleetOf, hasRedis, startRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { connectedSocket } from '../support/websocket.ts';

const write = 'mutation { createGroup(input: {}) { ... on Group { id } } }';
const keyed = write.replace('{}', '{ idempotencyKey: "a-key-of-a-group" }');
const read = '{ mexicoValidation(by: { documentId: "1" }) { result } }';

const created = { data: { createGroup: { id: '1' } } };
const service = await serviceForFile(does.json(200, { createGroup: { id: 1 } }));
afterEach(killProcesses);

const start = (more: Record<string, string> = {}) => startTestGateway({ UPSTREAM_URL: service.url, ...more });

const ended = 'requests ended at the end of the grace time';

it('a gateway that stops listens no more, serves a request on an open connection, and asks to close that', async () => {
  // The time for requests on open connections is a twelfth of it.
  const gateway = await start({ SHUTDOWN_GRACE_MS: '36000' });
  const sent = postOf(JSON.stringify({ query: write }), alice);
  const { socket, until, closed } = await openConnection(gateway.url, sent);
  await until(/connection: keep-alive.*"id":"1"/is);
  const stopped = gateway.close();
  await expect.poll(() => isListening(new URL(gateway.url).port)).toBe(false);
  socket.write(sent);
  expect(await closed()).toMatch(/200 OK.*200 OK.*connection: close.*"id":"1"/is);
  await stopped;
});

it('a gateway that stops does not wait for idle connections', async () => {
  const gateway = await start({ SHUTDOWN_GRACE_MS: '600000' });
  await gateway.ask('{ __typename }');
  await gateway.close();
});

it('a gateway that stops sends a large result to its end, however slowly it is read', async () => {
  const gateway = await start({ SHUTDOWN_GRACE_MS: '12000' });
  service.will(does.json(200, { exportDocumentByDocIds: { data: 'x'.repeat(4_000_000), message: '' } }));
  const query = 'mutation { exportDocuments(input: {}) { ... on ExportResult { csv } } }';
  const idle = await openConnection(gateway.url, headOf('GET /health'));
  await idle.until(/200 OK/);
  const { socket, until, closed } = await openConnection(
    gateway.url,
    postOf(JSON.stringify({ query }), alice),
  );
  await until(/200 OK/);
  socket.pause();
  const stopped = gateway.close();
  await idle.closed();
  socket.resume();
  expect((await closed()).length).toBeGreaterThan(4_000_000);
  await stopped;
});

it('a gateway that stops serves for SHUTDOWN_DELAY_MS with /ready at 503 and connections that close', async () => {
  const gateway = await start({ SHUTDOWN_DELAY_MS: '3000', METRICS_PORT: '0' });
  const closed = gateway.close();
  const ready = (from = gateway.origin) => fetch(`${from}/ready`);
  await expect.poll(async () => (await ready()).status).toBe(503);
  expect(await (await ready()).json()).toEqual({ status: 'draining', degraded: [] });
  expect((await ready(gateway.metrics.origin)).status).toBe(503);
  expect((await fetch(`${gateway.metrics.origin}/health`)).status).toBe(200);
  const { status, headers, data } = await gateway.ask(write);
  expect([status, headers.get('connection'), { data }]).toEqual([200, 'close', created]);
  await closed;
  await expect(ready()).rejects.toThrow();
});

const unknown = { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', retryable: false };
it.each([
  ['write that was sent', ({ ask }: TestGateway) => ask(write), unknown],
  ['scan that was sent', scanCard, unknown],
  [
    'read',
    ({ ask }: TestGateway) => ask(read),
    { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true },
  ],
])(
  'a gateway that stops responds to a %s that outlasts SHUTDOWN_GRACE_MS',
  async (_what, send, extensions) => {
    const arrived = service.hold(() => {});
    const gateway = await start();
    const response = send(gateway);
    await arrived;
    const closed = gateway.close();
    // It was sent.
    const message = expect.not.stringContaining('nothing was sent');
    expect(await response).toMatchObject({ errors: [{ extensions, message }] });
    await closed;
    expect(gateway.logged(ended)).toMatchObject([{ level: 'warn', ended: 1, cut: 0 }]);
  },
);

it('a gateway that stops sends the complete of a mutation over WebSocket: without it a client would send the mutation again', async () => {
  const gateway = await start({ SHUTDOWN_GRACE_MS: '6000' });
  const socket = forTest(await connectedSocket(gateway));
  const arrived = service.hold(does.json(200, { createGroup: { id: 1 } }));
  socket.subscribe('write', write);
  const respond = await arrived;
  const stopped = gateway.close();
  let reads = 0;
  const read = async () => {
    reads += 1;
    socket.subscribe(`read-${reads}`, '{ __typename }');
    return (await socket.messageOf(`read-${reads}`)).type;
  };
  // Then the socket closes as soon as the mutation has ended.
  await expect.poll(read).toBe('error');
  respond();
  const received = [await socket.messageOf('write'), await socket.messageOf('write')];
  expect(received).toEqual([
    { id: 'write', type: 'next', payload: created },
    { id: 'write', type: 'complete' },
  ]);
  expect(await socket.closed()).toMatchObject({ code: 1001 });
  await stopped;
  expect(gateway.logged('draining')).toMatchObject([{ webSockets: 1, eventStreams: 0 }]);
  expect(gateway.logged('operation refused')).toMatchObject([{ outcome: 'SHUTTING_DOWN' }]);
});

it('a gateway that stops sends no further write of a mutation that outlasts SHUTDOWN_GRACE_MS', async () => {
  const arrived = service.hold(() => {});
  const gateway = await start();
  const response = gateway.ask(
    'mutation { a: createGroup(input: {}) { __typename } b: createGroup(input: {}) { __typename } }',
  );
  await arrived;
  const sent = service.received.length;
  const closed = gateway.close();
  const refused = { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true };
  expect(await response).toMatchObject({
    status: 200,
    errors: [
      { path: ['a'], extensions: unknown },
      { path: ['b'], extensions: refused },
    ],
  });
  await closed;
  expect(service.received).toHaveLength(sent);
});

it.skipIf(!hasRedis())(
  'a gateway that stops does not say that nothing was done of a write whose outcome cannot be stored in time',
  async () => {
    const redis = forTest(await startRedis());
    const arrived = service.hold(() => {});
    const gateway = await start({ ...fleetOf(redis), SHUTDOWN_GRACE_MS: '600' });
    const response = gateway.ask(keyed);
    await does.arrival(arrived, response);
    redis.freeze();
    const closed = gateway.close();
    expect(await response).toMatchObject({ status: 200, errors: [{ extensions: unknown }] });
    await closed;
    expect(gateway.logged('unforeseen error')).toEqual([]);
  },
);

it.each([
  ['SIGTERM twice, as supervisors send it, finishes what is in progress', 'SIGTERM', 0],
  ['SIGINT twice, as the second Ctrl-C sends it, ends at once', 'SIGINT', 1],
] as const)('a gateway that gets %s', async (_what, signal, exitCode) => {
  const gateway = await startProcess({ UPSTREAM_URL: service.url, SHUTDOWN_GRACE_MS: '6000' });
  const arrived = service.hold(does.json(200, { createGroup: { id: 1 } }));
  const status = gateway.ask(write).then(
    (response) => response.status,
    () => undefined,
  );
  const respond = await arrived;
  gateway.process.kill(signal);
  await expect.poll(() => isListening(new URL(gateway.url).port)).toBe(false);
  gateway.process.kill(signal);
  if (exitCode === 1) expect(await gateway.exited).toBe(1);
  respond();
  expect(await status).toBe(exitCode === 0 ? 200 : undefined);
  expect(await gateway.exited).toBe(exitCode);
});

it('a gateway that stops refuses a request whose body is not complete at the end of SHUTDOWN_GRACE_MS, and counts it', async () => {
  const gateway = await start();
  const body = { 'content-type': 'application/json', 'content-length': '100', expect: '100-continue' };
  const head = headOf('POST /graphql', { ...alice, ...body });
  const connection = await openConnection(gateway.url, `${head}{"query":`);
  await connection.until(/100 Continue/);
  const stopped = gateway.close();
  expect(await connection.closed()).toMatch(
    /HTTP\/1\.1 503 .*"code":"SHUTTING_DOWN","retryable":true.*"sideEffect":"NONE"/s,
  );
  await stopped;
  expect(gateway.logged(ended)).toMatchObject([{ ended: 1, cut: 0 }]);
  expect(gateway.logged('stopped')).toMatchObject([{ refused: 1 }]);
});

it.each([
  [3_000, 1_000, 250],
  [36_000, 12_000, 3_000],
  [300_000, 12_000, 3_000],
])(
  'of a grace time of %i ms, sockets are closed over a third, at most 12 s, and open connections serve for a twelfth, at most 3 s',
  (graceMs, spreadMs, openMs) => {
    expect([spreadMsOf(graceMs), openMsOf(graceMs)]).toEqual([spreadMs, openMs]);
  },
);

it('a gateway that stops does not wait to close sockets that have all left by themselves', async () => {
  const open = new Set(['first', 'second']);
  const closed: string[] = [];
  const close = (connection: string) => {
    closed.push(connection);
    open.clear();
  };
  // Of the two the second would be closed after 10 minutes.
  await closeStaggered(() => [...open], 1_200_000, close, Promise.resolve());
  expect(closed).toEqual(['first']);
});
