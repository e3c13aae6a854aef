/** What the errors of an operation mean for the HTTP answer that carries them. */
import type { GraphQLError } from 'graphql';
import { httpStatusOf } from '../../operation/error-masking.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import { OperationRefusedError } from '../../operation/request.ts';

export interface ErrorWithStatus {
  readonly error: GraphQLError;
  /** Undefined: it concerns a field, and the answer's status stays 200. */
  readonly http?: ResponseStatus;
}

export interface ResponseStatus {
  readonly status: number;
  /** GraphQL over HTTP: an `application/json` answer has status 200 all the same. */
  readonly spec?: boolean;
  readonly headers?: Record<string, string>;
}

/** The errors of a request that threw before its operation ran. */
export function requestErrorsWithStatus(
  cause: unknown,
  pipeline: Pipeline,
  requestId: string,
): ErrorWithStatus[] {
  if (cause instanceof OperationRefusedError) {
    const http = { status: cause.httpStatus, spec: cause.isWellFormed };
    return cause.errors.map((error) => ({ error, http }));
  }
  return [resultErrorWithStatus(pipeline.mask(cause, requestId), true)];
}

/** A masked error of a result. `isRequestError`: there are no data beside it. */
export function resultErrorWithStatus(error: GraphQLError, isRequestError: boolean): ErrorWithStatus {
  const status = httpStatusOf(error);
  if (status !== undefined) return { error, http: { status, headers: retryAfterHeader(error) } };
  if (!isRequestError) return { error };
  const { code } = error.extensions;
  if (code === 'OPERATION_TOO_EXPENSIVE') return { error, http: { status: 400 } };
  if (code === 'INTERNAL_SERVER_ERROR') return { error, http: { status: 500 } };
  return { error, http: { status: 400, spec: true } };
}

/** GraphQL over HTTP says so of `application/json`; an event stream that has begun is well as such. */
const prefersOk: ReadonlySet<string> = new Set(['application/json', 'text/event-stream']);

/** The highest status of all errors: 200 when none concerns the request. */
export function statusOf(errors: readonly ErrorWithStatus[], mediaType: string): ResponseStatus {
  return errors.reduce<ResponseStatus>(
    (answer, { http }) => {
      if (!http) return answer;
      const headers = { ...answer.headers, ...http.headers };
      const isOfAnswer = !(http.spec && prefersOk.has(mediaType)) && http.status > answer.status;
      return { status: isOfAnswer ? http.status : answer.status, headers };
    },
    { status: 200 },
  );
}

/** In whole seconds, as HTTP has it (RFC 9110, section 10.2.3). */
function retryAfterHeader({ extensions }: GraphQLError): Record<string, string> {
  const ms = extensions.retryAfterMs;
  return typeof ms === 'number' ? { 'retry-after': String(Math.ceil(ms / 1_000)) } : {};
}
