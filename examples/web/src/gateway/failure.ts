import type { CombinedError } from '@urql/core';

/** What the gateway says of anything that is no InvalidInput, always in `errors[].extensions`. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** null: the gateway itself did not answer, and cannot say. */
  readonly sideEffect: 'NONE' | 'POSSIBLE' | 'APPLIED' | null;
  readonly retryable: boolean;
  /** When trying again makes sense; null: any time, where it makes sense at all. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
}

/** No code of the gateway's. */
export const noAnswer = 'NO_ANSWER';

export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  if (first !== undefined) return failureFrom(first.message, first.extensions);
  return {
    code: noAnswer,
    message: 'The gateway cannot be reached, or its answer was lost on the way.',
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
