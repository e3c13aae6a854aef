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

interface MediaRange {
  readonly type: string;
  /** Weight, 0 to 1 (RFC 9110, section 12.4.2). */
  readonly weight: number;
}

/** Of the ranges with the highest weight: the first JSON type, or else one of the two types for events. */
function chosenType(accept: string): ResponseMediaType | undefined {
  const ranges = accept.toLowerCase().replaceAll(/\s/g, '').split(',').filter(isUtf8).map(mediaRange);
  const isExcluded = (type: string) => ranges.some((range) => range.type === type && range.weight === 0);
  const weights = [...new Set(ranges.map(({ weight }) => weight))].filter((weight) => weight > 0);
  for (const weight of weights.sort((a, b) => b - a)) {
    const types = ranges.filter((range) => range.weight === weight).map(({ type }) => type);
    const chosen = typeAmong(types, isExcluded);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

function typeAmong(
  ranges: readonly string[],
  isExcluded: (type: string) => boolean,
): ResponseMediaType | undefined {
  for (const range of ranges) {
    if (range === 'application/json' || range === 'application/graphql-response+json') return range;
    if (range !== '*/*' && range !== 'application/*') continue;
    if (!isExcluded('application/json')) return 'application/json';
    if (!isExcluded('application/graphql-response+json')) return 'application/graphql-response+json';
  }
  if (ranges.some((range) => range === 'multipart/mixed' || range === 'multipart/*'))
    return 'multipart/mixed';
  if (ranges.some((range) => range === 'text/event-stream' || range === 'text/*')) return 'text/event-stream';
  return undefined;
}

function mediaRange(range: string): MediaRange {
  const [type = '', ...parameters] = range.split(';');
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 1 };
}

function isUtf8(range: string): boolean {
  const charset = range.split(';').find((parameter) => parameter.includes('charset='));
  return charset === undefined || charset === 'charset=utf-8';
}
