/** The whole client: normalised cache, safe retries, HTTP for operations, one WebSocket for subscriptions. */
import { ApolloClient, ApolloLink, defaultDataIdFromObject, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { graphqlOnly } from './apollo/graphql-only.ts';
import { createPersistedLink } from './apollo/persisted.ts';
import { createRenewalLink } from './apollo/renewal.ts';
import { createSafeRetryLink } from './apollo/retry.ts';
import { splitSubscriptions } from './apollo/subscription.ts';
import { splitUploads } from './apollo/upload-with-progress.ts';
import { redirect } from './graphql-response.ts';
import type { PersistedOption } from './persisted.ts';
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
  { persisted = false }: PersistedOption = {},
): ApolloClient {
  const withCredentials = new SetContextLink(() => ({ headers: session.credentials() }));
  const http = splitUploads(url, new HttpLink({ uri: url, fetchOptions: { redirect } }));
  const operations = ApolloLink.from([
    createRenewalLink(session),
    createSafeRetryLink(),
    withCredentials,
    graphqlOnly,
    http,
  ]);
  const transports = splitSubscriptions(createSocket(url, session), operations);
  return new ApolloClient({
    link: persisted ? ApolloLink.from([createPersistedLink(persisted), transports]) : transports,
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
