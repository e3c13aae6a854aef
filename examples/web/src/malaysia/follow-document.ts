import type { Client } from '@urql/core';
import { type Failure, failureOf } from '../gateway/failure.ts';
import { type DocumentStatusFragment, FollowMalaysiaDocumentDocument } from '../graphql/graphql.ts';

/** The last status of a document, and the failure that ended its watch, if one did. */
export interface LiveStatus {
  readonly status: DocumentStatusFragment | null;
  readonly failure: Failure | null;
}

/** Pause between a subscription that ended early and the next (ms). */
const restartMs = 2_000;

/**
 * Follows one document until it is final. Returns a function that stops. The client handles a lost socket. A
 * subscription that ends earlier, for example after the gateway's longest duration, is started again.
 */
export function followDocument(
  client: Client,
  documentId: string,
  onChange: (live: LiveStatus) => void,
): () => void {
  let status: DocumentStatusFragment | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let subscription: { unsubscribe(): void } | undefined;

  function start() {
    subscription = client
      .subscription(FollowMalaysiaDocumentDocument, { documentId })
      .subscribe(({ data, error, hasNext }) => {
        if (error) {
          const failure = failureOf(error);
          onChange({ status, failure });
          if (failure.retryable) restart(failure.retryAfterMs ?? restartMs);
          return;
        }
        status = data?.malaysiaStatusChanged ?? status;
        onChange({ status, failure: null });
        if (!hasNext && status?.isFinal !== true) restart(restartMs);
      });
  }

  function restart(afterMs: number) {
    timer = setTimeout(start, afterMs);
  }

  start();
  return () => {
    clearTimeout(timer);
    subscription?.unsubscribe();
  };
}
