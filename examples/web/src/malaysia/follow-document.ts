import type { Client } from '@urql/core';
import { type Failure, failureOf } from '../gateway/failure.ts';
import { type DocumentStatusFragment, FollowMalaysiaDocumentDocument } from '../graphql/graphql.ts';

/** What is known of a document: its last status, and why no other will come where none will. */
export interface LiveStatus {
  readonly status: DocumentStatusFragment | null;
  readonly failure: Failure | null;
}

/** Between a subscription that ended too early and the next (ms). */
const restartMs = 2_000;

/**
 * Follows one document until its end; returns how to stop. A lost socket is the client's business and is not seen
 * here. A subscription that ends before the document does, as the gateway's longest watch makes it, is begun again.
 */
export function followDocument(
  client: Client,
  documentId: string,
  onChange: (live: LiveStatus) => void,
): () => void {
  let status: DocumentStatusFragment | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let subscription: { unsubscribe(): void } | undefined;

  function begin() {
    subscription = client
      .subscription(FollowMalaysiaDocumentDocument, { documentId })
      .subscribe(({ data, error, hasNext }) => {
        if (error) {
          const failure = failureOf(error);
          onChange({ status, failure });
          if (failure.retryable) beginAgain(failure.retryAfterMs ?? restartMs);
          return;
        }
        status = data?.malaysiaStatusChanged ?? status;
        onChange({ status, failure: null });
        if (!hasNext && status?.isFinal !== true) beginAgain(restartMs);
      });
  }

  function beginAgain(afterMs: number) {
    timer = setTimeout(begin, afterMs);
  }

  begin();
  return () => {
    clearTimeout(timer);
    subscription?.unsubscribe();
  };
}
