/** A scan with a progress bar. */
import type { ApolloClient } from '@apollo/client';
import type { OnProgress } from '../fetch-with-progress.ts';
import { ScanIdentityCardDocument } from '../gql/graphql.ts';
import { newKey } from '../writes.ts';

/**
 * With the key a scan can be sent again after its connection was lost, and is done once. Pass the same key when the user repeats a
 * scan that failed: under another one the file is scanned again.
 */
export function scanWithProgress(
  client: ApolloClient,
  file: File,
  queueId: string,
  onProgress: OnProgress,
  idempotencyKey: string = newKey(),
) {
  const input = { file, queueId, idempotencyKey };
  return client.mutate({ mutation: ScanIdentityCardDocument, variables: { input }, context: { onProgress } });
}
