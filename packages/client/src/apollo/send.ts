/** Queries and mutations of Apollo Client, sent like those of all other clients: safe retries, renewal, and files. */
import { ApolloLink, Observable } from '@apollo/client';
import { print } from 'graphql';
import type { OnProgress } from '../fetch-with-progress.ts';
import { createSend } from '../request.ts';
import type { Session } from '../session.ts';

interface Context {
  readonly onProgress?: OnProgress;
  readonly fetchOptions?: RequestInit;
}

export function createSendLink(url: string, session: Session): ApolloLink {
  const send = createSend(url, session);
  return new ApolloLink(
    ({ operationType: kind, query: document, variables, extensions, getContext }) =>
      new Observable((observer) => {
        const cancel = new AbortController();
        const { onProgress, fetchOptions } = getContext() as Context;
        const query = extensions['persistedQuery'] ? undefined : print(document);
        const operation = { kind, document, body: { query, extensions } };
        send(operation, variables, { onProgress, fetchOptions, signal: cancel.signal })
          .then(({ errors, ...result }) => {
            observer.next({ ...result, ...(errors.length > 0 && { errors }) } as ApolloLink.Result);
            observer.complete();
          })
          .catch((error: unknown) => observer.error(error));
        return () => cancel.abort();
      }),
  );
}
