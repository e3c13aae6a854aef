/** The whole client: normalised cache, safe retries, HTTP for operations, one WebSocket for subscriptions. */
import { Client, subscriptionExchange } from '@urql/core';
import { hashOfDocuments, type PersistedOption } from './persisted.ts';
import { operationOf } from './request.ts';
import type { Session } from './session.ts';
import { createSocket, type SocketSink } from './socket.ts';
import { strictCacheExchange } from './urql/cache.ts';
import { sendExchange } from './urql/send.ts';

/** One for each session: a cache must not outlive its caller. */
export function createUrqlClient(url: string, session: Session, { persisted }: PersistedOption = {}): Client {
  const hashOf = hashOfDocuments(persisted);
  const socket = createSocket(url, session);
  return new Client({
    url,
    // The service can change a state at any time: show the cached value, and send each read.
    requestPolicy: 'cache-and-network',
    exchanges: [
      strictCacheExchange,
      sendExchange(url, session, hashOf),
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables, extensions }, { query: document }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              {
                query,
                variables,
                extensions: { ...extensions, ...operationOf(document, hashOf).extensions },
              },
              sink as SocketSink,
            ),
          }),
        }),
      }),
    ],
  });
}

export { scanWithProgress } from './urql/upload-with-progress.ts';
