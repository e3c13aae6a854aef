import type { CombinedError } from '@urql/core';

/** A failure that is not an `InvalidInput`: the members of `errors[].extensions`. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** null: the gateway did not respond, so that nothing is known. */
  readonly sideEffect: 'NONE' | 'POSSIBLE' | 'APPLIED' | null;
  readonly retryable: boolean;
  /** Shortest wait before another attempt (ms); null: no wait is required. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
}

/** Not a code of the gateway: there was no response. */
export const noAnswer = 'NO_ANSWER';

export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  if (first !== undefined) return failureFrom(first.message, first.extensions);
  return {
    code: noAnswer,
    message: error.message,
    sideEffect: null,
    retryable: true,
    retryAfterMs: null,
    requestId: null,
  };
}

export function failureFrom(message: string, extensions: Readonly<Record<string, unknown>>): Failure {
  const { code, sideEffect, retryable, retryAfterMs, requestId } = extensions;
  return {
    code: typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR',
    message,
    sideEffect:
      sideEffect === 'NONE' || sideEffect === 'POSSIBLE' || sideEffect === 'APPLIED' ? sideEffect : null,
    retryable: retryable === true,
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : null,
    requestId: typeof requestId === 'string' ? requestId : null,
  };
}
