import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { alice, startTestGateway, withKey } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { connectedSocket, openSocket, type TestSocket } from '../support/websocket.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));
const gateway = forFile(
  await startTestGateway({ UPSTREAM_URL: service.url }, { limits: { maxSubscriptionsPerSocket: 3 } }),
);

const connected = async () => forTest(await connectedSocket(gateway));
const watch = (id: string) => `subscription { malaysiaStatusChanged(documentId: "${id}") { state } }`;

describe('a WebSocket', () => {
  it.each<readonly [string, (socket: TestSocket) => unknown, number]>([
    ['that sends a message that is not JSON', (socket) => socket.send('hello'), 4400],
    ['that subscribes before connection_init', (socket) => socket.subscribe('1', '{ __typename }'), 4401],
    [
      'that sends connection_init twice',
      (socket) => {
        for (const _ of [1, 2]) socket.send({ type: 'connection_init' });
      },
      4429,
    ],
    ['that sends a message of 129 KiB', (socket) => socket.send(`"${'x'.repeat(129 * 1024)}"`), 1009],
    [
      'that never sends connection_init while another one closes',
      async () => (await openSocket(gateway)).close(),
      4408,
    ],
  ])('%s is closed with the code of the protocol, and no error is logged', async (_title, act, code) => {
    const socket = await openSocket(gateway);
    await act(socket);
    expect((await socket.closed()).code).toBe(code);
    expect(gateway.log().join('\n')).not.toContain('websocket event');
  });

  it('that uses an id of 384 bytes twice at a time is closed with the first 123 bytes of the reason', async () => {
    const socket = await connected();
    for (const _ of [1, 2]) socket.subscribe('€'.repeat(128), watch('1'));
    expect(await socket.closed()).toEqual({ code: 4409, reason: `Subscriber for ${'€'.repeat(36)}` });
    expect(gateway.log().join('\n')).not.toContain('websocket event');
  });

  it('may send its messages as binary ones', async () => {
    const socket = await connected();
    socket.raw.send(Buffer.from('{"type":"ping"}'), { binary: true });
    expect(await socket.message()).toEqual({ type: 'pong' });
  });

  it('sends each subscriber its own id, with any characters', async () => {
    const socket = await connected();
    const ids = ['plain', 'a "quoted" id,\n\u2028 \\ and {"type":"error"}'];
    for (const id of ids) socket.subscribe(id, watch('1'));
    const data = { malaysiaStatusChanged: { state: 'QUEUED' } };
    for (const id of ids) expect(await socket.messageOf(id)).toEqual({ id, type: 'next', payload: { data } });
  });

  it('sends each subscriber its own request id in an error that all of them get', async () => {
    service.will(does.json(401, {}));
    const [first, second] = [await connected(), await connected()];
    const subscribers = [
      { socket: first, id: '1' },
      { socket: first, id: '2' },
      { socket: second, id: '3' },
    ];
    for (const { socket, id } of subscribers) socket.subscribe(id, watch('7'));
    const requestIds: string[] = [];
    for (const { socket, id } of subscribers) {
      const { type, payload } = await socket.messageOf(id);
      expect(type).toBe('next');
      expect(payload.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
      requestIds.push(payload.errors[0].extensions.requestId);
    }
    expect(service.received.filter(({ path }) => path.endsWith('/7'))).toHaveLength(1);

    // Each is the id in the log line of its operation.
    const logged = () => gateway.logged('operation').map(({ requestId }) => requestId);
    await expect.poll(logged).toEqual(expect.arrayContaining(requestIds));
    expect(new Set(requestIds).size).toBe(3);
  });

  it('sends the complete of each of 100 subscriptions after its last result, and nothing after that', async () => {
    const own = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
    const socket = forTest(await connectedSocket(own));
    const received = new Map<string, string[]>();
    socket.raw.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data));
      const state = payload?.data?.malaysiaStatusChanged?.state;
      received.getOrInsertComputed(id, () => []).push(state ?? type);
    });
    const ids = Array.from({ length: 100 }, (_, index) => `s${index}`);
    for (const id of ids) socket.subscribe(id, watch('8'));
    for (const id of ids) await socket.messageOf(id);

    // The status that a query reads goes to all subscribers at once, and is final.
    service.will(does.json(200, { status: 'valid' }));
    await own.ask('{ malaysiaStatus(documentId: "8") { state } }');
    socket.subscribe('last', '{ __typename }');
    await expect.poll(() => received.get('last')).toEqual(['next', 'complete']);
    for (const id of ids) expect(received.get(id)).toEqual(['QUEUED', 'VALIDATED', 'complete']);
  });

  it('rejects an operation above its limit, and accepts one after another has completed', async () => {
    const socket = await connected();
    for (const id of ['1', '2', '3', '4']) socket.subscribe(id, watch('1'));
    const expected = { type: 'error', payload: [{ extensions: { code: 'RATE_LIMITED', retryable: true } }] };
    expect(await socket.messageOf('4')).toMatchObject(expected);
    socket.send({ type: 'complete', id: '1' });
    socket.subscribe('5', watch('1'));
    expect(await socket.messageOf('5')).toMatchObject({ type: 'next' });
  });

  it('cannot reuse the id of a mutation in progress, even after it completed it', async () => {
    service.will(does.hang);
    const socket = await connected();
    socket.subscribe('1', 'mutation { createGroup(input: {}) { __typename } }');
    while (!service.received.some(({ path }) => path === '/v1/groups')) await new Promise(setImmediate);
    socket.send({ type: 'complete', id: '1' });
    socket.subscribe('1', '{ __typename }');
    const expected = { type: 'error', payload: [{ extensions: { code: 'BAD_REQUEST' } }] };
    expect(await socket.messageOf('1')).toMatchObject(expected);
    service.cut();
  });

  it('ends a query, with its calls, that its client completes', async () => {
    service.will(does.hang);
    const aborted = service.aborted();
    const socket = await connected();
    socket.subscribe('left', '{ malaysiaStatus(documentId: "1") { state } }');
    while (service.received.length === 0) await new Promise(setImmediate);
    socket.send({ type: 'complete', id: 'left' });
    await aborted;
    await expect.poll(() => gateway.logged('operation').at(-1)).toMatchObject({ outcome: 'caller_left' });
  });

  it('may reuse the id of a subscription that it has completed', async () => {
    const socket = await connected();
    for (let round = 0; round < 5; round += 1) {
      socket.subscribe('again', watch('1'));
      expect(await socket.messageOf('again')).toMatchObject({ type: 'next' });
      socket.send({ type: 'complete', id: 'again' });
      // The pong proves that the completion was processed.
      socket.send({ type: 'ping' });
      expect(await socket.message()).toEqual({ type: 'pong' });
    }
  });

  it.each<[string, Record<string, unknown>, Record<string, string>?]>([
    [
      'connection_init in any case',
      {
        [credentialHeaders.apiKey.toUpperCase()]: alice[credentialHeaders.apiKey],
        AUTHORIZATION: alice.authorization,
      },
    ],
    ['connection_init under headers', { headers: alice }],
    ['connection_init under headers, also at the top', { ...alice, headers: alice }],
    ['connection_init under headers, with empty ones at the top', { ...withKey(''), headers: alice }],
    ['the upgrade request when connection_init has none', {}, alice],
  ])('uses the credentials of %s', async (_where, initial, headers = {}) => {
    const socket = forTest(await openSocket(gateway, { headers }));
    socket.send({ type: 'connection_init', payload: initial });
    expect(await socket.message()).toEqual({ type: 'connection_ack' });
    socket.subscribe('1', '{ malaysiaStatus(documentId: "1") { state } }');
    const payload = { data: { malaysiaStatus: { state: 'QUEUED' } } };
    expect(await socket.message()).toEqual({ type: 'next', id: '1', payload });
    expect(service.received[0]?.headers).toMatchObject(alice);
  });

  it.each([
    ['a list', []],
    ['a number as key', { [credentialHeaders.apiKey]: 7 }],
    ['a key with a line break', withKey('a\r\nb')],
    ['a key with an umlaut', { authorization: 'Bearer ä' }],
    ['an object as key', { [credentialHeaders.apiKey]: { toString: 'a' } }],
    ['two keys', { ...withKey('a'), headers: withKey('b') }],
    ['two tokens under names of another case', { authorization: 'Bearer a', Authorization: 'Bearer b' }],
    ['headers that are not an object', { headers: `${credentialHeaders.apiKey}: a` }],
  ])('with %s in its connection_init is closed with 4400', async (_title, payload) => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload });
    expect(await socket.closed()).toMatchObject({ code: 4400 });
  });

  it.each([
    ['https://app.example', 'app.example'],
    ['https://app.example', 'App.Example:443'],
    ['http://app.example', 'app.example:80'],
    ['https://app.example:8443', 'app.example:8443'],
    ['http://[::1]:4000', '[::1]:4000'],
  ])('is opened for a page of %s at the host %s', async (origin, host) => {
    const socket = forTest(await openSocket(gateway, { headers: { origin, host } }));
    socket.send({ type: 'ping' });
    expect(await socket.message()).toEqual({ type: 'pong' });
  });

  it.each([
    ['https://evil.example', 'app.example'],
    ['https://app.example', 'app.example:80'],
    ['https://app.example:8443', 'app.example'],
    ['null', 'app.example'],
    ['null', ''],
    ['https://', ''],
  ])('is refused for a page of %s at the host "%s"', async (origin, host) => {
    await expect(openSocket(gateway, { headers: { origin, host } })).rejects.toThrow(/403/);
  });
});
