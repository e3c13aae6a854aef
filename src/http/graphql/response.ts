/** The one result of a GraphQL request, and how it is written in the media type that `accept` names. */
import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { contentTypes, type ResponseMediaType } from '../accept.ts';
import { leastUnsentBytes } from '../unread-results.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { restDropped } from './rest-of-body.ts';
import { statusOf } from './status-and-headers.ts';

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

/** Sends a result on Node's own response. */
export function sendResult(to: GraphQLHttpRequest, response: ServerResponse, result: SingleResult): void {
  const { status, headers, body } = responseOf(result, to);
  const send = () => {
    // Node counts the characters of a text that it has not sent, not its bytes.
    response.writeHead(status, headers).end(body.length < leastUnsentBytes ? body : Buffer.from(body));
  };
  const dropped = restDropped(to, body.length);
  if (dropped) void dropped.then(() => response.headersSent || send());
  else send();
}

function written(json: string, type: ResponseMediaType): string {
  if (type === 'text/event-stream') return `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;
  if (type !== 'multipart/mixed') return json;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}`;
  return `\r\n---\r\n${headers}\r\n\r\n${json}\r\n-----\r\n`;
}
