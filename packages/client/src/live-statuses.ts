/** The current status of any number of documents, as a store: subscriptions take at most 100 of them each. */
import { callAll } from './call-back.ts';
import { MalaysiaStatusesChangedDocument, type StatusFragment } from './gql/graphql.ts';
import type { WriteError } from './list-of-writes.ts';
import { isUnauthenticated, retryAfterMsOf } from './retry-rule.ts';
import type { Subscribe } from './subscribe.ts';
import { reconnectMs, worksAfterMs } from './wait-to-repeat.ts';

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

interface Part {
  readonly documentIds: ReadonlySet<string>;
  /** Waiting: until it may be subscribed to again. */
  stage: 'begun' | 'reported' | 'waiting';
  /**
   * Stops the subscriptions that had some of its documents. They go on until this one has reported a status, or subscribes
   * again: the gateway then watches without a gap, and knows since when a state lasts.
   */
  readonly replaced: (() => void)[];
  /** Also stops what it replaces. */
  stop: () => void;
}

export function createLiveStatuses(subscribe: Subscribe): LiveStatuses {
  const parts = new Set<Part>();
  const listeners = new Set<() => void>();
  /** Also of documents that are not wanted any more but watched: when they are wanted again, nothing may report it again. */
  const known = new Map<string, LiveStatus>();
  let wanted: ReadonlySet<string> = new Set();
  let statuses: ReadonlyMap<string, LiveStatus> = new Map();

  function change(next: ReadonlyMap<string, LiveStatus>): void {
    statuses = next;
    callAll(listeners);
  }

  function report(documentId: string, status: LiveStatus): void {
    // While subscriptions are joined, one of them may be at a gateway that learns later of the final state.
    if (known.get(documentId)?.isFinal && !status.isFinal) return;
    known.set(documentId, status);
    if (wanted.has(documentId)) change(new Map(statuses).set(documentId, status));
  }

  /** Whether another subscription can report something new about the document. */
  function isOpen(documentId: string): boolean {
    const status = known.get(documentId);
    return wanted.has(documentId) && !status?.isFinal && status?.problem?.retryable !== false;
  }

  function watch(documentIds: readonly string[], failures = 0): void {
    for (let at = 0; at < documentIds.length; at += maxDocuments)
      watchPart(documentIds.slice(at, at + maxDocuments), failures);
  }

  function watchPart(
    documentIds: readonly string[],
    earlierFailures: number,
    replaced: (() => void)[] = [],
  ): void {
    const stopReplaced = () => {
      for (const stop of replaced.splice(0)) stop();
    };
    const part: Part = { documentIds: new Set(documentIds), stage: 'begun', replaced, stop: stopReplaced };
    let failures = earlierFailures;
    /** Time that the last error requires before documents are subscribed to again (ms). */
    let requiredMs = 0;
    let refusal: WriteError | undefined;
    const begunAt = performance.now();
    const hasWorked = () => part.stage === 'reported' && performance.now() - begunAt >= worksAfterMs;
    parts.add(part);

    function again(hasFailed: boolean): void {
      if (!parts.delete(part)) return;
      if (hasWorked()) failures = 0;
      const rest = documentIds.filter(isOpen);
      if (refusal || rest.length === 0) {
        if (refusal) refused(documentIds, refusal);
        stopReplaced();
        return;
      }
      const stop = () => {
        clearTimeout(timer);
        stopReplaced();
      };
      const waiting: Part = { documentIds: new Set(rest), stage: 'waiting', replaced, stop };
      const backOffMs = hasFailed ? reconnectMs(failures + 1) : 0;
      const delayMs = Math.max(requiredMs, backOffMs);
      const timer = setTimeout(() => {
        if (!parts.delete(waiting)) return;
        // The socket may have no room for both.
        stopReplaced();
        watch(rest.filter(isOpen), hasFailed ? failures + 1 : 0);
      }, delayMs);
      parts.add(waiting);
    }

    function failed(errors: readonly WriteError[]): void {
      refusal = errors.find(({ extensions }) => extensions?.['retryable'] !== true);
      if (errors.length === 0) return;
      failures += 1;
      requiredMs = Math.max(...errors.map(retryAfterMsOf));
    }

    const unsubscribe = subscribe(
      MalaysiaStatusesChangedDocument,
      { documentIds: [...documentIds] },
      {
        next({ data, errors = [] }) {
          const status = data?.malaysiaStatusesChanged;
          failed(errors);
          if (!status) return;
          requiredMs = 0;
          part.stage = 'reported';
          stopReplaced();
          report(status.documentId, status);
        },
        error(error) {
          // Over a WebSocket, of an operation that the gateway refuses; otherwise the socket was closed.
          if (Array.isArray(error)) failed(error);
          again(true);
        },
        complete: () =>
          again(failures > 0 || !hasWorked() || documentIds.some((id) => known.get(id)?.problem != null)),
      },
    );
    part.stop = () => {
      unsubscribe();
      stopReplaced();
    };
  }

  /** One id that the gateway refuses ends the subscription for all of them: each half is watched by itself. A token counts for all. */
  function refused(documentIds: readonly string[], refusal: WriteError): void {
    const half = Math.ceil(documentIds.length / 2);
    if (documentIds.length > 1 && !isUnauthenticated(refusal)) {
      watch(documentIds.slice(0, half).filter(isOpen));
      watch(documentIds.slice(half).filter(isOpen));
      return;
    }
    for (const id of documentIds) if (isOpen(id)) report(id, unwatchable(id, refusal));
  }

  /**
   * Watches further documents, together with those of subscriptions that are not larger: the gateway allows 200 on a socket, and a
   * list can grow by one document each time. So each document is subscribed to again at most seven times.
   */
  function watchFurther(documentIds: readonly string[]): void {
    const replaced: (() => void)[] = [];
    let together = documentIds;
    const watched = [...parts]
      .filter(({ stage }) => stage !== 'waiting')
      .map((part) => [part, [...part.documentIds].filter(isOpen)] as const);
    for (const [part, open] of watched.sort(([, one], [, other]) => one.length - other.length)) {
      if (open.length > together.length || open.length + together.length > maxDocuments) break;
      together = [...open, ...together];
      parts.delete(part);
      replaced.push(...part.replaced.splice(0));
      if (part.stage === 'reported') replaced.push(part.stop);
      else part.stop();
    }
    if (together === documentIds) watch(together);
    else watchPart(together, 0, replaced);
  }

  return {
    set(documentIds) {
      const watched = new Set([...parts].flatMap((part) => [...part.documentIds]));
      for (const id of known.keys()) if (!wanted.has(id) && !watched.has(id)) known.delete(id);
      wanted = new Set(documentIds);
      for (const part of parts) {
        if ([...part.documentIds].some((id) => wanted.has(id))) continue;
        parts.delete(part);
        part.stop();
      }
      const further = [...wanted].filter((id) => !watched.has(id) && isOpen(id));
      if (further.length > 0) watchFurther(further);
      const shown = [...known].filter(([id]) => wanted.has(id));
      if (shown.length !== statuses.size || shown.some(([id]) => !statuses.has(id))) change(new Map(shown));
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
    message,
    govPortal: null,
    observedAt: new Date().toISOString(),
    isDelayed: false,
    since: null,
    expected: null,
    problem: { __typename: 'StatusProblem', code, message, retryable: false },
  };
}
