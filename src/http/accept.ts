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
