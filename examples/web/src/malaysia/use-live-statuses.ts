import { createLiveStatuses, type LiveStatus as Status } from '@folio/client';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Failure, failureFrom } from '../gateway/failure.ts';
import { useGateway } from '../gateway/GatewayProvider.tsx';

export type MalaysiaState = Status['state'];

/** The last status of a document, or why it cannot be watched. */
export interface LiveStatus {
  readonly status: Status | null;
  readonly failure: Failure | null;
}

/** Watches all documents over the page's socket, until the view is closed or the credentials change. */
export function useLiveStatuses(documentIds: readonly string[]): ReadonlyMap<string, LiveStatus> {
  const { subscribe } = useGateway();
  const live = useMemo(() => createLiveStatuses(subscribe), [subscribe]);
  useEffect(() => () => live.set([]), [live]);
  useEffect(() => live.set(documentIds), [live, documentIds]);
  const statuses = useSyncExternalStore(live.onChange, live.current);
  return useMemo(() => new Map([...statuses].map(([id, status]) => [id, liveStatusOf(status)])), [statuses]);
}

function liveStatusOf(status: Status): LiveStatus {
  const { problem } = status;
  if (problem === null) return { status, failure: null };
  const { code, message, retryable } = problem;
  return { status: null, failure: failureFrom(message, { code, retryable, sideEffect: 'NONE' }) };
}
