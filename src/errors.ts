/**
 * The closed list of error codes, and the two kinds of failures: a `GatewayError` becomes an entry of `errors[]`, an
 * `InvalidInputError` becomes data (the `InvalidInput` type).
 */

import { type Bound, boundNames } from './bound-names.ts';
import type { InputProblem } from './input-problems.ts';

/** Advice for front ends about `UNAUTHENTICATED`, which docs/retrying-safely.md repeats. */
export const renewalAdvice =
  'With `sideEffect` `NONE`, renew the token once and send what failed once more, although `retryable` is false. With `APPLIED` the write was done, and only a part of its result is missing: do not send it again. A second `UNAUTHENTICATED` with the new token is final: the caller has no access. Show the error and do not renew again.';

/** What each code means, and what a front end does about it. docs/reference/errors.md is generated from this. */
export const errorDescriptions = {
  UNAUTHENTICATED: {
    meaning:
      'A credential that the field requires is missing (then without `upstream`: no call was made), or the service rejected a credential as wrong or expired.',
    advice: `${renewalAdvice} Without \`upstream\`, send the header that the message names. A WebSocket keeps the credentials with which it was opened: open a new one.`,
  },
  FORBIDDEN: {
    meaning: 'The service recognized the caller but does not allow this operation.',
    advice: 'Show the error. A retry does not help until somebody grants access.',
  },
  NOT_FOUND: {
    meaning:
      'The service does not know the document, the queue or the group. A Mexican document that was never validated is not an error: `mexicoValidation` is null.',
    advice:
      'Show the error. Directly after an import, wait: a subscription to the status allows the service 15 seconds to know the document.',
  },
  BAD_USER_INPUT: {
    meaning:
      'A variable does not match the schema, or an argument the format of an id or the bound of a list; or the service rejected the input of a read. GraphQL rejects variables before any field is executed: one invalid amount in one of 100 imports fails all of them.',
    advice:
      'Fix the input. In a form this is a bug: what users can correct is returned as `InvalidInput`, and `checkMalaysiaInvoiceDraft` checks what they are still typing.',
  },
  CONFLICT: {
    meaning: 'The input conflicts with the state of the service (HTTP 409).',
    advice: 'Show the error, and read the current state.',
  },
  IDEMPOTENCY_CONFLICT: {
    meaning:
      'The idempotency key was used with another token (`sideEffect` is `POSSIBLE`), or with the same token for another input (`NONE`).',
    advice: 'With `NONE`, use a new key. With `POSSIBLE`, check at the service first, then decide.',
  },
  RATE_LIMITED: {
    meaning:
      'The service, or a bound of the gateway, limits the caller: `RATE_LIMIT_PER_MINUTE`, concurrent calls, watches, sockets or idempotency keys.',
    advice: 'If `retryable` is true, send it again after `retryAfterMs`.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'A file or a request is larger than a limit of the gateway or of the service.',
    advice: 'Choose a smaller file. Check the size before an upload.',
  },
  UNSUPPORTED_FILE: {
    meaning: 'The service does not support this type of file. The gateway itself checks no file type.',
    advice: 'Choose a file of another type.',
  },
  UPSTREAM_TIMEOUT: {
    meaning:
      'The service did not respond within the deadline. With `sideEffect` `NONE` a write did not reach it in time: it waited too long for its turn or for a connection, or the service for its request (HTTP 408).',
    advice:
      'A read may be sent again. A write with `sideEffect` `POSSIBLE` may have been done: check at the service first.',
  },
  UPSTREAM_UNAVAILABLE: {
    meaning:
      'The service cannot be reached, responded that it failed, or is not called for a while because it failed too often. Of a write with an idempotency key also: the store of keys cannot be reached, or the earlier request with this key, for which it waited, ended without effect, for example an upload that was cancelled.',
    advice:
      'If `retryable` is true, send it again. With `sideEffect` `POSSIBLE`, check at the service first.',
  },
  UPSTREAM_BAD_RESPONSE: {
    meaning:
      'The response of the service cannot be read or does not match its interface, for example by its status. With `sideEffect` `APPLIED` the write was done.',
    advice:
      'Report the `requestId`. With `sideEffect` `POSSIBLE`, check at the service before you send a write again; with `APPLIED`, do not send it again.',
  },
  OUTCOME_UNKNOWN: {
    meaning:
      'A write was sent and its response was lost; or this happened to an earlier write with the same idempotency key.',
    advice:
      'Check at the service, or ask the user, whether the write was done: the gateway has no call that finds it. With the same key it is not sent again while the gateway knows the key.',
  },
  BAD_REQUEST: {
    meaning:
      'The HTTP or WebSocket message is invalid: method, content type, encoding, JSON, multipart, or the header against cross-site requests; or the request did not arrive in time (408).',
    advice: 'If `retryable` is true, the network was too slow: send it again. Otherwise fix the client.',
  },
  GRAPHQL_PARSE_FAILED: {
    meaning: 'The text of the operation is not valid GraphQL.',
    advice: 'Fix the operation.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    meaning:
      'The operation, with the values in its text, does not match the schema, or `operationName` names no operation of the document.',
    advice: 'Fix the operation. Generated types find this error before the operation is sent.',
  },
  OPERATION_TOO_EXPENSIVE: {
    meaning:
      'The operation could cause more calls than `MAX_OPERATION_COST`, or is too deep, too long or too wide; or its result exceeds the [limits](../limits.md#results), or leaves no room for another write of the same mutation.',
    advice:
      'Request less in one operation. A mutation may have been done before its result exceeded a limit: see `sideEffect`.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    meaning: 'The manifest has no operation with this hash.',
    advice: 'Deploy the gateway with the manifest of the client first. Do not send the text instead.',
  },
  PERSISTED_QUERY_ONLY: {
    meaning: 'The gateway executes only the operations of its manifest, and the request has a text.',
    advice: 'Send the hash of an operation in the manifest.',
  },
  SHUTTING_DOWN: {
    meaning: 'This gateway is shutting down and starts no new operations.',
    advice: 'Send it again: another gateway responds.',
  },
  INTERNAL_SERVER_ERROR: {
    meaning: 'A bug of the gateway.',
    advice: 'Report it with its `requestId`, by which the log has the details.',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly advice: string }>;

/** Codes of errors that name the bound which refused the operation. */
const boundedCodes = [
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'OPERATION_TOO_EXPENSIVE',
  'SHUTTING_DOWN',
] as const;
type BoundedCode = (typeof boundedCodes)[number];

export type ErrorCode = keyof typeof errorDescriptions;

type CodeWithBound =
  | { readonly code: BoundedCode; readonly bound: Bound }
  | { readonly code: Exclude<ErrorCode, BoundedCode>; readonly bound?: undefined };

/** A code that is known at run time only, with the bound if errors of this code have one. Default: a bound of the service. */
export function codeWith(code: ErrorCode, bound: Bound = 'service'): CodeWithBound {
  return (boundedCodes.some((bounded) => bounded === code) ? { code, bound } : { code }) as CodeWithBound;
}

export const errorCodes = Object.keys(errorDescriptions) as readonly ErrorCode[];

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
  readonly requestId: string;
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

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
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
