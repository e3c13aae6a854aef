/** The whole client: normalised cache, careful retries, HTTP for operations, one WebSocket for subscriptions. */
import { Client, fetchExchange } from '@urql/core';
import type { Session } from '../session.ts';
import { createSocket } from '../socket.ts';
import { strictCacheExchange } from './cache.ts';
import { safeRetryExchange } from './retry.ts';
import { socketExchange } from './subscription.ts';

/** One for each session: a cache must not outlive its caller. */
export function createUrqlClient(url: string, session: Session): Client {
  return new Client({
    url,
    // The service changes what it reports: show what the cache has, and ask each time.
    requestPolicy: 'cache-and-network',
    // Variables hold personal data, and addresses end up in logs.
    preferGetMethod: false,
    // The second header says that no foreign page sent this; uploads need it.
    fetchOptions: () => ({ headers: { ...session.credentials(), 'x-graphql-yoga-csrf': '1' } }),
    exchanges: [
      strictCacheExchange,
      safeRetryExchange,
      fetchExchange,
      socketExchange(createSocket(url, session)),
    ],
  });
}
