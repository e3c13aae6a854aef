import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endWithStatus } from '../../src/http/connection/status-line.ts';
import { Cancellation } from '../../src/tools/cancellation.ts';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import { form, handshake, headOf, openConnection, postOf, resultIn } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { status: 'queued' }));

const open = async (bytes: string, allowHalfOpen = false) =>
  forTest(await openConnection(gateway.url, bytes, allowHalfOpen));
const asking = (query: string, headers: Record<string, string> = {}) =>
  postOf(JSON.stringify({ query }), { ...alice, ...headers });

describe('a request with an Upgrade header', () => {
  it.each<[string, Record<string, string>]>([
    ['h2c', { connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABkAAQAAP__' }],
    ['websocket', { connection: 'Upgrade' }],
  ])('for %s and a body gets its normal response on a connection that stays open', async (upgrade, more) => {
    const connection = await open(asking('{ __typename }', { ...more, upgrade }));
    await connection.until(/"__typename":"Query"/);
    expect(connection.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    connection.socket.write(asking('{ second: __typename }', { connection: 'close' }));
    expect(await connection.closed()).toMatch(/"second":"Query"/);
  });

  it('for TLS/1.0 at /health is alive', async () => {
    const connection = await open(headOf('GET /health', { connection: 'Upgrade', upgrade: 'TLS/1.0' }));
    await connection.until(/alive/);
    expect(connection.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('for WebSocket, in upper or lower case, becomes a WebSocket', async () => {
    const connection = await open(headOf('GET /graphql', { ...handshake, upgrade: 'WebSocket' }));
    await connection.until(/\r\n\r\n/);
    expect(connection.text()).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('that is rejected closes the connection even if the client keeps its side open', async () => {
    const connection = await open(
      headOf('GET /nowhere', { connection: 'upgrade', upgrade: 'websocket' }),
      true,
    );
    await new Promise((resolve) => connection.socket.on('end', resolve));
    // Writing to a connection that the server has destroyed closes it here as well.
    const timer = setInterval(() => connection.socket.write('x'), 20);
    await connection.closed();
    clearInterval(timer);
  });
});

it('a connection whose client does not read the status line is closed after 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = new Duplex({ read() {}, write() {} });
  endWithStatus(socket, '400 Bad Request');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(socket.destroyed).toBe(true);
});

describe('bytes that are not HTTP', () => {
  it('after a complete mutation change nothing: its response arrives, and no other status line', async () => {
    const held = service.hold(does.json(200, { createGroup: { id: 7 } }));
    const connection = await open(asking('mutation { createGroup(input: {}) { ... on Group { id } } }'));
    const respond = await held;
    connection.socket.write('\u0000garbage\r\n\r\n');
    connection.socket.write('\u0000more garbage\r\n\r\n');
    // A round trip on another connection: the gateway has read the garbage by then.
    await gateway.ask('{ __typename }');
    respond();
    const text = await connection.closed();
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/"createGroup":\{"id":"/);
    expect(text).not.toMatch(/400 Bad Request/);
    expect(service.received).toHaveLength(1);
  });

  it('after a request that has its response get status 400', async () => {
    const connection = await open(asking('{ __typename }'));
    await connection.until(/"__typename":"Query"/);
    connection.socket.write('garbage\r\n\r\n');
    expect(await connection.closed()).toMatch(/\r\n\r\n\{.*\}HTTP\/1\.1 400 Bad Request\r\n/s);
  });

  it('in the chunks of a body get BAD_REQUEST, and nothing is sent to the service', async () => {
    const chunked = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
    const connection = await open(`${headOf('POST /graphql', chunked)}zz\r\n`);
    const text = await connection.closed();
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(resultIn(text).errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST', sideEffect: 'NONE' } },
    ]);
    expect(service.received).toEqual([]);
  });

  it.each([
    ['a chunk', 'zz\r\n'],
    ['trailers', `0\r\n${'x: y\r\n'.repeat(5_000)}\r\n`],
  ])('in %s behind the parts of a mutation do not hide that it was carried out', async (_what, invalid) => {
    const held = service.hold(does.json(200, { createGroup: { id: 7 } }));
    const query = 'mutation { createGroup(input: {}) { ... on Group { id } } }';
    const parts = form.part('operations', JSON.stringify({ query })) + form.part('map', '{}');
    const head = headOf('POST /graphql', { ...alice, ...form.headers, 'transfer-encoding': 'chunked' });
    const chunk = `${parts}--x--`;
    const connection = await open(`${head}${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    const respond = await held;
    connection.socket.write(invalid);
    await gateway.ask('{ __typename }');
    respond();
    expect(resultIn(await connection.closed())).toEqual({ data: { createGroup: { id: '7' } } });
    expect(service.received).toHaveLength(1);
  });
});

it('a fault in what ends with an operation is logged, and its connection is kept', async () => {
  vi.spyOn(Cancellation.prototype, 'abort').mockImplementationOnce(() => {
    throw new Error('a listener failed');
  });
  const connection = await open(asking('{ first: __typename }'));
  await connection.until(/"first":"Query"/);
  await expect
    .poll(() => gateway.logged('request'))
    .toMatchObject([{ err: { message: 'a listener failed' } }]);
  connection.socket.write(asking('{ second: __typename }'));
  await connection.until(/"second":"Query"/);
});

it('connections are kept for 65 seconds between requests, longer than load balancers keep theirs', async () => {
  const { headers } = await fetch(new URL('/health', gateway.url));
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

it('connections beyond their bound are closed, and the others are kept, whichever socket has accepted them', async () => {
  const { url } = forTest(await startTestGateway({}, { counts: { connections: 20 } }));
  const openKept = async () => forTest(await openConnection(url, headOf('GET /health')));
  const kept = await Promise.all(Array.from({ length: 20 }, openKept));
  for (const { until } of kept) await until(/alive/);
  expect(await (await openKept()).closed()).toBe('');
  expect(kept.filter(({ socket }) => socket.closed)).toEqual([]);
});
