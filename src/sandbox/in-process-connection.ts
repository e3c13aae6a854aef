/** Connections to an HTTP server in the same process, without a socket. */
import type { Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** Connects to the server, and returns the client's end. Each end is closed with the other. */
export function connectTo(server: Server): Duplex {
  const [client, connection] = duplexPair();
  client.once('close', () => connection.destroy());
  connection.once('close', () => client.destroy());
  const resetAndDestroy = () => {
    client.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  };
  server.emit('connection', Object.assign(connection, { resetAndDestroy }));
  return client;
}
