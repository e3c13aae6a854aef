import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { Config } from '../config/config.ts';
import { acceptContinue } from './interim-responses.ts';

/** Time limit for a connection to the service or the proxy (ms). */
const connectTimeoutMs = 5_000;

/** Creates the connection pool to the service at `origin`, through the configured proxy if there is one. */
export function createDispatcher({ upstream: { target, connections } }: Config, { origin }: URL): Dispatcher {
  acceptContinue();
  const options = { connections, pipelining: 1, allowH2: false, connect: { timeout: connectTimeoutMs } };
  const proxy = target.kind === 'remote' ? target.proxy : undefined;
  if (!proxy) return new Pool(origin, options);
  return new EnvHttpProxyAgent({
    ...options,
    ...(proxy.http && { httpProxy: proxy.http.href }),
    ...(proxy.https && { httpsProxy: proxy.https.href }),
    noProxy: proxy.except,
  });
}
