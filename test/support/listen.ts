import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';

export type Listening = Awaited<ReturnType<typeof listen>>;

/** Starts a server on a free port of this machine. */
export async function listen(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** Also destroys the connections of an HTTP server. */
    async close() {
      server.close();
      if (server instanceof HttpServer) server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Whether something listens on this port of this machine. */
export async function isListening(port: number | string): Promise<boolean> {
  const socket = connect(Number(port), '127.0.0.1');
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return await connected.finally(() => socket.destroy());
}
