/** The whole client: normalised cache, safe retries, HTTP for operations, one WebSocket for subscriptions. */
import { ApolloClient, ApolloLink, defaultDataIdFromObject, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import type { Client } from 'graphql-ws';
import { createSendLink } from './apollo/send.ts';
import { hashOfDocuments, type PersistedOption } from './persisted.ts';
import { operationOf } from './request.ts';
import { possibleTypes } from './schema.ts';
import type { Session } from './session.ts';
import { createSocket } from './socket.ts';
import { isUnreadState } from './unread-state.ts';

/**
 * A read with errors is not cached: the cache would keep null for a failed field, and null without an error has a
 * separate meaning, such as "never validated". The fields that did not fail are in `error.data`. The service
 * can change a state at any time, so each read is sent; a watched query first delivers the cached value.
 */
const reads = { errorPolicy: 'none' } as const;

/** A write delivers the fields that did not fail next to the errors, and caches nothing, for the same reason. */
const writes = { errorPolicy: 'all', fetchPolicy: 'no-cache' } as const;

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface Query {
        errorPolicy: typeof reads.errorPolicy;
      }
      interface WatchQuery {
        errorPolicy: typeof reads.errorPolicy;
      }
      interface Mutate {
        errorPolicy: typeof writes.errorPolicy;
      }
    }
  }
}

/** One for each session: a cache must not outlive its caller. */
export function createApolloClient(
  url: string,
  session: Session,
  { persisted }: PersistedOption = {},
): ApolloClient {
  const hashOf = hashOfDocuments(persisted);
  const addHash = new ApolloLink((operation, forward) => {
    Object.assign(operation.extensions, operationOf(operation.query, hashOf).extensions);
    return forward(operation);
  });
  return new ApolloClient({
    link: addHash.split(
      ({ operationType }) => operationType === 'subscription',
      // It subscribes, and calls nothing else.
      new GraphQLWsLink(createSocket(url, session) as Client),
      createSendLink(url, session),
    ),
    cache: new InMemoryCache({
      possibleTypes,
      dataIdFromObject: (object) => (isUnreadState(object) ? undefined : defaultDataIdFromObject(object)),
    }),
    defaultOptions: {
      query: { ...reads, fetchPolicy: 'network-only' },
      watchQuery: { ...reads, fetchPolicy: 'cache-and-network' },
      mutate: writes,
    },
  });
}

export { scanWithProgress } from './apollo/upload-with-progress.ts';
