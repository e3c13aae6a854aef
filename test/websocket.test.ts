import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, startTestGateway, type TestGateway } from './support/gateway.ts';
import * as does from './support/service.ts';
import { openSocket } from './support/websocket.ts';

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
  it.each<[string, (socket: Awaited<ReturnType<typeof openSocket>>) => void, number]>([
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
    ['that never sends connection_init', () => {}, 4408],
  ])('%s is closed with the code of the protocol', async (_title, misbehave, code) => {
    const socket = await openSocket(gateway);
    misbehave(socket);
    expect((await socket.closed()).code).toBe(code);
  });

  it('that uses an id twice at a time is closed with 4409', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    for (const _ of [1, 2]) socket.send({ type: 'subscribe', id: 'same', payload: { query } });
    expect((await socket.closed()).code).toBe(4409);
  });

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
