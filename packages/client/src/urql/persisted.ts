/** Sends hashes instead of texts, over HTTP and over the WebSocket. */
import type { Exchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { hashOfDocuments, type PersistedOption } from '../persisted.ts';

export function persistedDocumentsExchange(persisted: PersistedOption['persisted']): Exchange {
  const hashOf = hashOfDocuments(persisted);
  return persistedExchange({
    generateHash: async (_text, document) => hashOf(document) ?? '',
    enableForMutation: true,
    enableForSubscriptions: true,
    // The text is never sent instead of an unknown hash: a gateway with PERSISTED_OPERATIONS_ONLY would refuse it.
    enforcePersistedQueries: true,
    // Variables contain personal data, and URLs are logged by proxies.
    preferGetForPersistedQueries: false,
  });
}
