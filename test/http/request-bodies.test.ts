import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  alice,
  type GraphQLResponse,
  readResponse,
  startTestGateway,
  type TestGateway,
} from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url, MAX_REQUEST_BYTES: '100000' });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...alice, ...headers },
    body: body as BodyInit,
  });

function codeOf({ errors }: GraphQLResponse): unknown {
  return errors?.[0]?.extensions.code;
}

describe('a request body', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['that is not JSON', '{"query":', {}, 400],
    ['that is empty', '', {}, 400],
    ['that is null', 'null', {}, 400],
    ['that is a number', '7', {}, 400],
    ['that is a string', '"{ __typename }"', {}, 400],
    ['that is a batch', '[{"query":"{ __typename }"}]', {}, 400],
    ['without a query', '{}', {}, 400],
    ['whose query is a number', '{"query":7}', {}, 400],
    ['whose query is an object', '{"query":{}}', {}, 400],
    ['whose variables are a list', '{"query":"{ __typename }","variables":[]}', {}, 400],
    ['whose variables are a string', '{"query":"{ __typename }","variables":"a"}', {}, 400],
    ['whose operation name is a list', '{"query":"{ __typename }","operationName":[]}', {}, 400],
    ['whose extensions are a number', '{"query":"{ __typename }","extensions":7}', {}, 400],
    [
      'that is too large',
      JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(100_000) } }),
      {},
      413,
    ],
    [
      'of another charset',
      '{"query":"{ __typename }"}',
      { 'content-type': 'application/json; charset=utf-16' },
      415,
    ],
    ['that is compressed', '{"query":"{ __typename }"}', { 'content-encoding': 'gzip' }, 415],
    ['of another type', '{ __typename }', { 'content-type': 'application/graphql' }, 415],
    ['of an unknown type', '{}', { 'content-type': 'a/b;;;=' }, 415],
    [
      'that is a form',
      'query={__typename}',
      { 'content-type': 'application/x-www-form-urlencoded', 'x-graphql-yoga-csrf': '1' },
      415,
    ],
    [
      'that is plain text',
      '{ __typename }',
      { 'content-type': 'text/plain', 'x-graphql-yoga-csrf': '1' },
      415,
    ],
    [
      'that is plain text, without the CSRF header',
      '{"query":"{ __typename }"}',
      { 'content-type': 'text/plain' },
      403,
    ],
    [
      'that is a form, without the CSRF header',
      'query={__typename}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      403,
    ],
  ])('%s is rejected, and nothing was done', async (_title, body, headers, status) => {
    const answer = await readResponse(await post(body, headers));
    expect(answer.status).toBe(status);
    expect(codeOf(answer)).toBe(status === 413 ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST');
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      sideEffect: 'NONE',
      retryable: false,
      requestId: expect.any(String),
    });
  });

  it('without a declared length is bounded too', async () => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(10_000).fill(0x20));
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    };
    const response = await fetch(gateway.url, init as RequestInit);
    expect(response.status).toBe(413);
  });

  it.each([100, 10_000])(
    'nested %i levels deep is read or rejected, and is never an internal error',
    async (depth) => {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      for (const body of [nested, `{"query":"{ __typename }","variables":{"a":${nested}}}`]) {
        expect((await post(body)).status).toBeLessThan(500);
      }
      const invoice = `{"docType":"INVOICE","docNumber":"1","supplier":{},"buyer":{},"lines":[],"extra":{"a":${nested}}}`;
      const query =
        'query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) { isValid } }';
      const answer = await readResponse(
        await post(`{"query":"${query}","variables":{"invoice":${invoice}}}`),
      );
      expect(codeOf(answer)).toBe('BAD_USER_INPUT');
    },
  );

  it('with __proto__ and constructor members changes no prototype', async () => {
    const body =
      '{"query":"query ($a: JSONObject) { __typename }","__proto__":{"polluted":1},"variables":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
    expect((await post(body)).status).toBeLessThan(500);
    expect(({} as any).polluted).toBeUndefined();
  });
});
