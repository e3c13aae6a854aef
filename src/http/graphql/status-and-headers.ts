/** Decides the HTTP status of a response and its `retry-after` by its errors. */
import type { GraphQLError, GraphQLErrorExtensions } from 'graphql';
import { type ErrorCode, GatewayError } from '../../errors.ts';

/** Statuses by code. A request with any other code is well-formed: 400, or 200 for `application/json`. */
const statusByCode: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  PAYLOAD_TOO_LARGE: 413,
  SHUTTING_DOWN: 503,
  INTERNAL_SERVER_ERROR: 500,
};

/** GraphQL over HTTP asks for 200 with `application/json`. A browser drops an event stream with another status. */
const prefersOk: ReadonlySet<string> = new Set(['application/json', 'text/event-stream']);

/**
 * The highest status of all masked errors, with its headers, names and values alternately. An error of a field does not
 * count. `isRequestError`: the result has no data.
 */
export function statusOf(errors: readonly GraphQLError[], isRequestError: boolean, mediaType: string) {
  let highest = 200;
  let headers: readonly string[] = [];
  for (const { originalError, extensions } of errors) {
    const explicit = originalError instanceof GatewayError ? originalError.httpStatus : undefined;
    if (!isRequestError && explicit === undefined && !concernsMessage(extensions)) continue;
    const status = explicit ?? statusByCode[extensions['code'] as ErrorCode];
    highest = Math.max(highest, status ?? (prefersOk.has(mediaType) ? 200 : 400));
    const { retryAfterMs } = extensions;
    // In whole seconds (RFC 9110, section 10.2.3).
    if (status !== undefined && typeof retryAfterMs === 'number')
      headers = ['retry-after', String(Math.ceil(retryAfterMs / 1_000))];
  }
  return { status: highest, headers };
}

/** A streamed file can fail while its operation runs. The service's own 413 is an error of the field. */
function concernsMessage({ code, upstream }: GraphQLErrorExtensions): boolean {
  return code === 'BAD_REQUEST' || (code === 'PAYLOAD_TOO_LARGE' && upstream === undefined);
}
