/** The error that a caller gets for each way in which a call to the service can fail. */
import type { Credentials } from '../../caller.ts';
import {
  codeWith,
  type ErrorCode,
  GatewayError,
  InvalidInputError,
  type UpstreamFailure,
} from '../../errors.ts';
import type { UndecodableError } from '../decode.ts';
import type { Endpoint } from '../endpoint.ts';
import { publicErrorText } from './error-text.ts';
import type { UpstreamResponse } from './upstream-response.ts';

/** The call that failed: what its errors may contain, and the credentials that they must not contain. */
export interface FailedCall {
  readonly endpoint: Endpoint;
  readonly requestId: string;
  readonly credentials: Credentials;
}

const byStatus: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['UNAUTHENTICATED', 'The document service rejected the credentials.'],
  403: ['FORBIDDEN', 'The document service does not allow this operation for these credentials.'],
  404: ['NOT_FOUND', 'The document service did not find what was requested.'],
  409: ['CONFLICT', 'The document service reported a conflict with its current state.'],
  413: ['PAYLOAD_TOO_LARGE', 'The document service rejected the request as too large.'],
  415: ['UNSUPPORTED_FILE', 'The document service does not support files of this type.'],
};

/** Statuses by the error code in the response. A Map: an object would also find members of its prototype. */
const statusOfCode: ReadonlyMap<string | undefined, number> = new Map([
  ['UNAUTHENTICATED', 401],
  ['FORBIDDEN', 403],
  ['NOT_FOUND', 404],
]);

/** The error for a response whose status is not 200, 201 or 202. */
export function errorForStatus(
  call: FailedCall,
  response: UpstreamResponse,
  body: unknown,
  retryAfterMs?: number,
): Error {
  const { status } = response;
  const isRead = call.endpoint.kind === 'read';
  const fail = errorFactory(call, status);
  if (status === 400 || status === 422) {
    // Of a body that is not JSON, 1,000 bytes are longer than any message that is passed on.
    return rejectedInput(call, status, body ?? response.body?.toString('utf8', 0, 1_000));
  }
  // A server at a wrong address responds 404 with an HTML page. That does not mean that the document is absent.
  if (status === 404 && isRead && body === undefined && isHtmlPage(response)) {
    const message =
      'The response did not come from the document service. Check the configured address of the service.';
    return fail('UPSTREAM_BAD_RESPONSE', message);
  }
  const known = byStatus[status];
  if (known) return fail(...known);
  if (status === 429) {
    const message = 'The document service limits the rate of calls.';
    return fail('RATE_LIMITED', message, { retryable: true, retryAfterMs });
  }
  if (status >= 500) {
    const retryable = isRead || (status === 503 && retryAfterMs !== undefined);
    return fail('UPSTREAM_UNAVAILABLE', `The document service failed with status ${status}.`, {
      retryable,
      retryAfterMs,
      sideEffect: retryable ? 'NONE' : 'POSSIBLE',
    });
  }
  const message = `The document service responded with the unexpected status ${status}.`;
  return fail('UPSTREAM_BAD_RESPONSE', message, {
    sideEffect: isRead || status >= 400 ? 'NONE' : 'POSSIBLE',
  });
}

/** The error for a response of status 200 to 202 whose body cannot be used, or reports errors. */
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
  const known = byStatus[statusOfCode.get(code) ?? (isRead ? statusIn(body) : 0)];
  if (known) return errorFactory(call, status)(...known);
  const isApplied = cause.hasEnvelope && errors.length === 0;
  const sideEffect = isRead ? 'NONE' : isApplied ? 'APPLIED' : 'POSSIBLE';
  const message = 'The document service returned a response that does not match its interface.';
  return errorFactory(call, status)('UPSTREAM_BAD_RESPONSE', message, { sideEffect, cause });
}

/** The error for a connection that could not be made, or that closed before the response was complete. */
export function errorForConnection(call: FailedCall, mayHaveSent: boolean, cause: unknown): GatewayError {
  const fail = errorFactory(call);
  if (mayHaveSent && call.endpoint.kind === 'write') {
    const message = 'The connection closed before the document service responded.';
    return fail('OUTCOME_UNKNOWN', message, { sideEffect: 'POSSIBLE', cause });
  }
  const message = mayHaveSent
    ? 'The connection to the document service closed before the response was complete.'
    : 'The document service cannot be reached.';
  return fail('UPSTREAM_UNAVAILABLE', message, { retryable: true, cause });
}

/** The error for a call without a complete response within its deadline. */
export function errorForTimeout(call: FailedCall, mayHaveSent: boolean, deadlineMs: number): GatewayError {
  const sideEffect = mayHaveSent && call.endpoint.kind === 'write' ? 'POSSIBLE' : 'NONE';
  const message = `The document service did not respond to ${call.endpoint.operation} within ${deadlineMs / 1_000} s.`;
  return errorFactory(call)('UPSTREAM_TIMEOUT', message, { sideEffect, retryable: sideEffect === 'NONE' });
}

