/** Sends hashes instead of texts, over HTTP and over the WebSocket. */
import { ApolloLink } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { persistedHashOf } from '../shared/persisted.ts';

export function createPersistedLink(): ApolloLink {
  const hashes = new PersistedQueryLink({
    generateHash: (document) => persistedHashOf(document) as string,
    // The text is never sent instead of an unknown hash: a gateway with PERSISTED_OPERATIONS_ONLY would refuse it.
    retry: () => false,
    disable: () => false,
  });
  return ApolloLink.split(({ query }) => persistedHashOf(query) !== undefined, hashes);
}
