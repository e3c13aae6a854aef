/** Listens on the port of a server: on several sockets where the system divides connections between them. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Server as NetServer } from 'node:net';
import { platform } from 'node:os';
import type { Config } from '../config/config.ts';

/**
 * Sockets that listen on one port. The process accepts one connection of each in a turn of the event loop, so that a new
 * connection does not wait for as many turns as there are others before it; and each has a queue of its own in the system.
 */
export const listeningSockets = platform() === 'linux' ? 64 : 1;

export type Listening = Awaited<ReturnType<typeof listen>>;

/**
 * Resolves when the server accepts connections, of which at most `maxConnections` are open; further ones are closed. Rejects
 * with EADDRINUSE when another program listens on the port.
 */
export async function listen(
  server: Server,
  { host, port }: Config['listen'],
  maxConnections = Number.POSITIVE_INFINITY,
) {
  boundConnections(server, maxConnections);
  if (listeningSockets > 1 && port !== 0) await checkIsFree({ host, port });
  const options = { reusePort: listeningSockets > 1 };
  const first = await open(server, { host, port, ...options });
  const others = Array.from({ length: listeningSockets - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  );
  const all = [server, ...others];
  try {
    for (const other of others) await open(other, { host: first.address, port: first.port, ...options });
  } catch (error) {
    for (const each of all) void close(each);
    server.closeAllConnections();
    throw error;
  }
  return {
    /** The given one, or the one that the system chose for 0. */
    port: first.port,
    /** Stops accepting connections. Resolves when all that were accepted have closed. */
    stop: () => Promise.all(all.map(close)),
  };
}

/** `server.maxConnections` bounds those of one socket that listens. */
function boundConnections(server: Server, most: number): void {
  let connections = 0;
  const onClose = () => (connections -= 1);
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', onClose);
    if (connections > most) socket.destroy();
  });
}

/** A port on which several sockets may listen is free for every program of the same user. */
async function checkIsFree(address: ListenOptions): Promise<void> {
  const server = createServer();
  await open(server, address);
  await close(server);
}

async function open(server: NetServer, options: ListenOptions): Promise<AddressInfo> {
  server.listen(options);
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

/** That of node:http would also close idle connections, on which a balancer may be sending a request. */
async function close(server: NetServer): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  await closed;
}
