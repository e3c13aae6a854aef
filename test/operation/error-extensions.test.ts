/** What an entry of `errors[]` states about a failed call, and what it does not reveal about the service. */
import { GraphQLError } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { maskError } from '../../src/operation/error-masking.ts';
import { OperationInProgress } from '../../src/operation/operation-in-progress.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService();

const read = '{ malaysiaStatus(documentId: "1") { state } }';
const createGroup = () =>
  gateway.ask(
    'mutation { createGroup(input: { name: "a" }) { ... on InvalidInput { problems { message } } } }',
  );

describe('an error of a bound', () => {
  const refusalsOf = (bound: string) => metricOf(gateway, `folio_refusals_total{bound="${bound}"}`);

  it('names the bound in the extensions, in the log line and in the metric', async () => {
    const wide = `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: malaysiaStatus(documentId: "${at}") { state }`).join(' ')} }`;
    service.will(does.json(429, {}), does.json(413, {}));
    const errors = [
      await createGroup(),
      await createGroup(),
      await gateway.ask(wide),
      await gateway.ask(`{ a${' '.repeat(70_000)} }`),
      // Refused before its operation is read.
      await gateway.ask(read, { text: 'x'.repeat(5_000_000) }),
    ].map(({ errors }) => errors?.[0]?.extensions);
    expect(errors.map((extensions) => [extensions?.['code'], extensions?.['bound']])).toEqual([
      ['RATE_LIMITED', 'service'],
      ['PAYLOAD_TOO_LARGE', 'service'],
      ['OPERATION_TOO_EXPENSIVE', 'operation'],
      ['OPERATION_TOO_EXPENSIVE', 'operation'],
      ['PAYLOAD_TOO_LARGE', 'request'],
    ]);
    const logged = gateway.logged().flatMap(({ bound }) => bound ?? []);
    expect(logged).toEqual(['service', 'service', 'operation', 'operation', 'request']);
    const counted = await Promise.all(['service', 'operation', 'request'].map(refusalsOf));
    expect(counted).toEqual([2, 2, 1]);
  });
});

describe('an entry of errors[]', () => {
  it('has exactly the documented extensions', async () => {
    service.will(does.json(503, { secret: 'internal' }, { 'retry-after': '9' }));
    const { errors, headers } = await createGroup();
    expect(errors).toHaveLength(1);
    const requestId = headers.get('x-request-id');
    expect(errors?.[0]?.extensions).toEqual({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
      retryAfterMs: 9_000,
      sideEffect: 'NONE',
      requestId,
      upstream: { operation: 'createGroup', status: 503, requestId },
    });
  });

  it.each([401, 500, 503])('of status %i has no text of the service', async (status) => {
    service.will(does.json(status, { message: 'Token expired' }));
    expect((await createGroup()).errors?.[0]?.extensions['upstream']).not.toHaveProperty('messages');
  });

  it('about the input of a read has the reasons of the service in its extensions only', async () => {
    service.will(does.json(400, { message: ['The id is too long', 'b'] }));
    const { errors } = await gateway.ask(read);
    expect(errors?.[0]).toMatchObject({
      message: 'The document service rejected the input; nothing was done.',
      extensions: { code: 'BAD_USER_INPUT', upstream: { messages: ['The id is too long', 'b'] } },
    });
  });

  it.each([
    [400, 'rejected the input'],
    [429, 'limits the rate of calls'],
  ])(
    'about a field below a mutation, of status %i, states that the mutation was done and cannot be repeated',
    async (status, reason) => {
      service.will(does.json(200, { docId: 7 }), does.json(status, {}, { 'retry-after': '90' }));
      const { errors } = await gateway.ask(
        `mutation {
        importMalaysiaInvoice(input: { queueId: "q", invoice: { docType: INVOICE, docNumber: "N", lines: [] } }) {
          ... on MalaysiaImport { status { state } }
        }
      }`,
      );
      expect(errors?.[0]?.message).toContain(reason);
      expect(errors?.[0]?.message).toMatch(/^The mutation was done, but this field of its result failed: /);
      expect(errors?.[0]?.message).not.toMatch(/nothing was|try again/i);
      expect(errors?.[0]?.extensions).toMatchObject({ sideEffect: 'APPLIED', retryable: false });
      expect(errors?.[0]?.extensions).not.toHaveProperty('retryAfterMs');
    },
  );

  it('has a whole number as retryAfterMs, whatever a clock says', () => {
    const error = new GatewayError({ code: 'UPSTREAM_UNAVAILABLE', message: 'a', retryAfterMs: 998.0001 });
    expect(error.retryAfterMs).toBe(999);
  });
});

it.each<[string, GraphQLError, string]>([
  ['of a variable, before any field', new GraphQLError('Variable "$a"'), 'BAD_USER_INPUT'],
  [
    'of an argument of a field',
    new GraphQLError('Argument "a" is invalid', { path: ['a'] }),
    'BAD_USER_INPUT',
  ],
  ['of a field', new GraphQLError('Cannot return null', { path: ['a'] }), 'INTERNAL_SERVER_ERROR'],
  [
    'about a fault in a field, in the words of one of an argument,',
    new GraphQLError('Argument "a" is invalid', { path: ['a'], originalError: new TypeError('fault') }),
    'INTERNAL_SERVER_ERROR',
  ],
])('an error of graphql-js %s states who caused it', (_what, error, code) => {
  expect(maskError(error, { requestId: 'r' }).extensions).toMatchObject({ code, retryable: false });
});

type CallWith = (changed?: object) => Promise<unknown>;
const throwing = (text: string) => () => {
  throw new TypeError(text);
};
const failAfter = (call: CallWith, secret: string) => call().then(throwing(secret));
const failInDecoding = (call: CallWith, secret: string) => call({ decode: throwing(secret) });

it.each([
  ['after a read', 'NONE', () => gateway.ask(read), failAfter],
  ['after a write', 'POSSIBLE', createGroup, failAfter],
  ['in the decoding of a response', 'NONE', () => gateway.ask(read), failInDecoding],
])(
  'an unforeseen error %s has the side effect %s, and its text is only logged',
  async (when, sideEffect, ask, fail) => {
    service.will(does.json(200, { status: 'queued', createGroup: { id: 1 } }));
    const { call } = OperationInProgress.prototype;
    vi.spyOn(OperationInProgress.prototype, 'call').mockImplementationOnce(function (
      this: OperationInProgress,
      of,
    ) {
      return fail((changed) => call.call(this, { ...of, ...changed }), `secret ${when}`);
    });
    const { errors } = await ask();
    const extensions = { code: 'INTERNAL_SERVER_ERROR', retryable: false, sideEffect };
    expect(errors).toMatchObject([{ extensions }]);
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(gateway.logged('unforeseen error').at(-1)?.err).toMatchObject({ message: `secret ${when}` });
  },
);

it.each([
  [400, 'x'.repeat(400)],
  [401, `${'x'.repeat(399)}…`],
])('a message of %i characters is sent with at most 400', (length, message) => {
  expect(maskError(new GraphQLError('x'.repeat(length)), { requestId: '1' }).message).toBe(message);
});

it('neither an error nor its cause keeps a stack, which would keep what has run until the error is written', () => {
  const cause = new GatewayError({ code: 'NOT_FOUND', message: 'm' });
  const masked = maskError(new GraphQLError('m', { originalError: cause }), { requestId: '1' });
  expect(masked.originalError).toBe(cause);
  expect([masked.stack, cause.stack]).toEqual(['', '']);
  expect(maskError(new GraphQLError('m'), { requestId: '1' }).stack).toBe('');
});
