/** Subscriptions that survive an expired token, and report no state twice. */
import type { FormattedExecutionResult } from 'graphql';
import { callBack } from './call-back.ts';
import { errorsOf } from './graphql-response.ts';
import { lostRead } from './lost-read.ts';
import { isUnauthenticated } from './retry-rule.ts';
import type { Session } from './session.ts';
import type { Socket, SocketSink } from './socket.ts';
import { longestReconnectMs, pause, reconnectMs } from './wait-to-repeat.ts';

interface Status {
  readonly id?: unknown;
  readonly documentId?: unknown;
  readonly isFinal?: unknown;
}

type Result = FormattedExecutionResult<Record<string, unknown>, unknown>;

/**
 * Subscribes again, once, with a renewed token when the service has refused the token. When it refuses the renewed one
 * too, the session is over. `authorization`: that of the current socket.
 */
export function withRenewal(
  subscribe: Socket['subscribe'],
  session: Session,
  authorization: () => string,
): Socket['subscribe'] {
  return (operation, page) => {
    const sink = reporting(page);
    const isNew = createRepeatFilter();
    /** Documents that were refused before the last renewal, and had no status since. */
    const refusedBefore = new Set<unknown>();
    /** Whether the service has accepted the token since the last renewal. */
    let isAccepted = true;
    /** How many connections in a row were refused soon after they had begun. */
    let shortLived = 0;
    const stopped = new AbortController();
    let unsubscribe = () => {};

    function start(): void {
      const refusals: Result[] = [];
      const startedAt = performance.now();
      /** Those of the connection that was refused: a new one may have begun before the subscription completes. */
      let refused = '';
      unsubscribe = subscribe(operation, {
        next(received) {
          // What arrived together with the event whose call has stopped it.
          if (stopped.signal.aborted) return;
          const result = withErrorsOfRead(received);
          if (isRefused(result)) {
            refused = authorization();
            refusals.push(result);
            return;
          }
          isAccepted = true;
          for (const document of [documentOf(result.data), undefined]) refusedBefore.delete(document);
          if (isNew(result)) sink.next(result);
        },
        error: (error) => sink.error(error),
        complete() {
          if (refusals.length === 0 || stopped.signal.aborted) return sink.complete();
          shortLived = performance.now() - startedAt < longestReconnectMs ? shortLived + 1 : 0;
          void renew(refusals, refused);
        },
      });
    }

    async function renew(refusals: readonly Result[], refused: string): Promise<void> {
      const documents = refusals.map(({ data }) => documentOf(data));
      const isRepeated = documents.every((document) => refusedBefore.has(document));
      if (isRepeated && !isAccepted && session.credentials().authorization === refused) session.signOut();
      // Refused again, next to documents for which the token is accepted: another token does not help.
      const isRenewed = !(isRepeated && isAccepted) && (await session.renewAfter(refused));
      // A service can accept each token once, and then refuse it: new ones are fetched more and more rarely.
      if (isRenewed && shortLived > 1) await pause(reconnectMs(shortLived), stopped.signal);
      if (stopped.signal.aborted) return;
      if (isRenewed) {
        for (const document of documents) refusedBefore.add(document);
        isAccepted = false;
        return start();
      }
      for (const refusal of refusals) sink.next(refusal);
      sink.complete();
    }

    start();
    return () => {
      stopped.abort();
      unsubscribe();
    };
  };
}

/** What a page throws ends neither its subscription nor the others of the connection. */
function reporting(page: SocketSink): SocketSink {
  return {
    next: (result) => callBack(() => page.next(result)),
    error: (error) =>
      callBack(() => page.error(Array.isArray(error) ? errorsOf(error, true) : lostRead(error))),
    complete: () => callBack(() => page.complete()),
  };
}

/** Without `errors` where there are none. */
function withErrorsOfRead({ errors, ...result }: Result): Result {
  return errors?.length ? { ...result, errors: errorsOf(errors, true) as typeof errors } : result;
}

/** In `malaysiaStatusesChanged` the refusal is the `problem` of each document. */
function isRefused({ data, errors = [] }: Result): boolean {
  const problems = Object.values(data ?? {}).map(
    (status) => (status as { problem?: { code?: unknown } })?.problem,
  );
  return errors.some(isUnauthenticated) || problems.some((problem) => problem?.code === 'UNAUTHENTICATED');
}

/** What an event is about; undefined where it selects neither `id` nor `documentId`. */
function documentOf(data: Result['data']): unknown {
  const [status] = Object.values(data ?? {}) as (Status | null)[];
  return status?.id ?? status?.documentId;
}

/**
 * Returns a function that says whether an event is neither a repetition nor older than a final state: a subscription over a
 * new socket begins with what its gateway knows of each document, which the page may know, or know better. Documents are recognised by `id` or `documentId`; an event
 * with neither counts as new.
 */
function createRepeatFilter(): (result: Result) => boolean {
  const last = new Map<unknown, string>();
  const finals = new Set<unknown>();
  return ({ data, errors }) => {
    const [status] = Object.values(data ?? {}) as (Status | null)[];
    const key = documentOf(data);
    if (key === undefined || errors) return true;
    // Times alone do not count as a change: another socket may have another watch, which saw the state later.
    const times = { observedAt: undefined, since: undefined, expected: undefined };
    const text = JSON.stringify({ ...status, ...times });
    if (last.get(key) === text || (finals.has(key) && status?.isFinal !== true)) return false;
    last.set(key, text);
    if (status?.isFinal === true) finals.add(key);
    return true;
  };
}
