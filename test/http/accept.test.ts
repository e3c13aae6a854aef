/** What a client accepts, by the headers of its request. */
import { expect, it } from 'vitest';
import { acceptsGzip, eventTypeFor, mediaTypeFor, prefersPage } from '../../src/http/accept.ts';

const [json, graphql] = ['application/json', 'application/graphql-response+json'];
const [stream, parts] = ['text/event-stream', 'multipart/mixed'];

it.each<[string, string | undefined]>([
  [`${json};q=0.1, ${graphql};q=0.9`, graphql],
  [`${graphql};q=0.1, ${json};q=0.9`, json],
  [`${json};q=0.5, ${graphql}`, graphql],
  [`${json};q=0, ${graphql};q=0.1`, graphql],
  [`${json};q=0, */*`, graphql],
  // The most specific range decides, whatever the weight of the others.
  [`${json};q=0.1, */*`, graphql],
  [`*/*, ${json};q=0.1`, graphql],
  [`${json};q=0.1, application/*;q=0.5`, graphql],
  [`application/*;q=0, */*`, undefined],
  [`${stream};q=0.2, ${json};q=0.1, */*;q=0.1`, stream],
  [`*/*;q=0.1, ${graphql};q=0.2`, graphql],
  ['*/*', json],
  // Those of Apollo Client, and of urql.
  [`${graphql},${json};q=0.9`, graphql],
  [`${graphql}, application/graphql+json, ${json}, ${stream}, ${parts}`, graphql],
  [`${json}, ${graphql}`, json],
  ...['', ',', ' , ,'].map((empty): [string, string] => [empty, json]),
  // A weight that is not a number from 0 to 1 is none.
  [`${graphql};q=0.9, ${json};q=7`, json],
  [`${graphql};q=0.9, ${json};q=high`, json],
  ...['utf-8', 'UTF8', '"utf-8"'].map((charset): [string, string] => [`${json}; charset=${charset}`, json]),
  ...[`${json};q=0`, `${json}; charset=iso-8859-1`, 'text/html', 'text/html,', 'image/*'].map(
    (other): [string, undefined] => [other, undefined],
  ),
  // Reading 15,000 ranges took 10 ms, several times for each request, before it waited for its turn.
  [`${json}${','.repeat(1_024 - json.length)}`, json],
  [`${json}${','.repeat(1_025 - json.length)}`, undefined],
])('`accept: %s` asks for a result as %s', (accept, type) => {
  expect(mediaTypeFor(accept)).toBe(type);
});

it.each<[string, string | undefined]>([
  [`${json}, ${stream}`, stream],
  [`${stream}, ${json}`, stream],
  [`${json}, ${parts};subscriptionSpec=1.0;q=0.1, ${stream};q=0.5`, stream],
  [`${parts}; subscriptionSpec="1.0"`, parts],
  [`${stream}, ${parts};subscriptionSpec=1.0`, parts],
  [parts, undefined],
  [`${parts};subscriptionSpec=2.0`, undefined],
  [`${parts};subscriptionSpec=1.0;q=0, ${json}`, undefined],
])('`accept: %s` asks for events as %s', (accept, type) => {
  expect(eventTypeFor(accept)).toBe(type);
});

it.each([
  [undefined, false],
  ['identity', false],
  ['br', false],
  ['gzip;q=0, *', false],
  ['gzip', true],
  ['GZIP;q=0.5, br', true],
  ['br, *', true],
])('`accept-encoding: %s` allows gzip: %s', (acceptEncoding, isAllowed) => {
  expect(acceptsGzip(acceptEncoding)).toBe(isAllowed);
});

it.each([
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  [`${json}, text/html;q=0.1`, false],
  [`${graphql}, text/html;q=0`, false],
])('`accept: %s` prefers a page: %s', (accept, isPreferred) => {
  expect(prefersPage(accept)).toBe(isPreferred);
});
