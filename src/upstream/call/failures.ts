/** What a failed call means to the caller: one row of the tables below for each way of errorFactory. */
import type { Credentials } from '../../caller.ts';
import { type ErrorCode, GatewayError, InvalidInputError, type UpstreamFailure } from '../../errors.ts';
import type { UndecodableError } from '../decode.ts';
import type { Endpoint } from '../endpoint.ts';
import { publicErrorText } from './error-text.ts';
import type { UpstreamResponse } from './transport.ts';

/** The call that failed, as far as its errors may tell. */
export interface FailedCall {
  readonly endpoint: Endpoint;
  readonly requestId: string;
  readonly credentials: Credentials;
}

const byStatus: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['UNAUTHENTICATED', 'The document service refused the credentials.'],
  403: ['FORBIDDEN', 'The document service does not let these credentials do that.'],
  404: ['NOT_FOUND', 'The document service knows no such thing.'],
  409: ['CONFLICT', 'The document service says that this conflicts with what it has.'],
  413: ['PAYLOAD_TOO_LARGE', 'The document service says that this is too large.'],
  415: ['UNSUPPORTED_FILE', 'The document service does not take a file of this kind.'],
};

/** By the code that the service wrote: a Map, since an object has members of its prototype. */
const statusOfCode: ReadonlyMap<string | undefined, number> = new Map([
  ['UNAUTHENTICATED', 401],
  ['FORBIDDEN', 403],
  ['NOT_FOUND', 404],
]);

/** For an answer whose status is not 200, 201 or 202. */
export function errorForStatus(
  call: FailedCall,
  answer: UpstreamResponse,
  body: unknown,
  retryAfterMs?: number,
): Error {
  const { status } = answer;
  const isRead = call.endpoint.kind === 'read';
  const fail = errorFactory(call, status);
  if (status === 400 || status === 422) return rejectedInput(call, status, body ?? textOf(answer));
  // A wrong address answers 404 with a page: that must not read as "there is no such document".
  if (status === 404 && isRead && body === undefined && isHtmlPage(answer)) {
    return fail(
      'UPSTREAM_BAD_RESPONSE',
      'The answer does not come from the document service: is its address right?',
    );
  }
  const known = byStatus[status];
  if (known) return fail(...known);
  if (status === 429) {
    const message = 'The document service asks for fewer calls.';
    return fail('RATE_LIMITED', message, { retryable: true, retryAfterMs });
  }
  if (status >= 500) {
    const retryable = isRead || (status === 503 && retryAfterMs !== undefined);
    return fail('UPSTREAM_UNAVAILABLE', `The document service failed (${status}).`, {
      retryable,
      retryAfterMs,
      sideEffect: retryable ? 'NONE' : 'POSSIBLE',
    });
  }
  return fail(
    'UPSTREAM_BAD_RESPONSE',
    `The document service answered with the unexpected status ${status}.`,
    {
      sideEffect: isRead || status >= 400 ? 'NONE' : 'POSSIBLE',
    },
  );
}

/** For an answer of status 200 that says what cannot be used, or says in its body that it failed. */
export function errorForUnusableResponse(
  call: FailedCall,
  status: number,
  body: unknown,
  cause: UndecodableError,
): Error {
  const isRead = call.endpoint.kind === 'read';
  const errors = errorsOf(body);
  const code = cause.hasData && !isRead ? undefined : codeOf(errors);
  if (code === 'BAD_USER_INPUT') return rejectedInput(call, status, body);
  const known = byStatus[statusOfCode.get(code) ?? 0];
  if (known) return errorFactory(call, status)(...known);
  const isApplied = cause.hasEnvelope && errors.length === 0;
  const sideEffect = isRead ? 'NONE' : isApplied ? 'APPLIED' : 'POSSIBLE';
  return errorFactory(call, status)(
    'UPSTREAM_BAD_RESPONSE',
    'The document service gave an answer that does not fit its interface.',
    { sideEffect, cause },
  );
}

