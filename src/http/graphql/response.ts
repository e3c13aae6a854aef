/** The one result of a GraphQL request: its HTTP status, and how it is written in the media type that `accept` names. */
import type { ExecutionResult, GraphQLError, GraphQLErrorExtensions } from 'graphql';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import { ownTurnBytes, sendTogether } from '../../tools/event-loop-turns.ts';
import { contentTypes, type ResponseMediaType } from '../accept.ts';
import { leastUnsentBytes } from '../unread-results.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { restDropped } from './rest-of-body.ts';

export interface SingleResult {
  readonly json: string;
  /** They decide the HTTP status. */
  readonly errors: readonly GraphQLError[];
  /** Whether the result has no data. */
  readonly isRequestError: boolean;
}

/** A result that has errors only. */
export function errorResult(errors: readonly GraphQLError[]): SingleResult {
  return { json: JSON.stringify({ errors }), errors, isRequestError: true };
}

/**
 * The result of an operation. Errors decide its status only if nothing came of it: otherwise 408 or 503 would let clients and
 * proxies repeat what was done, and GraphQL over HTTP requires a status 2xx for data.
 */
export function operationResult(result: ExecutionResult): SingleResult {
  const { data, errors = [] } = result;
  const isRequestError = !('data' in result);
  const isPartial =
    errors.some(({ extensions }) => extensions['sideEffect'] !== 'NONE') ||
    (errors.length > 0 && Object.values(data ?? {}).some((value) => value !== null));
  return { json: JSON.stringify(result), errors: isPartial && !isRequestError ? [] : errors, isRequestError };
}

/**
 * Status, headers (names and values alternately) and body of the response. If `accept` names no type that the gateway
 * writes, it is `application/json`.
 */
export function responseOf(
  { json, errors, isRequestError }: SingleResult,
  { mediaType: type = 'application/json', headers }: Pick<GraphQLHttpRequest, 'mediaType' | 'headers'>,
) {
  const { status, headers: ofErrors } = statusOf(errors, isRequestError, type);
  const body = written(json, type);
  const length = String(Buffer.byteLength(body));
  const typeAndLength = ['content-type', contentTypes[type], 'content-length', length];
  return { status, headers: [...headers, ...typeAndLength, ...ofErrors], body };
}

/** `headers`: names and values alternately. */
export function headersOf(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] as string]] : []));
}

/** Sends the result, unless it is too late at the end of a shutdown. */
export function sendResult(http: GraphQLHttpRequest, result: SingleResult): void {
  const { response, requestId, dependencies } = http;
  if (response.headersSent) return;
  const { status, headers, body } = responseOf(result, http);
  const send = (isRestDropped = false): void => {
    if (response.headersSent) return;
    try {
      const dropped = isRestDropped ? undefined : restDropped(http, body.length);
      if (dropped) void dropped.then(() => send(true));
      // Node counts the characters of a text that it has not sent, not its bytes.
      else response.writeHead(status, headers).end(body.length < leastUnsentBytes ? body : Buffer.from(body));
    } catch (error) {
      dependencies.log.error({ err: error, requestId }, 'request');
      response.destroy();
    }
  };
  // Most bodies are complete at the end of the turn in which a head is refused. A longer result would be held meanwhile.
  if (body.length < ownTurnBytes) sendTogether(send);
  else send();
}

function written(json: string, type: ResponseMediaType): string {
  if (type === 'text/event-stream') return `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;
  if (type !== 'multipart/mixed') return json;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}`;
  return `\r\n---\r\n${headers}\r\n\r\n${json}\r\n-----\r\n`;
}

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
 * The highest status of all masked errors, with the headers of those that have it, names and values alternately. An error of a
 * field does not count. `isRequestError`: the result has no data.
 */
export function statusOf(errors: readonly GraphQLError[], isRequestError: boolean, mediaType: string) {
  let highest = 200;
  let headers: readonly string[] = [];
  for (const { originalError, extensions } of errors) {
    const explicit = originalError instanceof GatewayError ? originalError.httpStatus : undefined;
    if (!isRequestError && explicit === undefined && !concernsMessage(extensions)) continue;
    const known = explicit ?? statusByCode[extensions['code'] as ErrorCode];
    const status = known ?? (prefersOk.has(mediaType) ? 200 : 400);
    if (status < highest) continue;
    if (status > highest) headers = [];
    highest = status;
    const { retryAfterMs } = extensions;
    // In whole seconds (RFC 9110, section 10.2.3).
    if (known !== undefined && typeof retryAfterMs === 'number')
      headers = ['retry-after', String(Math.ceil(retryAfterMs / 1_000))];
  }
  return { status: highest, headers };
}

/** A streamed file can fail while its operation runs. The service's own 413 is an error of the field. */
function concernsMessage({ code, upstream }: GraphQLErrorExtensions): boolean {
  return code === 'BAD_REQUEST' || (code === 'PAYLOAD_TOO_LARGE' && upstream === undefined);
}
