/** The whole client: normalised cache, safe retries, HTTP for operations, one WebSocket for subscriptions. */
import { Client } from '@urql/core';
import { hashOfDocuments, type PersistedOption } from './persisted.ts';
import type { Session } from './session.ts';
import { createSocket } from './socket.ts';
import { strictCacheExchange } from './urql/cache.ts';
import { sendExchange } from './urql/send.ts';
import { socketExchange } from './urql/subscription.ts';

/** One for each session: a cache must not outlive its caller. */
export function createUrqlClient(url: string, session: Session, { persisted }: PersistedOption = {}): Client {
  const hashOf = hashOfDocuments(persisted);
  return new Client({
    url,
    // The service can change a state at any time: show the cached value, and send each read.
    requestPolicy: 'cache-and-network',
    exchanges: [
      strictCacheExchange,
      sendExchange(url, session, hashOf),
      socketExchange(createSocket(url, session), hashOf),
    ],
  });
}

export { scanWithProgress } from './urql/upload-with-progress.ts';
