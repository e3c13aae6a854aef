/** The current status of any number of documents, as a store: subscriptions take at most 100 of them each. */
import { MalaysiaStatusesChangedDocument, type StatusFragment } from './gql/graphql.ts';
import type { WriteError } from './list-of-writes.ts';
import type { Subscribe } from './subscribe.ts';

export type LiveStatus = StatusFragment;

export interface LiveStatuses {
  /** Watches these documents and no others; documents that were watched before keep their status. */
  set(documentIds: readonly string[]): void;
  /** The last status of each document by its id. A new map after each change, and the same one until then. */
  current(): ReadonlyMap<string, LiveStatus>;
  /** Calls back after each change; returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

/** Most documents of one subscription. */
const maxDocuments = 100;
/** Longest delay before documents are subscribed to again after an error (ms). */
const longestDelayMs = 30_000;

interface Part {
  readonly documentIds: ReadonlySet<string>;
  stop: () => void;
}

export function createLiveStatuses(subscribe: Subscribe): LiveStatuses {
  const parts = new Set<Part>();
  const listeners = new Set<() => void>();
  let wanted: ReadonlySet<string> = new Set();
  let statuses: ReadonlyMap<string, LiveStatus> = new Map();

  function change(next: ReadonlyMap<string, LiveStatus>): void {
    statuses = next;
    for (const listener of listeners) listener();
  }

  /** Whether another subscription can report something new about the document. */
  function isOpen(documentId: string): boolean {
    const status = statuses.get(documentId);
    return wanted.has(documentId) && !status?.isFinal && status?.problem?.retryable !== false;
  }

  function watch(documentIds: readonly string[], failures = 0): void {
    for (let at = 0; at < documentIds.length; at += maxDocuments)
      watchPart(documentIds.slice(at, at + maxDocuments), failures);
  }

  function watchPart(documentIds: readonly string[], earlierFailures: number): void {
    const part: Part = { documentIds: new Set(documentIds), stop: () => {} };
    let failures = earlierFailures;
    let refusal: WriteError | undefined;
    parts.add(part);

    function again(hasFailed: boolean): void {
      if (!parts.delete(part)) return;
      if (refusal) {
        refused(documentIds, refusal);
        return;
      }
      const rest = documentIds.filter(isOpen);
      if (rest.length === 0) return;
      const waiting: Part = { documentIds: new Set(rest), stop: () => clearTimeout(timer) };
      const delayMs = hasFailed ? Math.random() * Math.min(longestDelayMs, 500 * 2 ** failures) : 0;
      const timer = setTimeout(() => {
        if (parts.delete(waiting)) watch(rest.filter(isOpen), hasFailed ? failures + 1 : 0);
      }, delayMs);
      parts.add(waiting);
    }

    part.stop = subscribe(
      MalaysiaStatusesChangedDocument,
      { documentIds: [...documentIds] },
      {
        next({ data, errors = [] }) {
          const status = data?.malaysiaStatusesChanged;
          if (errors.length > 0) {
            failures += 1;
            refusal = errors.find(({ extensions }) => extensions?.['retryable'] !== true);
          }
          if (!status) return;
          failures = 0;
          if (wanted.has(status.documentId)) change(new Map(statuses).set(status.documentId, status));
        },
        error: () => again(true),
        complete: () => again(failures > 0 || documentIds.some((id) => statuses.get(id)?.problem != null)),
      },
    );
  }

  /** One id that the gateway refuses ends the subscription for all of them: each half is watched by itself. */
  function refused(documentIds: readonly string[], refusal: WriteError): void {
    const [documentId = ''] = documentIds;
    const half = Math.ceil(documentIds.length / 2);
    if (documentIds.length > 1) {
      watchPart(documentIds.slice(0, half), 0);
      watchPart(documentIds.slice(half), 0);
    } else if (wanted.has(documentId)) {
      change(new Map(statuses).set(documentId, unwatchable(documentId, refusal)));
    }
  }

  return {
    set(documentIds) {
      wanted = new Set(documentIds);
      for (const part of parts) {
        if ([...part.documentIds].some((id) => wanted.has(id))) continue;
        parts.delete(part);
        part.stop();
      }
      const kept = [...statuses].filter(([id]) => wanted.has(id));
      if (kept.length < statuses.size) change(new Map(kept));
      const watched = new Set([...parts].flatMap((part) => [...part.documentIds]));
      watch([...wanted].filter((id) => !watched.has(id) && isOpen(id)));
    },
    current: () => statuses,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** As the gateway reports a document that cannot be watched. */
function unwatchable(documentId: string, { message, extensions }: WriteError): LiveStatus {
  const code = String(extensions?.['code'] ?? 'INTERNAL_SERVER_ERROR');
  return {
    __typename: 'MalaysiaStatus',
    id: `MalaysiaStatus:${documentId}`,
    documentId,
    state: 'UNKNOWN',
    rawState: null,
    isFinal: false,
    message: null,
    govPortal: null,
    observedAt: new Date().toISOString(),
    isDelayed: false,
    since: null,
    expected: null,
    problem: { __typename: 'StatusProblem', code, message, retryable: false },
  };
}
