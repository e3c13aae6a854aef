/** The whole client: normalised cache, safe retries, HTTP for operations, one WebSocket for subscriptions. */
import { Client, fetchExchange } from '@urql/core';
import { redirect } from './graphql-response.ts';
import type { PersistedOption } from './persisted.ts';
import type { Session } from './session.ts';
import { createSocket } from './socket.ts';
import { strictCacheExchange } from './urql/cache.ts';
import { persistedDocumentsExchange } from './urql/persisted.ts';
import { renewalExchange } from './urql/renewal.ts';
import { safeRetryExchange } from './urql/retry.ts';
import { socketExchange } from './urql/subscription.ts';

/** One for each session: a cache must not outlive its caller. */
export function createUrqlClient(
  url: string,
  session: Session,
  { persisted = false }: PersistedOption = {},
): Client {
  return new Client({
    url,
    // The service can change a state at any time: show the cached value, and send each read.
    requestPolicy: 'cache-and-network',
    // Variables contain personal data, and URLs are logged by proxies.
    preferGetMethod: false,
    // Proves that no page of another origin sent the request; uploads need it. `renewalExchange` adds the credentials.
    fetchOptions: { headers: { 'x-graphql-yoga-csrf': '1' }, redirect },
    exchanges: [
      strictCacheExchange,
      safeRetryExchange,
      renewalExchange(session),
      ...(persisted ? [persistedDocumentsExchange(persisted)] : []),
      fetchExchange,
      socketExchange(createSocket(url, session)),
    ],
  });
}

export { scanWithProgress } from './urql/upload-with-progress.ts';
