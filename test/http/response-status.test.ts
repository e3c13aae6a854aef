/** The HTTP status of a GraphQL response, by its errors. */
import { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { expect, it, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { statusOf } from '../../src/http/graphql/response.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';

const [json, graphql] = ['application/json', 'application/graphql-response+json'];

const anError = (extensions: object, originalError?: GatewayError) =>
  new GraphQLError('no', { extensions: { ...extensions }, originalError });
const coded = (code: string, more: object = {}) => [anError({ code, ...more })];
const withStatus = (httpStatus: 408 | 503, extensions: object = {}) =>
  anError(
    { code: 'BAD_REQUEST', ...extensions },
    new GatewayError({ code: 'BAD_REQUEST', message: 'no', httpStatus }),
  );

it.each<[string, GraphQLError[], boolean, string, number]>([
  ['no error', [], false, json, 200],
  ['an error of a field', coded('NOT_FOUND'), false, graphql, 200],
  ['an internal error of a field', coded('INTERNAL_SERVER_ERROR'), false, graphql, 200],
  ['a message that broke off', coded('BAD_REQUEST'), false, json, 400],
  ['a file that is too large', coded('PAYLOAD_TOO_LARGE'), false, json, 413],
  ['a file too large for the service', coded('PAYLOAD_TOO_LARGE', { upstream: {} }), false, json, 200],
  ['a refused request, as JSON', coded('BAD_USER_INPUT'), true, json, 200],
  ['a refused request, as a stream', coded('BAD_USER_INPUT'), true, 'text/event-stream', 200],
  ['a refused request', coded('BAD_USER_INPUT'), true, graphql, 400],
  ['a costly request, as JSON', coded('OPERATION_TOO_EXPENSIVE'), true, json, 200],
  ['a costly request', coded('OPERATION_TOO_EXPENSIVE'), true, graphql, 400],
  ['a shutdown', coded('SHUTTING_DOWN'), true, json, 503],
  ['a bug', coded('INTERNAL_SERVER_ERROR'), true, json, 500],
  ['a status of its own', [withStatus(408)], false, json, 408],
  ['the highest of several', [withStatus(408), withStatus(503), withStatus(408)], true, json, 503],
])('the status by its errors: %s', (_what, errors, isRequestError, mediaType, status) => {
  expect(statusOf(errors, isRequestError, mediaType)).toEqual({ status, headers: [] });
});

it.each([
  [1, '1'],
  [1_000, '1'],
  [1_001, '2'],
])('a wait of %i ms is %s seconds in retry-after', (retryAfterMs, seconds) => {
  const errors = [withStatus(503, { retryAfterMs })];
  expect(statusOf(errors, true, json)).toEqual({ status: 503, headers: ['retry-after', seconds] });
});

it.each([
  ['another status', [withStatus(503), withStatus(408, { retryAfterMs: 9_000 })], []],
  ['the same one', [withStatus(503, { retryAfterMs: 2_000 }), withStatus(503)], ['retry-after', '2']],
])(
  'retry-after is of the errors with the status of the response: next to one with %s',
  (_which, errors, headers) => {
    expect(statusOf(errors, true, json)).toEqual({ status: 503, headers });
  },
);

it('sends no retry-after for an error whose code has no status', () => {
  const errors = [anError({ code: 'RATE_LIMITED', retryAfterMs: 1_000 })];
  expect(statusOf(errors, true, json)).toEqual({ status: 200, headers: [] });
});

it('a fault while a result is sent closes its connection alone, and is logged', async () => {
  const gateway = forTest(await startTestGateway());
  vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementationOnce(() => {
    throw new Error('a fault');
  });
  await expect(gateway.ask('{ __typename }')).rejects.toThrow('fetch failed');
  expect(gateway.logged('request')).toMatchObject([{ err: { message: 'a fault' } }]);
  expect((await gateway.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
});
