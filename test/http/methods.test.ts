/** Request lines, headers and methods, valid or not. */
import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { alice, readResponse, startTestGateway, startTestHandler, withKey } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { handshake, headOf, openConnection, postOf } from '../support/raw-http.ts';

const gateway = forFile(await startTestGateway());
const handler = forFile(await startTestHandler());
const csrf = { 'x-graphql-yoga-csrf': '1' };

/** Sends bytes that no HTTP library sends. Resolves with the response to the first request. */
async function responseTo(bytes: string): Promise<string> {
  const connection = forTest(await openConnection(gateway.url, bytes));
  await connection.until(/\r\n\r\n/);
  connection.socket.end();
  return await connection.closed();
}

describe('an invalid request line or header', () => {
  const body = '{"query":"{ __typename }"}';

  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['a header of 20,000 characters', headOf('GET /', { x: 'a'.repeat(20_000) }), 431],
    ['two Content-Length headers', postOf(body, { 'Content-Length': '2' }), 400],
    ['Content-Length and chunks', postOf(body, { 'transfer-encoding': 'chunked' }), 400],
    ['a missing Host header', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['two Host headers', 'GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400],
    ['a handshake without Host', headOf('GET /graphql', handshake).replace(/host: .*\r\n/, ''), 400],
    ['a handshake with two Host headers', headOf('GET /graphql', { ...handshake, Host: 'b' }), 400],
    ['a handshake with a body', `${headOf('GET /graphql', { ...handshake, 'content-length': '1' })}x`, 403],
    ['two API keys', postOf(body, { ...withKey('a'), [credentialHeaders.apiKey.toUpperCase()]: 'b' }), 400],
    ['a path with dot segments', headOf('GET /graphiql/../../package.json'), 404],
  ])('%s is rejected', async (_title, bytes, status) => {
    expect(await responseTo(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  });
});

describe('an absolute request target', () => {
  it.each(['http://gateway.example', 'HTTPS://gateway.example:4000'])(
    '%s/graphql is served',
    async (origin) => {
      const get = headOf(`GET ${origin}/graphql?query={__typename}`, csrf);
      expect(await responseTo(get)).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"data":\{"__typename":"Query"\}\}/);
    },
  );

  it.each([
    'http://gateway.example',
    'http://gateway.example?query={__typename}',
    'ftp://gateway.example/graphql',
  ])('%s is rejected', async (target) =>
    expect(await responseTo(headOf(`GET ${target}`, csrf))).toMatch(/^HTTP\/1.1 404/),
  );
});

describe('the Host header', () => {
  const get = '/graphql?query={__typename}';

  it.each(['a b', 'a:b:c', 'a/b', 'a?b', 'a#b', 'a@b', 'a\\b', '[::1', 'a:99999', '%%%['])(
    '"%s" is malformed: a GET request gets 400 and BAD_REQUEST, and a POST request no internal error',
    async (host) => {
      const response = await responseTo(headOf(`GET ${get}`, { host, ...csrf }));
      expect(response).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"BAD_REQUEST"/);
      const posted = await responseTo(postOf('{"query":"{ __typename }"}', { host }));
      expect(posted).toMatch(/^HTTP\/1.1 (200|400)/);
      expect(posted).not.toMatch(/TypeError|node_modules/);
    },
  );

  it.each(['localhost', 'gateway.example:4000', '[::1]:4000', ''])('may be "%s"', async (host) => {
    const response = await responseTo(headOf(`GET ${get}`, { host, ...csrf }));
    expect(response).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"data":\{"__typename":"Query"\}\}/);
  });
});

describe.each([
  ['the server', fetch],
  ['the handler of Request objects', handler.fetch],
])('a method that is not allowed, by %s', (_name, send: typeof handler.fetch) => {
  it.each([
    ['PUT', '', 'GET, POST'],
    ['DELETE', '', 'GET, POST'],
    ['HEAD', '', 'GET, POST'],
    ['GET', '?query=mutation{createGroup(input:{}){__typename}}', 'POST'],
  ])('%s %s gets 405 with the methods that are', async (method, search, allowed) => {
    const { status, headers } = await send(gateway.url + search, { method, headers: csrf });
    expect([status, headers.get('allow')]).toEqual([405, allowed]);
  });
});

describe('a method', () => {
  const withVariable = 'mutation($input:CreateGroupInput!){createGroup(input:$input){__typename}}';

  it.each([
    ['a mutation', 'query=mutation{createGroup(input:{}){__typename}}', csrf, 405, 'BAD_REQUEST'],
    ['a mutation whose variables are missing', `query=${withVariable}`, csrf, 405, 'BAD_REQUEST'],
    ['a request without the CSRF header', 'query={__typename}', {}, 403, 'BAD_REQUEST'],
    ['invalid variables', 'query={__typename}&variables={', csrf, 400, 'BAD_REQUEST'],
    ['variables that are a number', 'query={__typename}&variables=7', csrf, 400, 'BAD_REQUEST'],
    ['invalid extensions', 'query={__typename}&extensions=[', csrf, 400, 'BAD_REQUEST'],
    // It is not a health check.
    [
      'a name that ends in the path of a health check',
      'query={__typename}&operationName=/graphql/health',
      csrf,
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('GET with %s is refused', async (_what, search, headers, status, code) => {
    const all = { ...alice, accept: 'application/graphql-response+json', ...headers };
    const response = await fetch(`${gateway.url}?${search}`, { headers: all as Record<string, string> });
    const { errors } = await readResponse(response);
    expect([response.status, errors?.[0]?.extensions.code]).toEqual([status, code]);
  });
});

it.each(['/health', '/ready', '/nowhere', '/graphiql/nowhere'])(
  'no cache stores the response of %s, which says what holds now',
  async (path) => {
    const { headers } = await fetch(new URL(path, gateway.url));
    expect(headers.get('cache-control')).toBe('no-store');
  },
);
