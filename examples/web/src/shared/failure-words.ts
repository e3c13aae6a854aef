import type { Failure } from '../gateway/failure.ts';

const titles: Readonly<Record<string, string>> = {
  NO_ANSWER: 'No answer from the gateway',
  UNAUTHENTICATED: 'The credentials are missing or not accepted',
  FORBIDDEN: 'These credentials have no access here',
  NOT_FOUND: 'The service does not know it',
  CONFLICT: 'The service has another one already',
  IDEMPOTENCY_CONFLICT: 'This key was used for something else',
  BAD_USER_INPUT: 'The input is not of the right form',
  PAYLOAD_TOO_LARGE: 'The file is too large',
  UNSUPPORTED_FILE: 'The service does not take files of this kind',
  RATE_LIMITED: 'Too many requests',
  UPSTREAM_TIMEOUT: 'The service did not answer in time',
  UPSTREAM_UNAVAILABLE: 'The service is not available',
  UPSTREAM_BAD_RESPONSE: 'The service’s answer could not be read',
  OUTCOME_UNKNOWN: 'The outcome is unknown',
  SHUTTING_DOWN: 'The gateway is restarting',
  INTERNAL_SERVER_ERROR: 'Something is wrong in the gateway',
};

export function titleOf({ code }: Failure): string {
  return titles[code] ?? 'The request was refused';
}

interface Advice {
  readonly text: string;
  /** Whether a button to press again is offered. */
  readonly mayRetry: boolean;
}

const mended: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Check x-api-key and Authorization at the top of the page, then press again.',
  FORBIDDEN: 'Ask for access, or use other credentials at the top of the page.',
  PAYLOAD_TOO_LARGE: 'Choose a smaller file.',
  UNSUPPORTED_FILE: 'Choose another file.',
  INTERNAL_SERVER_ERROR: 'Report it with the request’s number.',
};

/** What was done, and whether pressing again is safe. */
export function adviceFor({ code, sideEffect, retryable }: Failure, isKeyed: boolean): Advice {
  const underKey = 'Pressing again does no harm: under the same key it is done once at most.';
  switch (sideEffect) {
    case 'NONE':
      if (retryable) return { text: 'Nothing was done. Pressing again is safe.', mayRetry: true };
      return {
        text: `Nothing was done. ${mended[code] ?? 'Mend the cause before pressing again.'}`,
        mayRetry: false,
      };
    case 'POSSIBLE':
      return isKeyed
        ? { text: `It may have been done: look at the service. ${underKey}`, mayRetry: false }
        : { text: 'It may have been done: look at the service before pressing again.', mayRetry: false };
    case 'APPLIED':
      return { text: 'It was done; only its answer was lost. Do not press again.', mayRetry: false };
    default:
      return {
        text: isKeyed ? `It may have been done. ${underKey}` : 'Press again once it is back.',
        mayRetry: true,
      };
  }
}
