/** A scan with a progress bar, and the link that sends files as a multipart request. */
import { type ApolloClient, ApolloLink, Observable } from '@apollo/client';
import { print } from 'graphql';
import { fetchWithProgress, type OnProgress } from '../fetch-with-progress.ts';
import { ScanIdentityCardDocument } from '../gql/graphql.ts';
import { readResponse, redirect } from '../graphql-response.ts';
import { hasFile, multipartOf } from '../multipart.ts';

/** With the key a scan can be sent again after its connection was lost, and is done once. */
export function scanWithProgress(client: ApolloClient, file: File, queueId: string, onProgress: OnProgress) {
  const input = { file, queueId, idempotencyKey: crypto.randomUUID() };
  return client.mutate({ mutation: ScanIdentityCardDocument, variables: { input }, context: { onProgress } });
}

interface Context {
  readonly onProgress?: OnProgress;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends operations with a file anywhere in their variables as multipart requests; all others are forwarded to `http`. */
export function splitUploads(url: string, http: ApolloLink): ApolloLink {
  const upload = new ApolloLink(
    (operation) =>
      new Observable((observer) => {
        const cancel = new AbortController();
        const { onProgress, headers: credentials } = operation.getContext() as Context;
        const send = onProgress ? fetchWithProgress(onProgress) : fetch;
        const { query, variables, extensions } = operation;
        const text = extensions['persistedQuery'] ? undefined : print(query);
        const body = multipartOf({ query: text, variables, extensions });
        // The second header proves that no page of another origin sent the request.
        const headers = { ...credentials, 'apollo-require-preflight': '1', accept };
        send(url, { method: 'POST', headers, body, redirect, signal: cancel.signal })
          .then(readResponse)
          .then(({ data, errors }) => {
            observer.next({ data, ...(errors.length > 0 && { errors }) } as ApolloLink.Result);
            observer.complete();
          })
          .catch((error: unknown) => observer.error(error));
        return () => cancel.abort();
      }),
  );
  return ApolloLink.split(({ variables }) => hasFile(variables), upload, http);
}

const accept = 'application/graphql-response+json';
