/** When an operation may be sent again; the rule does not depend on the client. */
import type { DocumentNode } from 'graphql';
import { hasKeyForEveryWrite } from './idempotency-keys.ts';

/** The members of an error that decide. */
interface Failure {
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: ErrorExtensions | undefined;
}

interface ErrorExtensions {
  readonly code?: unknown;
  readonly retryable?: unknown;
  readonly retryAfterMs?: unknown;
  readonly sideEffect?: unknown;
  readonly upstream?: unknown;
}

export interface Attempt {
  readonly kind: string;
  /** The operation as it was sent; undefined if only its hash is known. */
  readonly document: DocumentNode | undefined;
  readonly variables: unknown;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  /** Empty after a success; undefined when there was no response. */
  readonly errors: readonly Failure[] | undefined;
  /** 1 for the first attempt. */
  readonly number: number;
  /** Time since the first attempt failed (ms). */
  readonly sinceMs: number;
}

/** Most attempts of an operation that the gateway refuses: it has repeated a read itself. */
const mostAttempts = 3;
/** Time after the first lost connection for which an operation that is safe to repeat is sent again (ms). */
const lostForMs = 30_000;
/** Longest back-off between two of these attempts (ms). */
const longestBackOffMs = 5_000;
/** Longest wait: for a longer one, show the error to the user. */
export const longestWaitMs = 30_000;
/** The longest wait that counts (ms): 1 day. */
const mostRequiredMs = 24 * 60 * 60 * 1_000;

/** Milliseconds to wait before the operation may be sent again; undefined: it may not, or there is no need. */
export function retryDelayMs(attempt: Attempt): number | undefined {
  const { kind, document, variables, data, errors, number, sinceMs } = attempt;
  if (kind === 'subscription') return undefined;
  const isRead = kind === 'query';
  if (errors === undefined) {
    // The connection was lost, so it is unknown what was done: only a key makes a write safe to repeat.
    const mayRepeat = isRead || (document !== undefined && hasKeyForEveryWrite(document, variables));
    return mayRepeat && sinceMs < lostForMs ? backOffMs(number) : undefined;
  }
  if (number >= mostAttempts || errors.length === 0 || !errors.every(isSafeToRepeat)) return undefined;
  // One write of the operation succeeded: sending the whole operation again would do it twice.
  if (!isRead && hasWritten(data)) return undefined;
  const waitMs = Math.max(backOffMs(number), ...errors.map(retryAfterMsOf));
  return waitMs <= longestWaitMs ? waitMs : undefined;
}

export function isUnauthenticated({ extensions }: Failure): boolean {
  return extensions?.code === 'UNAUTHENTICATED';
}

/**
 * Whether the service has refused the token itself: not, where it has refused one member of a list and returned another, such
 * as the validations of two documents of which the caller may read one.
 */
export function isTokenRefused({ data, errors = [] }: Pick<Attempt, 'data' | 'errors'>): boolean {
  return errors.some((error) => {
    const [field = '', index] = error.path ?? [];
    const members = typeof index === 'number' ? [data?.[field]].flat() : [];
    return isUnauthenticated(error) && members.every((member) => member == null);
  });
}

/**
 * Whether the whole operation can be sent again with a renewed token: a read, or a mutation of which nothing was done.
 * When a part of a mutation was done, only its other parts may be sent again: see list-of-writes.ts.
 */
export function mayRepeatRenewed({
  kind,
  data,
  errors = [],
}: Pick<Attempt, 'kind' | 'data' | 'errors'>): boolean {
  if (!errors.some(isUnauthenticated)) return false;
  if (kind === 'query') return true;
  return (
    kind === 'mutation' &&
    !hasWritten(data) &&
    errors.every((error) => isUnauthenticated(error) && error.extensions?.sideEffect === 'NONE')
  );
}

/**
 * Whether a response says nothing about an earlier attempt whose connection was lost: the gateway refused this one before it
 * knew whether the key is in use, so that `NONE` is true of this attempt alone.
 */
export function leavesLostOpen({
  kind,
  data,
  errors = [],
}: Pick<Attempt, 'kind' | 'data' | 'errors'>): boolean {
  return kind === 'mutation' && !hasWritten(data) && errors.some(isBeforeLedger);
}

/**
 * The errors of a mutation of which a part has a result, after an attempt whose connection was lost: those that say nothing
 * about that attempt get the side effect POSSIBLE.
 */
export function afterLost<E extends Failure>(errors: readonly E[]): readonly E[] {
  const message = 'The response of an earlier attempt was lost, and this one was refused.';
  const open = { sideEffect: 'POSSIBLE', retryable: false };
  return errors.map((error) =>
    isBeforeLedger(error) ? { ...error, message, extensions: { ...error.extensions, ...open } } : error,
  );
}

/** Whether the gateway refused an attempt before it knew whether its key is in use; also where it would refuse each repetition. */
function isBeforeLedger({ extensions }: Failure): boolean {
  return (
    extensions?.sideEffect === 'NONE' &&
    extensions.upstream === undefined &&
    extensions.code !== 'IDEMPOTENCY_CONFLICT'
  );
}

/** Whether a mutation has done a part of what it should. `__typename`, which codegen and caches add, says nothing. */
function hasWritten(data: Attempt['data']): boolean {
  return Object.entries(data ?? {}).some(
    ([name, field]) => name !== '__typename' && [field].flat().some((member) => member !== null),
  );
}

function isSafeToRepeat({ extensions }: Failure): boolean {
  return extensions?.retryable === true && extensions.sideEffect === 'NONE';
}

/** The wait that an error requires (ms). The gateway requires at most a day; a timer for more than 24 days would end at once. */
export function retryAfterMsOf({ extensions }: Failure): number {
  return typeof extensions?.retryAfterMs === 'number' ? Math.min(extensions.retryAfterMs, mostRequiredMs) : 0;
}

/** Random, so that clients that failed together do not retry together. */
export function backOffMs(number: number): number {
  return Math.random() * Math.min(longestBackOffMs, 250 * 2 ** number);
}
