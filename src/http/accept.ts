/** The media type of a GraphQL response, chosen by the request's `accept` header. */

export type ResponseMediaType =
  | 'application/json'
  | 'application/graphql-response+json'
  | 'multipart/mixed'
  | 'text/event-stream';

export const contentTypes: Readonly<Record<ResponseMediaType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
  'multipart/mixed': 'multipart/mixed; boundary="-"',
  'text/event-stream': 'text/event-stream',
};

const mediaTypes = new Map<string, ResponseMediaType | undefined>();
const maxMediaTypes = 100;

/** The media type of a result without events, chosen as Yoga does. Undefined if `accept` names no type that is written. */
export function mediaTypeFor(accept = '*/*'): ResponseMediaType | undefined {
  if (mediaTypes.has(accept)) return mediaTypes.get(accept);
  const type = chosenType(accept);
  if (mediaTypes.size < maxMediaTypes) mediaTypes.set(accept, type);
  return type;
}

const jsonTypes = ['application/json', 'application/graphql-response+json'] as const;

/** The types that a media range allows, the preferred first. */
const typesOf = new Map<string, readonly ResponseMediaType[]>([
  ['application/json', ['application/json']],
  ['application/graphql-response+json', ['application/graphql-response+json']],
  ['application/*', jsonTypes],
  ['*/*', jsonTypes],
  ['multipart/mixed', ['multipart/mixed']],
  ['multipart/*', ['multipart/mixed']],
  ['text/event-stream', ['text/event-stream']],
  ['text/*', ['text/event-stream']],
]);

/** Of the ranges with the highest weight: the first JSON type, or else one of the two types for events. */
function chosenType(accept: string): ResponseMediaType | undefined {
  const ranges = accept.toLowerCase().replaceAll(/\s/g, '').split(',').filter(isUtf8).map(mediaRange);
  const excluded = ranges.filter(({ weight }) => weight === 0).map(({ type }) => type);
  return ranges
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || rankOf(one.type) - rankOf(other.type))
    .flatMap(({ type }) => typesOf.get(type) ?? [])
    .find((type) => !excluded.includes(type));
}

/** Of ranges with the same weight: JSON before events. */
function rankOf(range: string): number {
  return ['multipart', 'text'].indexOf(range.split('/', 1)[0] as string);
}

/** A media range with its weight, 0 to 1 (RFC 9110, section 12.4.2). */
function mediaRange(range: string) {
  const [type = '', ...parameters] = range.split(';');
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 1 };
}

function isUtf8(range: string): boolean {
  const charset = range.split(';').find((parameter) => parameter.includes('charset='));
  return charset === undefined || charset === 'charset=utf-8';
}
