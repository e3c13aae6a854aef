/** Sends hashes instead of texts, over HTTP and over the WebSocket. */
import { ApolloLink } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { hashOfDocuments, type PersistedOption } from '../persisted.ts';

export function createPersistedLink(persisted: PersistedOption['persisted']): ApolloLink {
  const hashOf = hashOfDocuments(persisted);
  const hashes = new PersistedQueryLink({
    generateHash: (document) => hashOf(document) as string,
    // The text is never sent instead of an unknown hash: a gateway with PERSISTED_OPERATIONS_ONLY would refuse it.
    retry: () => false,
    disable: () => false,
  });
  return ApolloLink.split(({ query }) => hashOf(query) !== undefined, hashes);
}