/** For a connection that could not be made or broke. */
export function errorForConnection(call: FailedCall, mayHaveSent: boolean, cause: unknown): GatewayError {
  const fail = errorFactory(call);
  if (!mayHaveSent) {
    return fail('UPSTREAM_UNAVAILABLE', 'The document service cannot be reached.', {
      retryable: true,
      cause,
    });
  }
  return call.endpoint.kind === 'read'
    ? fail('UPSTREAM_UNAVAILABLE', 'The connection to the document service broke.', {
        retryable: true,
        cause,
      })
    : fail('OUTCOME_UNKNOWN', 'The connection broke before the document service had answered.', {
        sideEffect: 'POSSIBLE',
        cause,
      });
}

/** For a call that was not answered within its deadline. */
export function errorForTimeout(call: FailedCall, mayHaveSent: boolean, deadlineMs: number): GatewayError {
  const sideEffect = mayHaveSent && call.endpoint.kind === 'write' ? 'POSSIBLE' : 'NONE';
  const message = `The document service did not answer ${call.endpoint.operation} within ${deadlineMs / 1_000} s.`;
  return errorFactory(call)('UPSTREAM_TIMEOUT', message, { sideEffect, retryable: sideEffect === 'NONE' });
}

/** For a call that was not made, since the endpoint failed too often of late. */
export function errorForOpenBreaker(call: FailedCall, openForMs: number): GatewayError {
  return errorFactory(call)('UPSTREAM_UNAVAILABLE', 'The document service is in trouble; nothing was sent.', {
    retryable: true,
    retryAfterMs: openForMs,
  });
}

/** For an upload whose caller left before it was whole. */
export function errorForInterruptedUpload(call: FailedCall): GatewayError {
  return errorFactory(call)(
    'UPSTREAM_UNAVAILABLE',
    'The upload broke off before its end; nothing was done.',
    {
      retryable: true,
    },
  );
}

/** For a body whose caller did not send it whole: the service has no request that it could act on. */
export function errorForIncompleteBody(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const message = 'The request ended before its file; nothing was done.';
  return new GatewayError({ code: 'BAD_REQUEST', message, httpStatus: 400, cause });
}

/** For a mistake of ours after the call began. */
export function internalError(call: FailedCall, cause: unknown): GatewayError {
  return errorFactory(call)('INTERNAL_SERVER_ERROR', 'The gateway failed.', {
    sideEffect: call.endpoint.kind === 'write' ? 'POSSIBLE' : 'NONE',
    cause,
  });
}

function rejectedInput(call: FailedCall, status: number, body: unknown): Error {
  const message = publicErrorText(body, call.credentials) ?? 'The service refused the input.';
  if (call.endpoint.kind === 'read') return errorFactory(call, status)('BAD_USER_INPUT', message);
  return new InvalidInputError('The document service refused the input; nothing was done.', [
    { rule: 'refused-by-service', severity: 'ERROR', path: [], message },
  ]);
}

type Details = Partial<Pick<GatewayError, 'retryable' | 'retryAfterMs' | 'sideEffect' | 'cause'>>;

function errorFactory({ endpoint, requestId }: FailedCall, status?: number) {
  const upstream: UpstreamFailure = {
    operation: endpoint.operation,
    ...(status !== undefined && { status }),
    requestId,
  };
  return (code: ErrorCode, message: string, details: Details = {}) =>
    new GatewayError({ code, message, upstream, ...details });
}

/** An HTML page: not the service answered, but something on the way to it. */
export function isHtmlPage({ headers, body }: UpstreamResponse): boolean {
  const type = String(headers['content-type'] ?? '').toLowerCase();
  if (/^(text\/html|application\/xhtml\+xml)/.test(type)) return body?.length !== 0;
  return /^\ufeff?\s*<(!doctype\s+html|html)\b/i.test(body?.toString('utf8', 0, 200) ?? '');
}

/** A body that is no JSON, as text; longer than any message, its beginning. */
function textOf({ body }: UpstreamResponse): string | undefined {
  return body?.toString('utf8', 0, 1_000);
}

/** The `errors` of the body, where it has some; one of another shape than a list is one too. */
function errorsOf(body: unknown): readonly unknown[] {
  const { errors = null } = (body ?? {}) as { errors?: unknown };
  if (errors === null) return [];
  return Array.isArray(errors) ? errors : [errors];
}

/** The code of the first error, in the way of GraphQL services. */
function codeOf([first]: readonly unknown[]): string | undefined {
  const { extensions } = (first ?? {}) as { extensions?: { code?: unknown } };
  const code = extensions?.code;
  return typeof code === 'string' ? code : undefined;
}
