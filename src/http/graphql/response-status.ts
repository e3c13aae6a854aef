/** Decides the HTTP status of a response by its errors. */
import type { GraphQLError } from 'graphql';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import { OperationRefusedError } from '../../operation/request.ts';

export interface ErrorWithStatus {
  readonly error: GraphQLError;
  /** Undefined for an error of a field: the status of the response stays 200. */
  readonly http?: ResponseStatus;
}

export interface ResponseStatus {
  readonly status: number;
  /** GraphQL over HTTP: the request is well-formed, and an `application/json` response has status 200 all the same. */
  readonly spec?: boolean;
  readonly headers?: Record<string, string>;
}

/** Statuses by code. A request with any other code is well-formed: 400, or 200 for `application/json`. */
const statusByCode: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  PAYLOAD_TOO_LARGE: 413,
  OPERATION_TOO_EXPENSIVE: 400,
  SHUTTING_DOWN: 503,
  INTERNAL_SERVER_ERROR: 500,
};

/** The errors of a request that was rejected before its operation ran. */
export function requestErrorsWithStatus(
  cause: unknown,
  pipeline: Pipeline,
  requestId: string,
): ErrorWithStatus[] {
  const errors = cause instanceof OperationRefusedError ? cause.errors : [pipeline.mask(cause, requestId)];
  return errors.map((error) => resultErrorWithStatus(error, true));
}

/** A masked error of a result. `isRequestError`: the result has no data. */
export function resultErrorWithStatus(error: GraphQLError, isRequestError: boolean): ErrorWithStatus {
  const { originalError, extensions } = error;
  const explicit = originalError instanceof GatewayError ? originalError.httpStatus : undefined;
  if (!isRequestError && explicit === undefined && !concernsMessage(error)) return { error };
  const status = explicit ?? statusByCode[extensions.code as ErrorCode];
  if (status === undefined) return { error, http: { status: 400, spec: true } };
  return { error, http: { status, headers: retryAfterHeader(error) } };
}

/** A streamed file can fail while its operation runs. The service's own 413 is an error of the field. */
function concernsMessage({ extensions: { code, upstream } }: GraphQLError): boolean {
  return code === 'BAD_REQUEST' || (code === 'PAYLOAD_TOO_LARGE' && upstream === undefined);
}

/** GraphQL over HTTP asks for 200 with `application/json`. A browser drops an event stream with another status. */
const prefersOk: ReadonlySet<string> = new Set(['application/json', 'text/event-stream']);

/** The highest status of all errors: 200 when none concerns the request. */
export function statusOf(errors: readonly ErrorWithStatus[], mediaType: string): ResponseStatus {
  return errors.reduce<ResponseStatus>(
    (response, { http }) => {
      if (!http) return response;
      const headers = { ...response.headers, ...http.headers };
      const isHigher = !(http.spec && prefersOk.has(mediaType)) && http.status > response.status;
      return { status: isHigher ? http.status : response.status, headers };
    },
    { status: 200 },
  );
}

/** In whole seconds (RFC 9110, section 10.2.3). */
function retryAfterHeader({ extensions }: GraphQLError): Record<string, string> {
  const ms = extensions.retryAfterMs;
  return typeof ms === 'number' ? { 'retry-after': String(Math.ceil(ms / 1_000)) } : {};
}
