/**
 * The closed list of error codes, and the two kinds of failures: a `GatewayError` becomes an entry of `errors[]`, an
 * `InvalidInputError` becomes data (the `InvalidInput` type).
 */

import { type Bound, boundNames } from './bound-names.ts';
import type { InputProblem } from './input-problems.ts';

/** scripts/error-descriptions.ts has what each code means, and what a front end does about it. */
export const errorCodes = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'IDEMPOTENCY_CONFLICT',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_BAD_RESPONSE',
  'OUTCOME_UNKNOWN',
  'BAD_REQUEST',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_TOO_EXPENSIVE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_ONLY',
  'SHUTTING_DOWN',
  'INTERNAL_SERVER_ERROR',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Codes of errors that name the bound which refused the operation. */
const boundedCodes = [
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'OPERATION_TOO_EXPENSIVE',
  'SHUTTING_DOWN',
] as const;
type BoundedCode = (typeof boundedCodes)[number];

type CodeWithBound =
  | { readonly code: BoundedCode; readonly bound: Bound }
  | { readonly code: Exclude<ErrorCode, BoundedCode>; readonly bound?: undefined };

/** A code that is known at run time only, with the bound if errors of this code have one. Default: a bound of the service. */
export function codeWith(code: ErrorCode, bound: Bound = 'service'): CodeWithBound {
  return (boundedCodes.some((bounded) => bounded === code) ? { code, bound } : { code }) as CodeWithBound;
}

/** The code and the bound of an error that another gateway has written; undefined without a known code. */
export function codeIn(error: { readonly code?: unknown; readonly bound?: unknown }) {
  const code = errorCodes.find((known) => known === error.code);
  const bound = boundNames.find((known) => known === error.bound);
  return code && codeWith(code, bound);
}

/**
 * What may have happened at the service.
 * `NONE`: nothing was done. `POSSIBLE`: it may have been done. `APPLIED`: it was done, but its response was lost.
 * Set for a failed call by upstream/call/failure-table.ts, for a repeated key by state/ledger/ledger-errors.ts, for a result that
 * is too large by graphql/operation-side-effect.ts, and for a field below a mutation by operation/error-masking.ts.
 */
export type SideEffect = (typeof sideEffects)[number];
const sideEffects = ['NONE', 'POSSIBLE', 'APPLIED'] as const;

/** Of two, the one with which more may have happened. */
export function graverOf(one: SideEffect, other: SideEffect): SideEffect {
  return sideEffects.indexOf(one) > sideEffects.indexOf(other) ? one : other;
}

/** The failed call to the service, as callers see it: without URL, headers or stack. */
interface UpstreamFailure {
  readonly operation: string;
  readonly status?: number;
  /** The request id that was sent with the call. */
  readonly requestId?: string;
  /** What the service wrote about the failure, at most 20 texts without credentials, URLs, hosts and files. For callers only. */
  readonly messages?: readonly string[];
}

/** The statuses of BAD_REQUEST other than 400, and of a RATE_LIMITED request: 429 by its rate, 503 by memory or sockets. */
type HttpErrorStatus = 403 | 405 | 406 | 408 | 415 | 429 | 431 | 503;

interface ErrorDetails {
  /** Sent to the caller: without credentials, personal data or text of the service. */
  readonly message: string;
  /** Whether the same operation may be sent again without harm. Default false. */
  readonly retryable?: boolean;
  /** Shortest time after which a retry may succeed (ms). Rounded up. */
  readonly retryAfterMs?: number | undefined;
  /** Default NONE. */
  readonly sideEffect?: SideEffect;
  readonly upstream?: UpstreamFailure | undefined;
  /** Status of the HTTP response, only where the code does not decide it: see `http/graphql/response.ts`. */
  readonly httpStatus?: HttpErrorStatus | undefined;
  /** For the log only. */
  readonly cause?: unknown;
}

/** An entry of `errors[]`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  /** The bound that refused the operation. */
  readonly bound: Bound | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly sideEffect: SideEffect;
  readonly upstream: UpstreamFailure | undefined;
  readonly httpStatus: HttpErrorStatus | undefined;

  constructor(options: CodeWithBound & ErrorDetails) {
    super(options.message, { cause: options.cause });
    this.code = options.code;
    this.bound = options.bound;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs === undefined ? undefined : Math.ceil(options.retryAfterMs);
    this.sideEffect = options.sideEffect ?? 'NONE';
    this.upstream = options.upstream;
    this.httpStatus = options.httpStatus;
  }
}

/** The error for an argument or variable that does not match an id format or a list's bound; no call was made. */
export function badUserInput(message: string): GatewayError {
  return new GatewayError({ code: 'BAD_USER_INPUT', message });
}

/** The error for an invalid HTTP or WebSocket message. `httpStatus`: undefined for 400. */
export function badRequest(message: string, httpStatus?: HttpErrorStatus): GatewayError {
  return new GatewayError({ code: 'BAD_REQUEST', message, httpStatus });
}

/** The error for a request that did not arrive in time. Sent again, it may (RFC 9110, section 15.5.9). */
export function requestTimeout(message: string): GatewayError {
  return new GatewayError({ code: 'BAD_REQUEST', message, retryable: true, httpStatus: 408 });
}

/** The gateway drains: clients send the operation again, to another gateway. */
export function shuttingDown(): GatewayError {
  return new GatewayError({
    code: 'SHUTTING_DOWN',
    bound: 'shutdown',
    message: 'The gateway is shutting down; nothing was done.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}

/** A mutation that has begun and has no result when the gateway ends. */
export function mutationCutShort(): GatewayError {
  const message = 'The gateway stopped before the mutation ended.';
  return new GatewayError({ code: 'OUTCOME_UNKNOWN', message, sideEffect: 'POSSIBLE' });
}

type RetryAdvice = Pick<ErrorDetails, 'retryAfterMs' | 'httpStatus'>;

/** A bound refuses the operation for now; nothing was done. Default: without a time, the status of other errors. */
export function tryAgainLater(bound: Bound, message: string, advice: RetryAdvice = {}): GatewayError {
  return new GatewayError({ code: 'RATE_LIMITED', bound, message, retryable: true, ...advice });
}

/** A body or a file exceeds its limit; nothing was done. `what`: the subject of the message, e.g. `The file`. */
export function payloadTooLarge(what: string, maxBytes: number, bound: Bound): GatewayError {
  return new GatewayError({
    code: 'PAYLOAD_TOO_LARGE',
    bound,
    message: `${what} is larger than the limit of ${maxBytes} bytes; nothing was done.`,
  });
}

/** A bug of the gateway. */
export function gatewayFailed(cause: unknown, sideEffect: SideEffect = 'NONE'): GatewayError {
  return new GatewayError({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'The gateway failed.',
    sideEffect,
    cause,
  });
}

/** What a write that failed with this error has done. Nothing is known after an unexpected error. */
export function sideEffectOf(error: unknown): SideEffect {
  if (error instanceof InvalidInputError) return 'NONE';
  return error instanceof GatewayError ? error.sideEffect : 'POSSIBLE';
}

/** Input that the caller can correct. Nothing was done: nothing was sent, or the service rejected the input. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
  readonly problems: readonly InputProblem[];

  constructor(message: string, problems: readonly InputProblem[]) {
    super(message);
    this.problems = problems;
  }
}
