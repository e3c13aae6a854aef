/** Queries and mutations of Apollo Client, sent like those of all other clients: safe retries, renewal, and files. */
import { ApolloLink, Observable } from '@apollo/client';
import { filterOperationVariables } from '@apollo/client/link/utils';
import { print } from 'graphql';
import type { OnProgress } from '../fetch-with-progress.ts';
import { createSend } from '../request.ts';
import type { Session } from '../session.ts';

/** What an operation may set in its `context`: `onProgress`, and what it sets for `HttpLink` too. */
interface Context {
  readonly onProgress?: OnProgress;
  /** Another address than the client's. */
  readonly uri?: string;
  /** Next to the session's credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials;
  readonly fetchOptions?: RequestInit;
}

export function createSendLink(url: string, session: Session): ApolloLink {
  const send = createSend(url, session);
  return new ApolloLink(
    ({
      operationType: kind,
      operationName,
      query: document,
      variables,
      extensions,
      getContext,
      setContext,
    }) =>
      new Observable((observer) => {
        const cancel = new AbortController();
        const { onProgress, uri, headers, credentials, fetchOptions } = getContext() as Context;
        const query = extensions['persistedQuery'] ? undefined : print(document);
        const operation = { kind, document, body: { query, operationName, extensions } };
        send(operation, filterOperationVariables(variables, document), {
          url: uri,
          onProgress,
          fetchOptions: {
            ...fetchOptions,
            headers: { ...recordOf(fetchOptions?.headers), ...recordOf(headers) },
            ...(credentials && { credentials }),
          },
          signal: cancel.signal,
        })
          .then(({ errors, response, ...result }) => {
            setContext({ response });
            observer.next({ ...result, ...(errors.length > 0 && { errors }) } as ApolloLink.Result);
            observer.complete();
          })
          .catch((error: unknown) => observer.error(error));
        return () => cancel.abort();
      }),
  );
}

/** With names in lower case. */
function recordOf(headers: HeadersInit | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}
