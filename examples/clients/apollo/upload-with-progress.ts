/** A scan with a progress bar, and the link that sends files as a multipart request. */
import { type ApolloClient, ApolloLink, Observable } from '@apollo/client';
import { print } from 'graphql';
import { fetchWithProgress, type OnProgress } from '../fetch-with-progress.ts';
import { ScanIdentityCardDocument } from '../gql/graphql.ts';
import type { Session } from '../session.ts';

/** The key lets a scan be sent again after its connection was lost, and be done once. */
export function scanWithProgress(client: ApolloClient, file: File, queueId: string, onProgress: OnProgress) {
  const input = { file, queueId, idempotencyKey: crypto.randomUUID() };
  return client.mutate({ mutation: ScanIdentityCardDocument, variables: { input }, context: { onProgress } });
}

/** Operations with a file in `input.file`; all else goes on to `http`. */
export function splitUploads(url: string, session: Session, http: ApolloLink): ApolloLink {
  const upload = new ApolloLink(
    (operation) =>
      new Observable((observer) => {
        const cancel = new AbortController();
        const { onProgress = () => {} } = operation.getContext();
        // The second header says that no foreign page sent this.
        const headers = { ...session.credentials(), 'apollo-require-preflight': '1', accept };
        const request = { method: 'POST', headers, body: multipartOf(operation), signal: cancel.signal };
        fetchWithProgress(onProgress)(url, request)
          .then((response) => response.json())
          .then((result) => {
            observer.next(result);
            observer.complete();
          })
          .catch((error: unknown) => observer.error(error));
        return () => cancel.abort();
      }),
  );
  return ApolloLink.split(({ variables }) => variables['input']?.file instanceof File, upload, http);
}

const accept = 'application/graphql-response+json';

function multipartOf({ query, variables }: ApolloLink.Operation): FormData {
  const { file, ...input } = variables['input'] as { file: File };
  const body = new FormData();
  const operation = { query: print(query), variables: { input: { ...input, file: null } } };
  body.set('operations', JSON.stringify(operation));
  body.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  body.set('0', file, file.name);
  return body;
}
