import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

describe('connections', () => {
  it('are at most MAX_SOCKETS WebSockets and event streams', async () => {
    const small = await startTestGateway({ UPSTREAM_URL: service.url, MAX_SOCKETS: '2' });
    const sockets = [await openSocket(small), await openSocket(small)];
    await expect(openSocket(small)).rejects.toThrow(/503/);
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    const stream = await fetch(`${small.url}?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'text/event-stream', 'x-graphql-yoga-csrf': '1' },
    });
    expect(await stream.text()).toContain('RATE_LIMITED');
    for (const socket of sockets) socket.close();
    await small.close();
  });

  it('that send nothing do not block the requests of other connections', async () => {
    const { hostname, port } = new URL(gateway.url);
    const idle = Array.from({ length: 500 }, () => connect(Number(port), hostname));
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await gateway.ask('{ __typename }')).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});
