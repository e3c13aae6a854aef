/** A scan with a progress bar. */
import type { Client } from '@urql/core';
import { fetchWithProgress, type OnProgress } from '../fetch-with-progress.ts';
import { ScanIdentityCardDocument } from '../gql/graphql.ts';
import { newKey } from '../writes.ts';

/** With the key a scan can be sent again after its connection was lost, and is done once. */
export function scanWithProgress(client: Client, file: File, queueId: string, onProgress: OnProgress) {
  const input = { file, queueId, idempotencyKey: newKey() };
  return client
    .mutation(ScanIdentityCardDocument, { input }, { fetch: fetchWithProgress(onProgress) })
    .toPromise();
}
