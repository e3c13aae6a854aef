/** A WebSocket keeps its credentials. Once the service has refused them, the client needs another one. */
import { describe, expect, it } from 'vitest';
import { quickPolls } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { json } from '../support/service.ts';
import { connectedSocket, type TestSocket } from '../support/websocket.ts';

/** Documents whose status the service refuses with 401; of others it is queued. */
const refused = new Set<string>();
const { service, gateway } = await gatewayWith(quickPolls, (request, response) => {
  const [, id = ''] = /status\/(.+)$/.exec(request.url ?? '') ?? [];
  json(refused.has(id) ? 401 : 200, { status: 'queued' })(request, response);
});

const watch = (socket: TestSocket, id: string) =>
  socket.subscribe(id, `subscription { malaysiaStatusChanged(documentId: "${id}") { state } }`);

/** Reads the messages of a subscription up to its end. */
async function endOf(socket: TestSocket, id: string): Promise<string | undefined> {
  let code: string | undefined;
  for (;;) {
    const { type, payload } = await socket.messageOf(id);
    if (type === 'complete') return code;
    code = payload.errors?.[0].extensions.code;
  }
}

async function expectOpen(socket: TestSocket): Promise<void> {
  socket.send({ type: 'ping' });
  expect(await socket.message()).toEqual({ type: 'pong' });
  expect(socket.raw.readyState).toBe(socket.raw.OPEN);
}

describe('a WebSocket', () => {
  it('stays open while one of its subscriptions is not refused, and is closed with 4403 after the last was', async () => {
    refused.add('21');
    const socket = await connectedSocket(gateway);
    watch(socket, '22');
    const data = { malaysiaStatusChanged: { state: 'QUEUED' } };
    expect((await socket.messageOf('22')).payload).toEqual({ data });
    watch(socket, '21');
    expect(await endOf(socket, '21')).toBe('UNAUTHENTICATED');
    await expectOpen(socket);

    refused.add('22');
    expect(await endOf(socket, '22')).toBe('UNAUTHENTICATED');
    expect(await socket.closed()).toEqual({ code: 4403, reason: 'Credentials refused' });
  });

  it('stays open when the gateway misses a credential, which it says without a call to the service', async () => {
    const socket = forTest(await connectedSocket(gateway, {}));
    socket.subscribe('q', '{ mexicoValidation(by: { documentId: "1" }) { result } }');
    expect(await endOf(socket, 'q')).toBe('UNAUTHENTICATED');
    await expectOpen(socket);
    expect(service.received.filter(({ path }) => path.includes('mexico'))).toEqual([]);
  });
});
