/**
 * What each failure of a call means: one row for each status of the service and for each failure without a usable
 * response. The error of the caller, the circuit breaker, the repetitions of the gateway and the advice about those of the
 * caller are all read here.
 */
import type { ErrorCode, SideEffect } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ServiceHealth } from './circuit-breaker.ts';

/** What may be repeated after a failure. */
interface Repetition {
  readonly sideEffect: Exclude<SideEffect, 'APPLIED'>;
  /** Whether the gateway may repeat the call now: it is harmless and may succeed. */
  readonly mayRepeat: boolean;
  /** Whether the error says that the caller may send the operation again. */
  readonly retryable: boolean;
}

/** One row, for a read or for a write. */
export interface FailureMeaning extends Repetition {
  readonly code: ErrorCode;
  readonly message: string;
  /** What the failure shows about the endpoint for all callers, for its circuit breaker. */
  readonly health: ServiceHealth;
}

/** Nothing was done, and the same call fails again. */
const final: Repetition = { sideEffect: 'NONE', mayRepeat: false, retryable: false };
/** Nothing was done. The gateway may repeat the call, and so may the caller. */
const again: Repetition = { sideEffect: 'NONE', mayRepeat: true, retryable: true };
/** Nothing was done. Only the caller may repeat the call: the gateway has no time left, or never sends a write twice. */
const later: Repetition = { sideEffect: 'NONE', mayRepeat: false, retryable: true };
/** It may have been done. */
const unclear: Repetition = { sideEffect: 'POSSIBLE', mayRepeat: false, retryable: false };

type Row = readonly [
  code: ErrorCode | { readonly read: ErrorCode; readonly write: ErrorCode },
  health: ServiceHealth,
  read: Repetition,
  write: Repetition,
  message: string,
];

const badResponse = 'UPSTREAM_BAD_RESPONSE';
const unavailable = 'UPSTREAM_UNAVAILABLE';
const connectionLost = { read: unavailable, write: 'OUTCOME_UNKNOWN' } as const;
const dropped = { read: 'RATE_LIMITED', write: 'OUTCOME_UNKNOWN' } as const;
const stopped = { read: 'SHUTTING_DOWN', write: 'OUTCOME_UNKNOWN' } as const;
const rejectedInput = 'The document service rejected the input; nothing was done.';
const unreachable = 'The document service cannot be reached.';
const failing = 'The document service failed with status {status}.';
const unexpected = 'The document service responded with the unexpected status {status}.';
const lost = 'The connection to the document service closed before the response was complete.';
const slow = 'The document service did not respond to {endpoint} within {seconds} s.';
const unsent = 'The gateway could not send {endpoint} within {seconds} s; nothing was done.';
const unreceived = 'The document service did not receive {endpoint} in time; nothing was done.';
const foreign =
  'The response did not come from the document service. Check the configured address of the service.';

