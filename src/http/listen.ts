import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';

/** Resolves with the port that is in use: the given one, or the one that the system chose for 0. */
export async function listen(server: Server, { host, port }: Config['listen']): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
