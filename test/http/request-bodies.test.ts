import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { alice, post, startTestGateway, startTestHandler } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { headOf, openConnection } from '../support/raw-http.ts';

const environment = { MAX_REQUEST_BYTES: '100000' };
const gateway = forFile(await startTestGateway(environment));
const handler = forFile(await startTestHandler(environment));

const operation = '{"query":"{ __typename }"}';
const csrf = { 'x-graphql-yoga-csrf': '1' };
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
const asText = { 'content-type': 'text/plain' };
const accepts = ['application/json', 'application/graphql-response+json', 'text/event-stream'];

/** The errors of a result in any media type, without the id of the request. */
async function errorsOf(response: Response) {
  const { errors } = JSON.parse(/\{.*\}/.exec(await response.text())?.[0] as string);
  return errors.map(({ extensions: { requestId, ...extensions }, ...error }: any) => {
    expect(requestId).toEqual(expect.any(String));
    return { ...error, extensions };
  });
}

/** The media type of JSON, with so many characters. */
const jsonType = (length: number) => `application/json;${'charset=utf-8'.padStart(length - 17)}`;

it('a request body may have exactly MAX_REQUEST_BYTES', async () => {
  expect((await post(gateway, operation.padEnd(100_000))).status).toBe(200);
});

it('a request body may begin with a byte order mark', async () => {
  const withMark = `\ufeff${operation}`;
  const headers = { 'content-type': 'application/json' };
  const ofHandler = await handler.fetch('/graphql', { method: 'POST', headers, body: withMark });
  for (const response of [await post(gateway, withMark), ofHandler])
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  const twice = await post(gateway, `\ufeff${withMark}`);
  expect([twice.status, (await errorsOf(twice))[0].message]).toEqual([400, 'The body must be valid JSON.']);
});

describe('a request body', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['that is not JSON', '{"query":', {}, 400],
    ['that is empty', '', {}, 400],
    ['that is null', 'null', {}, 400],
    ['that is a string', '"{ __typename }"', {}, 400],
    ['that is a batch', `[${operation}]`, {}, 400],
    ['without a query', '{}', {}, 400],
    ['whose query is a number', '{"query":7}', {}, 400],
    ['whose variables are a list', '{"query":"{ __typename }","variables":[]}', {}, 400],
    ['whose operation name is a list', '{"query":"{ __typename }","operationName":[]}', {}, 400],
    ['whose extensions are a number', '{"query":"{ __typename }","extensions":7}', {}, 400],
    ['with a control character', '{"query":"{ __typename }\u0000"}', {}, 400],
    ['that is too large', `{"query":"${' '.repeat(100_000)}"}`, {}, 413],
    ['of another charset', operation, { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['of another type', '{ __typename }', { 'content-type': 'application/graphql' }, 415],
    ['of an unknown type', '{}', { 'content-type': 'a/b;;;=' }, 415],
    ['of a type with 1,025 characters', operation, { 'content-type': jsonType(1_025) }, 415],
    ['that is a form', 'query={__typename}', { ...csrf, ...asForm }, 415],
    ['that is plain text', '{ __typename }', { ...csrf, ...asText }, 415],
    ['that is plain text, without the CSRF header', operation, asText, 403],
    ['that is a form, without the CSRF header', 'query={__typename}', asForm, 403],
  ])(
    '%s is rejected alike in each media type, and nothing was done',
    async (_title, body, headers, status) => {
      const code = status === 413 ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST';
      const refused = [];
      for (const accept of accepts) {
        const all = { 'content-type': 'application/json', accept, ...headers };
        const init = { method: 'POST', headers: all, body };
        for (const response of [await fetch(gateway.url, init), await handler.fetch('/graphql', init)]) {
          if (accept !== 'text/event-stream') expect(response.status).toBe(status);
          refused.push(await errorsOf(response));
        }
      }
      expect(refused[0]).toMatchObject([{ extensions: { code, sideEffect: 'NONE', retryable: false } }]);
      for (const errors of refused) expect(errors).toEqual(refused[0]);
    },
  );

  it('that is a file by itself is refused with both types that are read', async () => {
    const response = await post(gateway, 'a picture', { ...csrf, 'content-type': 'image/png' });
    const message = 'The content type must be application/json, or multipart/form-data for a file.';
    expect(await errorsOf(response)).toMatchObject([{ message }]);
  });

  it.each(['application/json', 'multipart/form-data; boundary=x'])(
    'that is compressed, of the type %s, is refused with the encodings that are read',
    async (type) => {
      const headers = { 'content-type': type, 'content-encoding': 'gzip', 'x-graphql-yoga-csrf': '1' };
      const init = { method: 'POST', headers, body: gzipSync('--x--') };
      for (const response of [await fetch(gateway.url, init), await handler.fetch('/graphql', init)]) {
        expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
        expect(await errorsOf(response)).toMatchObject([{ message: 'The body must not be compressed.' }]);
      }
    },
  );

  it.each(['identity', ''])('with `content-encoding: %s` is read', async (encoding) => {
    expect((await post(gateway, operation, { 'content-encoding': encoding })).status).toBe(200);
  });

  it('of a type with 1,024 characters is read', async () => {
    const response = await post(gateway, operation, { 'content-type': jsonType(1_024) });
    expect(response.status).toBe(200);
  });

  it('whose declared length is above the limit is refused before a byte of it arrives', async () => {
    const declared = { 'content-type': 'application/json', 'content-length': '100001' };
    const { until } = forTest(await openConnection(gateway.url, headOf('POST /graphql', declared)));
    await until(/^HTTP.1.1 413 .*"bound":"request"/s);
  });

  it.each([
    ['the server', fetch],
    ['the handler of Request objects', handler.fetch],
  ])('without a declared length is bounded too, by %s', async (_name, send: typeof handler.fetch) => {
    const body = new Blob([' '.repeat(100_001)]).stream();
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const response = await send(gateway.url, init as RequestInit);
    expect(response.status).toBe(413);
    const extensions = { code: 'PAYLOAD_TOO_LARGE', bound: 'request', sideEffect: 'NONE' };
    expect(await errorsOf(response)).toMatchObject([{ extensions }]);
  });

  it('with __proto__ and constructor members changes no prototype, and members it does not know are ignored', async () => {
    const polluting = '{"polluted":1}';
    const body = `{"query":"{ __typename }","__proto__":${polluting},"variables":{"__proto__":${polluting},"constructor":{"prototype":${polluting}}}}`;
    expect(await (await post(gateway, body, alice)).json()).toEqual({ data: { __typename: 'Query' } });
    expect(({} as any).polluted).toBeUndefined();
  });
});
