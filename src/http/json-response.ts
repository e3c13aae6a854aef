/** Responses in the media type that `accept` names, for requests whose operation did not run. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardRest } from './graphql/request-body.ts';
import { type ErrorWithStatus, statusOf } from './graphql/response-status.ts';

export type ResponseMediaType =
  | 'application/json'
  | 'application/graphql-response+json'
  | 'multipart/mixed'
  | 'text/event-stream';

/** Sends a response that is not a GraphQL result: probes, and paths that do not exist. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/**
 * Responds to a GraphQL request with errors, before its operation has run and perhaps before its body was read. If
 * `accept` names no type that the gateway writes, the response is `application/json`.
 */
export function sendErrors(
  request: IncomingMessage,
  response: ServerResponse,
  errors: readonly ErrorWithStatus[],
): void {
  const type = mediaTypeFor(request.headers.accept) ?? 'application/json';
  const { status, headers } = statusOf(errors, type);
  const body = written({ errors: errors.map(({ error }) => error) }, type);
  discardRest(request, response);
  response.writeHead(status, {
    ...headers,
    'content-type': contentTypes[type],
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export const contentTypes: Readonly<Record<ResponseMediaType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
  'multipart/mixed': 'multipart/mixed; boundary="-"',
  'text/event-stream': 'text/event-stream',
};

function written(result: object, type: ResponseMediaType): string {
  const json = JSON.stringify(result);
  if (type === 'text/event-stream') return `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;
  if (type !== 'multipart/mixed') return json;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}`;
  return `\r\n---\r\n${headers}\r\n\r\n${json}\r\n-----\r\n`;
}

const mediaTypes = new Map<string, ResponseMediaType | undefined>();
const maxMediaTypes = 100;

/** The media type of a result without events, chosen as Yoga does. Undefined if `accept` names no type that is written. */
export function mediaTypeFor(accept = '*/*'): ResponseMediaType | undefined {
  if (mediaTypes.has(accept)) return mediaTypes.get(accept);
  const type = chosenType(accept);
  if (mediaTypes.size < maxMediaTypes) mediaTypes.set(accept, type);
  return type;
}

/** The first JSON type of the header, or else one of the two types for events. */
function chosenType(accept: string): ResponseMediaType | undefined {
  const ranges = accept
    .toLowerCase()
    .replaceAll(/\s/g, '')
    .split(',')
    .filter((range) => isUtf8(range))
    .map((range) => range.split(';', 1)[0]);
  for (const range of ranges) {
    if (range === 'application/json' || range === 'application/graphql-response+json') return range;
    if (range === '*/*' || range === 'application/*') return 'application/json';
  }
  if (ranges.some((range) => range === 'multipart/mixed' || range === 'multipart/*'))
    return 'multipart/mixed';
  if (ranges.some((range) => range === 'text/event-stream' || range === 'text/*')) return 'text/event-stream';
  return undefined;
}

function isUtf8(range: string): boolean {
  const charset = range.split(';').find((parameter) => parameter.includes('charset='));
  return charset === undefined || charset === 'charset=utf-8';
}
