/** Sends the one result of a GraphQL request, in the media type that its `accept` names. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentTypes, mediaTypeFor, type ResponseMediaType } from '../accept.ts';
import { type ErrorWithStatus, statusOf } from './response-status.ts';

export interface GraphQLResponse {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of the response, names and values alternately: written together, since each `setHeader` costs as much as all. */
  readonly headers: readonly string[];
}

/** Sends errors instead of a result. */
export function sendErrors(to: GraphQLResponse, errors: readonly ErrorWithStatus[]): void {
  sendResult(to, JSON.stringify({ errors: errors.map(({ error }) => error) }), errors);
}

/**
 * `json`: the result. Its `errors` decide the status. If `accept` names no type that the gateway writes, the response is
 * `application/json`.
 */
export function sendResult(
  { request, response, headers }: GraphQLResponse,
  json: string,
  errors: readonly ErrorWithStatus[],
): void {
  const type = mediaTypeFor(request.headers.accept) ?? 'application/json';
  const { status, headers: ofErrors = {} } = statusOf(errors, type);
  const body = written(json, type);
  const length = String(Buffer.byteLength(body));
  const typeAndLength = ['content-type', contentTypes[type], 'content-length', length];
  response.writeHead(status, [...headers, ...typeAndLength, ...Object.entries(ofErrors).flat()]);
  response.end(body);
}

function written(json: string, type: ResponseMediaType): string {
  if (type === 'text/event-stream') return `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;
  if (type !== 'multipart/mixed') return json;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}`;
  return `\r\n---\r\n${headers}\r\n\r\n${json}\r\n-----\r\n`;
}
