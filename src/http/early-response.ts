import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentTypes, mediaTypeFor, type ResponseMediaType } from './accept.ts';
import { discardRest } from './graphql/request-body.ts';
import { type ErrorWithStatus, statusOf } from './graphql/response-status.ts';

/**
 * Responds to a GraphQL request with errors, before its operation has run and perhaps before its body was read. If
 * `accept` names no type that the gateway writes, the response is `application/json`. `headers`: those of the response,
 * names and values alternately.
 */
export function sendErrors(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
  errors: readonly ErrorWithStatus[],
): void {
  const type = mediaTypeFor(request.headers.accept) ?? 'application/json';
  const { status, headers: ofErrors = {} } = statusOf(errors, type);
  const body = written({ errors: errors.map(({ error }) => error) }, type);
  discardRest(request, response);
  const typeAndLength = [
    'content-type',
    contentTypes[type],
    'content-length',
    String(Buffer.byteLength(body)),
  ];
  response.writeHead(status, [...headers, ...typeAndLength, ...Object.entries(ofErrors).flat()]);
  response.end(body);
}

function written(result: object, type: ResponseMediaType): string {
  const json = JSON.stringify(result);
  if (type === 'text/event-stream') return `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;
  if (type !== 'multipart/mixed') return json;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}`;
  return `\r\n---\r\n${headers}\r\n\r\n${json}\r\n-----\r\n`;
}