/** The error for a response that was not read because the responses in progress use too much memory. */
export function errorForCrowdedResponse(call: FailedCall): GatewayError {
  if (call.endpoint.kind === 'read') {
    const message =
      'Too many large responses are being read: this one was dropped. Send the operation again later.';
    const advice = { bound: 'responses', retryable: true, retryAfterMs: 1_000 } as const;
    return errorFactory(call)('RATE_LIMITED', message, advice);
  }
  const message = 'Too many large responses are being read: the one to this write was dropped.';
  return errorFactory(call)('OUTCOME_UNKNOWN', message, { sideEffect: 'POSSIBLE' });
}

/** The error for a call that was not made because the circuit breaker is open. */
export function errorForOpenBreaker(call: FailedCall, openForMs: number): GatewayError {
  const message = 'The document service failed too often recently; nothing was sent.';
  return errorFactory(call)('UPSTREAM_UNAVAILABLE', message, { retryable: true, retryAfterMs: openForMs });
}

/** The error for an upload whose caller disconnected before the file was complete. */
export function errorForInterruptedUpload(call: FailedCall): GatewayError {
  const message = 'The upload ended before the file was complete; nothing was done.';
  return errorFactory(call)('UPSTREAM_UNAVAILABLE', message, { retryable: true });
}

/** The error for a fault of the gateway after the call began. */
export function internalError(call: FailedCall, cause: unknown): GatewayError {
  const sideEffect = call.endpoint.kind === 'write' ? 'POSSIBLE' : 'NONE';
  return errorFactory(call)('INTERNAL_SERVER_ERROR', 'The gateway failed.', { sideEffect, cause });
}

function rejectedInput(call: FailedCall, status: number, body: unknown): Error {
  const message = publicErrorText(body, call.credentials) ?? 'The service refused the input.';
  if (call.endpoint.kind === 'read') return errorFactory(call, status)('BAD_USER_INPUT', message);
  return new InvalidInputError('The document service rejected the input; nothing was done.', [
    { rule: 'refused-by-service', severity: 'ERROR', path: [], message },
  ]);
}

type Details = Partial<Pick<GatewayError, 'bound' | 'retryable' | 'retryAfterMs' | 'sideEffect' | 'cause'>>;

function errorFactory({ endpoint, requestId }: FailedCall, status?: number) {
  const upstream: UpstreamFailure = {
    operation: endpoint.operation,
    ...(status !== undefined && { status }),
    requestId,
  };
  return (code: ErrorCode, message: string, { bound, ...details }: Details = {}) =>
    new GatewayError({ ...codeWith(code, bound), message, upstream, ...details });
}

/** The beginning of an HTML page, after an XML declaration and comments. */
const htmlStart = /^(?:<\?[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html|head|body|title|meta|center|h1)\b/is;

/** The first byte of almost every response. */
const openingBrace = 0x7b;

/**
 * Whether the response is an HTML page: the service sends none, a proxy in front of it does. Any text that begins with
 * "<" counts as one, unless its type is XML and it does not begin like HTML.
 */
export function isHtmlPage({ headers, body }: UpstreamResponse): boolean {
  const type = String(headers['content-type'] ?? '').toLowerCase();
  if (/^(text\/html|application\/xhtml\+xml)/.test(type)) return body?.length !== 0;
  if (body?.[0] === openingBrace) return false;
  // A byte order mark and the zeros of UTF-16 are skipped.
  const text = (body?.toString('utf8', 0, 1_000) ?? '').replaceAll(/[\ufeff\ufffd\0]/g, '').trimStart();
  return /^[^;]*\bxml\b/.test(type) ? htmlStart.test(text) : text.startsWith('<');
}

/** 401, 403 or 404 where the body has it as its `statusCode` or `status`, or a `code` that means it; otherwise 0. */
function statusIn(body: unknown): number {
  const { statusCode, status, code } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const found = statusOfCode.get(code as string) ?? Number(statusCode ?? status);
  return [401, 403, 404].includes(found) ? found : 0;
}

/** The `errors` of the body. A value that is not a list counts as one error. */
function errorsOf(body: unknown): readonly unknown[] {
  const { errors } = (body ?? {}) as { errors?: unknown };
  return [errors ?? []].flat();
}

/**
 * `extensions.code` of the first error, as GraphQL services send it. undefined when any error has a code that does not
 * prove that nothing was done.
 */
function codeOf(errors: readonly unknown[]): string | undefined {
  const codes = errors.map(
    (error) => (error as { extensions?: { code?: unknown } } | null)?.extensions?.code,
  );
  const allRejected = codes.every((code) => code === 'BAD_USER_INPUT' || statusOfCode.has(code as string));
  return allRejected ? (codes[0] as string | undefined) : undefined;
}
