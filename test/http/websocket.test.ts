import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket, type TestSocket } from '../support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway(
    { UPSTREAM_URL: service.url },
    { limits: { maxSubscriptionsPerSocket: 3 } },
  );
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

describe('a WebSocket', () => {
  it.each<readonly [string, (socket: TestSocket) => void, number]>([
    ['that sends a message that is not JSON', (socket) => socket.send('hello'), 4400],
    ['that sends a message without a type', (socket) => socket.send({ id: '1' }), 4400],
    [
      'that subscribes before connection_init',
      (socket) => socket.send({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } }),
      4401,
    ],
    [
      'that sends connection_init twice',
      (socket) => {
        for (const _ of [1, 2]) socket.send({ type: 'connection_init' });
      },
      4429,
    ],
    ['that sends a message of 129 KiB', (socket) => socket.send(`"${'x'.repeat(129 * 1024)}"`), 1009],
    ...['connection_ack', 'next', 'error'].map(
      (type) =>
        [
          `that sends ${type} as a server does`,
          (socket: TestSocket) => socket.send({ type, id: '1', payload: {} }),
          4400,
        ] as const,
    ),
    ['that never sends connection_init', () => {}, 4408],
  ])(
    '%s is closed with the code of the protocol, and no error is logged',
    async (_title, misbehave, code) => {
      const socket = await openSocket(gateway);
      misbehave(socket);
      expect((await socket.closed()).code).toBe(code);
      expect(gateway.log().join('\n')).not.toContain('websocket event');
    },
  );

  it.each([
    ['short', 'same'],
    ['128 characters of 3 bytes', '€'.repeat(128)],
  ])(
    'that uses an id twice at a time is closed with 4409, and no error is logged: %s',
    async (_title, id) => {
      const socket = await openSocket(gateway);
      socket.send({ type: 'connection_init', payload: alice });
      await socket.message();
      const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
      for (const _ of [1, 2]) socket.send({ type: 'subscribe', id, payload: { query } });
      expect((await socket.closed()).code).toBe(4409);
      expect(gateway.log().join('\n')).not.toContain('websocket event');
    },
  );

  it('sends each subscriber its own id, with any characters', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { documentId state } }';
    const ids = ['plain', 'a "quoted" id,\n\u2028 \\ and {"type":"error"}'];
    for (const id of ids) socket.send({ type: 'subscribe', id, payload: { query } });
    const data = { malaysiaStatusChanged: { documentId: '1', state: 'QUEUED' } };
    for (const id of ids) expect(await socket.messageOf(id)).toEqual({ id, type: 'next', payload: { data } });
    for (const id of ids) socket.send({ type: 'complete', id });
    socket.send({ type: 'subscribe', id: 'last', payload: { query: '{ __typename }' } });
    expect(await socket.messageOf('last')).toMatchObject({ type: 'next' });
    socket.close();
  });

  it('sends each subscriber its own request id in an error that all of them get', async () => {
    service.will(does.json(401, {}));
    const query = 'subscription { malaysiaStatusChanged(documentId: "7") { state } }';
    const sockets = await Promise.all([openSocket(gateway), openSocket(gateway)]);
    for (const socket of sockets) {
      socket.send({ type: 'connection_init', payload: alice });
      await socket.message();
    }
    const [first, second] = sockets as [TestSocket, TestSocket];
    const subscribers = [
      { socket: first, id: '1' },
      { socket: first, id: '2' },
      { socket: second, id: '3' },
    ];
    for (const { socket, id } of subscribers) socket.send({ type: 'subscribe', id, payload: { query } });
    const requestIds: string[] = [];
    for (const { socket, id } of subscribers) {
      const { type, payload } = await socket.messageOf(id);
      expect(type).toBe('next');
      expect(payload.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
      requestIds.push(payload.errors[0].extensions.requestId);
    }
    expect(service.received.filter(({ path }) => path.endsWith('/7'))).toHaveLength(1);

    // Each is the id in the log line of its operation.
    const logged = () =>
      gateway
        .log()
        .map((line) => JSON.parse(line))
        .filter((line) => line.operation === 'subscription' && requestIds.includes(line.requestId))
        .map(({ requestId }) => requestId);
    await vi.waitFor(() => expect(logged().sort()).toEqual([...requestIds].sort()));
    expect(new Set(requestIds).size).toBe(3);
    for (const socket of sockets) socket.close();
    service.will(does.json(200, { status: 'queued' }));
  });

  it('sends the complete of each of 100 subscriptions after its last result, and nothing after that', async () => {
    const own = await startTestGateway({ UPSTREAM_URL: service.url });
    const socket = await openSocket(own);
    const received = new Map<string, string[]>();
    socket.raw.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data));
      const state = payload?.data?.malaysiaStatusChanged?.state;
      received.getOrInsertComputed(id, () => []).push(state ?? type);
    });
    socket.send({ type: 'connection_init', payload: alice });
    const query = 'subscription { malaysiaStatusChanged(documentId: "8") { state } }';
    const ids = Array.from({ length: 100 }, (_, index) => `s${index}`);
    for (const id of ids) socket.send({ type: 'subscribe', id, payload: { query } });
    for (const id of ids) await socket.messageOf(id);

    // The status that a query reads goes to all subscribers at once, and is final.
    service.will(does.json(200, { status: 'valid' }));
    await own.ask('{ malaysiaStatus(documentId: "8") { state } }');
    service.will(does.json(200, { status: 'queued' }));
    socket.send({ type: 'subscribe', id: 'last', payload: { query: '{ __typename }' } });
    await vi.waitFor(() => expect(received.get('last')).toEqual(['next', 'complete']));
    for (const id of ids) expect(received.get(id)).toEqual(['QUEUED', 'VALIDATED', 'complete']);
    socket.close();
    await own.close();
  });

  it('rejects an operation above its limit, and accepts one after another has completed', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    for (const id of ['1', '2', '3', '4']) socket.send({ type: 'subscribe', id, payload: { query } });
    expect(await socket.messageOf('4')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'RATE_LIMITED', retryable: true } }],
    });
    socket.send({ type: 'complete', id: '1' });
    socket.send({ type: 'subscribe', id: '5', payload: { query } });
    expect(await socket.messageOf('5')).toMatchObject({ type: 'next' });
    socket.close();
  });

  it('stays open after invalid operations', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const payloads = [
      { query: '' },
      { query: '{ __typename }', variables: {}, operationName: 'None' },
      { query: '{ a }' },
    ];
    for (const [index, payload] of payloads.entries())
      socket.send({ type: 'subscribe', id: `p${index}`, payload });
    for (const index of payloads.keys())
      expect(await socket.messageOf(`p${index}`)).toMatchObject({ type: 'error' });
    socket.close();
  });
});
