/** The connections to the service: a pool of undici, through a proxy or to the sandbox in the same process. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { Config } from '../config/config.ts';
import { boundFraming } from './response-framing.ts';

/** Time limit for a connection to the service or the proxy, and for a tunnel through it (ms). */
const connectTimeoutMs = 5_000;

/**
 * A client whose connections accept `100 Continue` and bound what a response has besides its body. Each kind of proxy has a
 * connector of its own, and a diagnostics channel has the connections of other programs in the process too.
 */
function createClient(origin: URL, options: Client.Options): Client {
  const client = new Client(origin, options);
  client.on('connect', () => {
    const key = Object.getOwnPropertySymbols(client).find(({ description }) => description === 'socket');
    const socket = (client as unknown as Record<symbol, Socket>)[key as symbol] as Socket;
    boundFraming(socket, client);
  });
  return client;
}

/** The connections of HTTP/2 have no parser whose responses could be bounded. */
function createPool(origin: string | URL, options: Pool.Options): Pool {
  return new Pool(origin, { ...options, allowH2: false, factory: createClient });
}

export type ConnectInProcess = () => Duplex;

/**
 * Creates the connection pool to the service at `origin`, through the configured proxy if there is one. `connect`: instead
 * of a connection over the network.
 */
export function createDispatcher(
  { upstream: { target, connections } }: Config,
  { origin }: URL,
  connect?: ConnectInProcess,
): Dispatcher {
  const options = { connections, pipelining: 1, connect: { timeout: connectTimeoutMs } };
  if (connect) {
    return createPool(origin, {
      ...options,
      // undici uses the members of `Duplex` only.
      connect: (_options, done) => queueMicrotask(() => done(null, connect() as Socket)),
    });
  }
  const proxy = target.kind === 'remote' ? target.proxy : undefined;
  if (!proxy) return createPool(origin, options);
  return new EnvHttpProxyAgent({
    ...options,
    factory: createPool,
    // The connections to a proxy with TLS are made by a connector of undici's own.
    proxyTls: { allowH2: false },
    // undici waits twice as long for a connection to a proxy, and five minutes for a tunnel, with the slots of the calls.
    connectTimeout: connectTimeoutMs,
    clientFactory: (proxyOrigin, proxyOptions) =>
      createPool(proxyOrigin, { ...proxyOptions, headersTimeout: connectTimeoutMs }),
    // undici takes one that is absent, and not an empty one, from the environment of the process.
    httpProxy: proxy.http?.href ?? '',
    httpsProxy: proxy.https?.href ?? '',
    noProxy: proxy.except,
  });
}
