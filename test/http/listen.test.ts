import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { listen, listeningSockets } from '../../src/http/listen.ts';

const host = '127.0.0.1';
afterEach(() => void vi.restoreAllMocks());

async function serverOn(port: number) {
  const server = createServer();
  const accepted = new Set<Socket>();
  server.on('connection', (socket) => accepted.add(socket));
  const listening = await listen(server, { host, port });
  onTestFinished(() => {
    void listening.stop();
    server.close();
    server.closeAllConnections();
  });
  return { accepted, ...listening };
}

async function clientsOf(port: number, count: number): Promise<readonly Socket[]> {
  const clients = Array.from({ length: count }, () => connect(port, host).on('error', () => {}));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
  });
  await Promise.all(clients.map((client) => once(client, 'connect')));
  return clients;
}

it.skipIf(listeningSockets === 1)(
  'accepts connections that wait in far fewer turns than there are',
  async () => {
    const { accepted, port } = await serverOn(0);
    // The system completes these connections while this turn of the event loop goes on.
    void clientsOf(port, 128);
    let turns = 0;
    for (; accepted.size < 128; turns += 1) await nextTurn();
    expect(turns).toBeLessThan(32);
  },
);

it('rejects where another server listens that divides its connections too', async () => {
  const { port } = await serverOn(0);
  await expect(serverOn(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('listens on no socket when a later one cannot be opened, and rejects with its error', async () => {
  const { listen: open } = Server.prototype;
  const refusal = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const opened: Server[] = [];
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...options: unknown[]) {
    opened.push(this);
    if (opened.length < listeningSockets) return open.apply(this, options as [unknown]);
    process.nextTick(() => this.emit('error', refusal));
    return this;
  });
  await expect(serverOn(0)).rejects.toBe(refusal);
  expect(opened.filter(({ listening }) => listening)).toEqual([]);
});

it('stops when the connections that any of its sockets has accepted have closed', async () => {
  const { accepted, port, stop } = await serverOn(0);
  const clients = await clientsOf(port, 40);
  while (accepted.size < 40) await nextTurn();
  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await expect(clientsOf(port, 1)).rejects.toThrow();
  for (const client of clients.slice(1)) client.destroy();
  await Promise.all(clients.slice(1).map((client) => client.closed || once(client, 'close')));
  expect(hasStopped).toBe(false);
  clients[0]?.destroy();
  await stopped;
});
