/** Sends the one result of a GraphQL request, in the media type that its `accept` names. */
import type { GraphQLError } from 'graphql';
import { contentTypes, mediaTypeFor, type ResponseMediaType } from '../accept.ts';
import { sendAfterRequest } from './early-response.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import { statusOf } from './response-status.ts';

type Recipient = Pick<GraphQLHttpRequest, 'request' | 'response' | 'headers'>;

/** Sends errors instead of a result. */
export function sendErrors(to: Recipient, errors: readonly GraphQLError[]): void {
  sendResult(to, JSON.stringify({ errors }), errors, true);
}

/**
 * `json`: the result. Its `errors` decide the status. `isRequestError`: it has no data. If `accept` names no type that the
 * gateway writes, the response is `application/json`.
 */
export function sendResult(
  { request, response, headers }: Recipient,
  json: string,
  errors: readonly GraphQLError[],
  isRequestError: boolean,
): void {
  const type = mediaTypeFor(request.headers.accept) ?? 'application/json';
  const { status, headers: ofErrors } = statusOf(errors, isRequestError, type);
  const body = written(json, type);
  const length = String(Buffer.byteLength(body));
  const typeAndLength = ['content-type', contentTypes[type], 'content-length', length];
  sendAfterRequest(request, response, body.length, () =>
    response.writeHead(status, [...headers, ...typeAndLength, ...ofErrors]).end(body),
  );
}

function written(json: string, type: ResponseMediaType): string {
  if (type === 'text/event-stream') return `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;
  if (type !== 'multipart/mixed') return json;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}`;
  return `\r\n---\r\n${headers}\r\n\r\n${json}\r\n-----\r\n`;
}
