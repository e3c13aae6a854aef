/** A WebSocket keeps its credentials. Once the service has refused them, the client needs another one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { json, startService, type TestService } from '../support/service.ts';
import { openSocket, type TestSocket } from '../support/websocket.ts';

let service: TestService;
let gateway: TestGateway;
/** Documents whose status the service refuses with 401; of others it is queued. */
const refused = new Set<string>();
beforeAll(async () => {
  service = await startService((request, response) => {
    const [, id = ''] = /status\/(.+)$/.exec(request.url ?? '') ?? [];
    json(refused.has(id) ? 401 : 200, { status: 'queued' })(request, response);
  });
  gateway = await startTestGateway({
    UPSTREAM_URL: service.url,
    MALAYSIA_POLL_MIN_MS: '20',
    MALAYSIA_POLL_MAX_MS: '20',
  });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

async function connected(): Promise<TestSocket> {
  const socket = await openSocket(gateway);
  socket.send({ type: 'connection_init', payload: alice });
  await socket.message();
  return socket;
}

function watch(socket: TestSocket, id: string): void {
  const query = `subscription { malaysiaStatusChanged(documentId: "${id}") { state } }`;
  socket.send({ type: 'subscribe', id, payload: { query } });
}

/** Reads the messages of a subscription up to its end. */
async function endOf(socket: TestSocket, id: string): Promise<string | undefined> {
  let code: string | undefined;
  for (;;) {
    const { type, payload } = await socket.messageOf(id);
    if (type === 'complete') return code;
    code = payload.errors?.[0].extensions.code;
  }
}

describe('a WebSocket', () => {
  it('is closed with 4403 after the service refused its credentials for its only subscription', async () => {
    refused.add('11');
    const socket = await connected();
    watch(socket, '11');
    expect(await endOf(socket, '11')).toBe('UNAUTHENTICATED');
    expect(await socket.closed()).toEqual({ code: 4403, reason: 'Credentials refused' });
  });

  it('stays open while one of its subscriptions is not refused, and is closed after the last was', async () => {
    refused.add('21');
    const socket = await connected();
    watch(socket, '22');
    expect((await socket.messageOf('22')).payload.data).toEqual({
      malaysiaStatusChanged: { state: 'QUEUED' },
    });
    watch(socket, '21');
    expect(await endOf(socket, '21')).toBe('UNAUTHENTICATED');
    socket.send({ type: 'ping' });
    expect(await socket.message()).toEqual({ type: 'pong' });
    expect(socket.raw.readyState).toBe(socket.raw.OPEN);

    refused.add('22');
    expect(await endOf(socket, '22')).toBe('UNAUTHENTICATED');
    expect((await socket.closed()).code).toBe(4403);
  });

  it('stays open when the gateway misses a credential, which it says without a call to the service', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init' });
    await socket.message();
    const query = '{ mexicoValidation(by: { documentId: "1" }) { result } }';
    socket.send({ type: 'subscribe', id: 'q', payload: { query } });
    expect(await endOf(socket, 'q')).toBe('UNAUTHENTICATED');
    socket.send({ type: 'ping' });
    expect(await socket.message()).toEqual({ type: 'pong' });
    expect(service.received.filter(({ path }) => path.includes('mexico'))).toEqual([]);
    socket.close();
  });
});
