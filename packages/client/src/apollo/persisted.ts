/** Adds hashes, which are sent instead of texts, over HTTP and over the WebSocket. */
import { ApolloLink } from '@apollo/client';
import { hashOfDocuments, type PersistedOption } from '../persisted.ts';
import { operationOf } from '../request.ts';

export function createPersistedLink({ persisted }: PersistedOption): ApolloLink {
  const hashOf = hashOfDocuments(persisted);
  return new ApolloLink((operation, forward) => {
    Object.assign(operation.extensions, operationOf(operation.query, hashOf).extensions);
    return forward(operation);
  });
}
