import type { Failure } from '../gateway/failure.ts';

const titles: Readonly<Record<string, string>> = {
  NO_ANSWER: 'No response from the gateway',
  UNAUTHENTICATED: 'The credentials are missing or not accepted',
  FORBIDDEN: 'These credentials have no access here',
  NOT_FOUND: 'The service does not know this document',
  CONFLICT: 'It conflicts with data of the service',
  IDEMPOTENCY_CONFLICT: 'The same action was sent before, with another input',
  BAD_USER_INPUT: 'The input is not valid',
  PAYLOAD_TOO_LARGE: 'The file is too large',
  UNSUPPORTED_FILE: 'The service does not accept this type of file',
  RATE_LIMITED: 'Too many requests',
  UPSTREAM_TIMEOUT: 'The service did not respond in time',
  UPSTREAM_UNAVAILABLE: 'The service is not available',
  UPSTREAM_BAD_RESPONSE: 'The response of the service could not be read',
  OUTCOME_UNKNOWN: 'The outcome is unknown',
  SHUTTING_DOWN: 'The gateway is restarting',
  INTERNAL_SERVER_ERROR: 'The gateway failed',
};

export function titleOf({ code }: Failure): string {
  return titles[code] ?? 'The request was refused';
}

interface Advice {
  readonly text: string;
  /** Whether the notice has a retry button. */
  readonly mayRetry: boolean;
}

const fixes: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Check x-api-key and Authorization at the top of the page, then try again.',
  FORBIDDEN: 'Ask for access, or use other credentials at the top of the page.',
  PAYLOAD_TOO_LARGE: 'Choose a smaller file.',
  UNSUPPORTED_FILE: 'Choose another file.',
  INTERNAL_SERVER_ERROR: 'Report it with the request id.',
};

/** The side effect in words, and whether a retry is safe. */
export function adviceFor({ code, sideEffect, retryable }: Failure, isKeyed: boolean): Advice {
  const underKey = 'Trying again is safe: it is done at most once.';
  switch (sideEffect) {
    case 'NONE':
      if (retryable) return { text: 'Nothing was done. Trying again is safe.', mayRetry: true };
      return {
        text: `Nothing was done. ${fixes[code] ?? 'Fix the cause before you try again.'}`,
        mayRetry: false,
      };
    case 'POSSIBLE':
      return isKeyed
        ? { text: `It may have been done: check at the service. ${underKey}`, mayRetry: false }
        : { text: 'It may have been done: check at the service before you try again.', mayRetry: false };
    case 'APPLIED':
      return { text: 'It was done; only the response was lost. Do not try again.', mayRetry: false };
    default:
      return {
        text: isKeyed ? `It may have been done. ${underKey}` : 'Try again when the gateway responds.',
        mayRetry: true,
      };
  }
}
