/** Responses to requests whose bodies are still arriving: the rest of the body is read and dropped. */
import { requestBytes } from '../request-head.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';

/** Most bytes that are read and dropped after the outcome is known: 64 MiB. */
const maxBytes = 64 * 1024 * 1024;
/** Longest time for them, and longest time without one of them (ms): 1 minute and 2 seconds. */
const maxMs = 60_000;
const maxIdleMs = 2_000;
/** Longest response that waits for them (characters). Longer ones are sent immediately. */
const maxHeldLength = 16_384;

type BodyExchange = Pick<GraphQLHttpRequest, 'request' | 'response' | 'holdBody' | 'restDropped'>;

/**
 * Reads and drops the rest of a request that gets its response early, within its bounds; beyond them the request is
 * destroyed once its response is sent. If the connection were closed immediately, a client that is still writing would
 * fail before it reads the response. The request counts as a body meanwhile: `since` its beginning, or else all others would be
 * dropped before it. Resolves when nothing more is read.
 */
export function discardRest(http: BodyExchange, since = 0): Promise<void> {
  http.restDropped ??= discardOnce(http, since);
  return http.restDropped;
}

function discardOnce(http: BodyExchange, since: number): Promise<void> {
  const { request, response } = http;
  if (request.complete || request.destroyed) return Promise.resolve();
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  const share = http.holdBody(() => stop(), true);
  share.startedAt = since;
  const idle = setTimeout(stop, maxIdleMs);
  const deadline = setTimeout(stop, maxMs);
  let bytes = 0;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) stop();
    else idle.refresh();
  });
  request.on('postponed', () => idle.refresh());
  request.once('end', stop).once('close', stop).resume();
  share.hold(requestBytes(request));
  return promise.then(() => {
    share.close();
    clearTimeout(idle);
    clearTimeout(deadline);
    if (request.complete) return;
    if (response.writableFinished) request.destroy();
    else response.once('finish', () => request.destroy());
  });
}

/**
 * Returns undefined when a response can be sent now, or a promise that resolves when the rest of its request is dropped.
 * Browsers read no response while they send a file, and proxies such as Vite's lose one that arrives while they forward a
 * file. `length`: of the response.
 */
export function restDropped(http: BodyExchange, length: number): Promise<void> | undefined {
  return http.request.complete || length > maxHeldLength ? undefined : discardRest(http);
}
