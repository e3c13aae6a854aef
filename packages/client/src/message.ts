/** What an error says to a user of the page. */

interface Failure {
  readonly message?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

const causes: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'You are not signed in, or no longer.',
  FORBIDDEN: 'You have no access to this.',
  NOT_FOUND: 'The service does not know this document.',
  CONFLICT: 'This conflicts with what the service has.',
  IDEMPOTENCY_CONFLICT: 'The same action was sent before with another input or token.',
  BAD_USER_INPUT: 'The input is not valid.',
  PAYLOAD_TOO_LARGE: 'The file is too large.',
  UNSUPPORTED_FILE: 'The service does not accept this type of file.',
  RATE_LIMITED: 'There are too many requests at the moment.',
  UPSTREAM_TIMEOUT: 'The service did not respond in time.',
  UPSTREAM_UNAVAILABLE: 'The service is not available.',
  UPSTREAM_BAD_RESPONSE: 'The response of the service could not be read.',
  OUTCOME_UNKNOWN: 'The response of the service was lost.',
  SHUTTING_DOWN: 'The server is restarting.',
};

/**
 * One or two sentences for a user: what happened, and what was done. `error`: what a client of this package throws or
 * returns, an error of `errors[]`, or a list of them. The first error counts.
 */
export function messageOf(error: unknown): string {
  const failure = firstOf(error);
  const { code, sideEffect, retryable } = failure?.extensions ?? {};
  if (typeof code !== 'string') return 'The connection was lost. It is not known whether it was done.';
  const cause = causes[code] ?? 'The request was refused.';
  switch (sideEffect) {
    case 'APPLIED':
      return `${cause} It was done; only the response was lost.`;
    case 'POSSIBLE':
      return `${cause} It may have been done: check before you try again.`;
    default:
      return `${cause} Nothing was done.${retryable === true ? ' You can try again.' : ''}`;
  }
}

/** The first error of the gateway in what Apollo Client, urql, Relay and the functions of this package throw. */
function firstOf(error: unknown): Failure | undefined {
  if (Array.isArray(error)) return error[0] as Failure | undefined;
  if (typeof error !== 'object' || error === null) return undefined;
  const { errors, graphQLErrors } = error as { errors?: Failure[]; graphQLErrors?: Failure[] };
  return errors?.[0] ?? graphQLErrors?.[0] ?? (error as Failure);
}
