/** What a response may be, by the request's headers: its media type, and whether it may be compressed. */
export const contentTypes = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
  'multipart/mixed': 'multipart/mixed; boundary="-"',
  'text/event-stream': 'text/event-stream',
};
export type ResponseMediaType = keyof typeof contentTypes;

const jsonTypes = ['application/json', 'application/graphql-response+json'] as const;

/** The media ranges that allow a type, the most specific first. */
const rangesFor: Readonly<Record<ResponseMediaType, readonly string[]>> = {
  'application/json': ['application/json', 'application/*', '*/*'],
  'application/graphql-response+json': ['application/graphql-response+json', 'application/*', '*/*'],
  'multipart/mixed': ['multipart/mixed', 'multipart/*'],
  'text/event-stream': ['text/event-stream', 'text/*'],
};
const types = Object.keys(rangesFor) as ResponseMediaType[];

/**
 * The media type of a result without events, chosen as Yoga does: of the ranges with the highest weight the first JSON type,
 * or else one of the two types for events. Undefined if `accept` names no type that is written.
 */
export function mediaTypeFor(accept = ''): ResponseMediaType | undefined {
  if (Object.hasOwn(rangesFor, accept)) return accept as ResponseMediaType;
  // An empty list is no preference (RFC 9110, section 12.5.1), with empty elements too (section 5.6.1.2).
  if (accept === '*/*' || /^[\s,]*$/.test(accept)) return 'application/json';
  const ranges = preferredFirst(accept);
  // The most specific range decides, also if another one has a higher weight.
  const placeOf = (type: ResponseMediaType) =>
    rangesFor[type]
      .map((name) => ranges.findIndex((range) => range.type === name))
      .find((place) => place !== -1) ?? -1;
  return types
    .filter((type) => (ranges[placeOf(type)]?.weight ?? 0) > 0)
    .sort((one, other) => placeOf(one) - placeOf(other))[0];
}

/**
 * The media type of the events of a subscription. Undefined if `accept` names neither `text/event-stream` nor Apollo's
 * multipart protocol, which is preferred: a client that names it reads the events from the response of its `fetch`.
 */
export function eventTypeFor(accept = ''): 'multipart/mixed' | 'text/event-stream' | undefined {
  return preferredFirst(accept)
    .filter(({ weight }) => weight > 0)
    .map(({ type, isSubscriptionSpec }) => (isSubscriptionSpec || type !== 'multipart/mixed' ? type : ''))
    .find((type) => type === 'multipart/mixed' || type === 'text/event-stream');
}

/** Whether `accept-encoding` names gzip, or `*`, with a weight above 0. Without the header: no. */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const ranges = rangesOf(acceptEncoding);
  const range = ranges.find(({ type }) => type === 'gzip') ?? ranges.find(({ type }) => type === '*');
  return range !== undefined && range.weight > 0;
}

export const prefersOpenMetrics = (accept?: string) =>
  prefers(accept, 'application/openmetrics-text', ['text/plain']);
export const prefersPage = (accept?: string) => prefers(accept, 'text/html', jsonTypes);

/** Whether `accept` names the type, with a weight above 0 that is not below those of the others. */
function prefers(accept = '', type: string, others: readonly string[]): boolean {
  const ranges = rangesOf(accept);
  const weightOf = (name: string) =>
    Math.max(0, ...ranges.map(({ type, weight }) => (type === name ? weight : 0)));
  const weight = weightOf(type);
  return weight > 0 && others.every((other) => weight >= weightOf(other));
}

/** Longest header that is read, in characters. Browsers send less than 200. */
const maxLength = 1_024;

/** Those that the header names. None of a header that is too long: reading 15,000 takes 10 ms. */
function rangesOf(header: string) {
  if (header.length > maxLength) return [];
  return header.toLowerCase().replaceAll(/\s/g, '').split(',').map(mediaRange);
}

/** The ranges in UTF-8, those with the highest weight first. */
const preferredFirst = (accept: string) =>
  rangesOf(accept)
    .filter(({ isUtf8 }) => isUtf8)
    .sort((one, other) => other.weight - one.weight || one.rank - other.rank);

/** A media range or an encoding with its weight, 0 to 1 (RFC 9110, section 12.4.2). `rank`: among ranges of equal weight, JSON is first. */
function mediaRange(range: string) {
  const [type = '', ...parameters] = range.split(';');
  const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  const charset = parameters.find((parameter) => parameter.includes('charset=')) ?? 'charset=utf-8';
  return {
    type,
    weight: q >= 0 && q <= 1 ? q : 1,
    rank: ['multipart', 'text'].indexOf(type.split('/', 1)[0] as string),
    isUtf8: /^charset="?utf-?8"?$/.test(charset),
    isSubscriptionSpec: parameters.some((parameter) => /^subscriptionspec="?1\.0"?$/.test(parameter)),
  };
}
