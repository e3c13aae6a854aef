/** The whole client: normalised cache, careful retries, HTTP for operations, one WebSocket for subscriptions. */
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { possibleTypes } from '../entities.ts';
import type { Session } from '../session.ts';
import { createSocket } from '../socket.ts';
import { createSafeRetryLink } from './retry.ts';
import { splitSubscriptions } from './subscription.ts';
import { splitUploads } from './upload-with-progress.ts';

// A root field that fails is null beside the answers of the others: keep those, and the error with them.
const errorPolicy = 'all';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface Query {
        errorPolicy: typeof errorPolicy;
      }
      interface Mutate {
        errorPolicy: typeof errorPolicy;
      }
      interface WatchQuery {
        errorPolicy: typeof errorPolicy;
      }
    }
  }
}

/** One for each session: a cache must not outlive its caller. */
export function createApolloClient(url: string, session: Session): ApolloClient {
  const withCredentials = new SetContextLink(() => ({ headers: session.credentials() }));
  const http = ApolloLink.from([withCredentials, new HttpLink({ uri: url })]);
  const operations = ApolloLink.from([createSafeRetryLink(), splitUploads(url, session, http)]);
  return new ApolloClient({
    link: splitSubscriptions(createSocket(url, session), operations),
    cache: new InMemoryCache({ possibleTypes }),
    defaultOptions: { query: { errorPolicy }, mutate: { errorPolicy }, watchQuery: { errorPolicy } },
  });
}