// biome-ignore format: a table
const rows = {
  // Statuses. A 400 and a 422 of a write become `InvalidInput` instead of an error.
  '400': ['BAD_USER_INPUT', 'good', final, final, rejectedInput],
  '401': ['UNAUTHENTICATED', 'good', final, final, 'The document service rejected the credentials.'],
  '403': ['FORBIDDEN', 'good', final, final, 'The document service does not allow this operation for these credentials.'],
  '404': ['NOT_FOUND', 'good', final, final, 'The document service did not find what was requested.'],
  // The caller may repeat it (RFC 9110, section 15.5.9). A server also sends it on a connection that it closes for being idle.
  '408': ['UPSTREAM_TIMEOUT', 'good', again, later, unreceived],
  '409': ['CONFLICT', 'good', final, final, 'The document service reported a conflict with its current state.'],
  '413': ['PAYLOAD_TOO_LARGE', 'good', final, final, 'The document service rejected the request as too large.'],
  '415': ['UNSUPPORTED_FILE', 'good', final, final, 'The document service does not support files of this type.'],
  '422': ['BAD_USER_INPUT', 'good', final, final, rejectedInput],
  '429': ['RATE_LIMITED', 'good', again, later, 'The document service limits the rate of calls.'],
  'other 4xx': [badResponse, 'good', final, final, unexpected],
  '502': [unavailable, 'bad', again, unclear, failing],
  '503': [unavailable, 'bad', again, unclear, failing],
  '503 with Retry-After': [unavailable, 'bad', again, later, failing],
  '504': [unavailable, 'bad', again, unclear, failing],
  // It may concern this one document, so it does not count for the circuit breaker.
  'other 5xx': [unavailable, 'good', again, unclear, failing],
  // A status of 5xx whose body is an HTML page: a proxy in front of the service responds.
  '5xx page': [unavailable, 'bad', again, unclear, failing],
  'other status': [badResponse, 'good', final, unclear, unexpected],
  'other status page': [badResponse, 'bad', final, unclear, unexpected],
  // A server at a wrong address responds 404 with an HTML page: that does not mean that the document is absent.
  '404 page': [badResponse, 'good', final, final, foreign],

  // Responses of a status with a result that cannot be used.
  unreadable: [badResponse, 'good', final, unclear, 'The document service returned a response that does not match its interface.'],
  page: [badResponse, 'bad', final, unclear, foreign],
  'too large': [badResponse, 'good', final, unclear, 'The response of the document service is larger than the gateway reads, or cannot be decompressed.'],
  dropped: [dropped, 'good', later, unclear, 'Too many large responses are being read: this one was dropped.'],

  // No response.
  'not connected': [unavailable, 'bad', again, again, unreachable],
  'connection lost': [connectionLost, 'bad', again, unclear, lost],
  'not sent in time': ['UPSTREAM_TIMEOUT', 'unknown', later, later, unsent],
  'no response in time': ['UPSTREAM_TIMEOUT', 'bad', later, unclear, slow],
  'breaker open': [unavailable, 'unknown', later, later, 'The document service failed too often recently; nothing was sent.'],
  'upload interrupted': [unavailable, 'unknown', later, later, 'The upload ended before the file was complete; nothing was done.'],
  'upload unread': ['UPSTREAM_TIMEOUT', 'unknown', later, unclear, 'The document service stopped reading the file of {endpoint}.'],
  shutdown: [stopped, 'unknown', later, unclear, 'The gateway stopped before the document service responded.'],
  'internal error': ['INTERNAL_SERVER_ERROR', 'unknown', final, unclear, 'The gateway failed.'],
} as const satisfies Readonly<Record<string, Row>>;

export type Failure = keyof typeof rows;

export const failures = Object.keys(rows) as readonly Failure[];

export function meaningOf(failure: Failure, kind: Endpoint['kind']): FailureMeaning {
  const [code, health, read, write, message]: Row = rows[failure];
  const repetition = kind === 'read' ? read : write;
  return { code: typeof code === 'string' ? code : code[kind], message, health, ...repetition };
}

/**
 * Whether a response of this status has a result: an unknown 2xx is read as 200 (RFC 9110, section 15). 204 and 205 have no
 * content.
 */
export function hasResult(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

/** What else a response shows about its status. */
interface ResponseSigns {
  readonly kind: Endpoint['kind'];
  readonly hasRetryAfter: boolean;
  /** Whether its body is an HTML page, which a proxy or another server sent. */
  readonly isPage: boolean;
}

/** The row of a status without a result. */
export function failureOfStatus(status: number, { kind, hasRetryAfter, isPage }: ResponseSigns): Failure {
  if (status === 404 && kind === 'read' && isPage) return '404 page';
  if (status === 503 && hasRetryAfter) return '503 with Retry-After';
  if (Object.hasOwn(rows, status)) return String(status) as Failure;
  if (status >= 400 && status < 500) return 'other 4xx';
  if (status >= 500) return isPage ? '5xx page' : 'other 5xx';
  return isPage ? 'other status page' : 'other status';
}
