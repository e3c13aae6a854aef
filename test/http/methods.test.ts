import { connect } from 'node:net';
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
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

/** Sends bytes that no HTTP library sends; resolves with the status line of the response. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
    socket.on('data', () => socket.end()).on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
  });
}

function codeOf({ errors }: GraphQLResponse): unknown {
  return errors?.[0]?.extensions.code;
}

describe('an invalid request line, header or method', () => {
  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n', /^HTTP\/1.1 400/],
    [
      'a header of 20,000 characters',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1.1 431/,
    ],
    [
      'two Content-Length headers',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
      /^HTTP\/1.1 400/,
    ],
    [
      'Content-Length and chunks',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1.1 400/,
    ],
    ['a missing Host header', 'GET /health HTTP/1.1\r\n\r\n', /^HTTP\/1.1 400/],
    [
      'two API keys',
      'POST /graphql HTTP/1.1\r\nhost: a\r\nx-api-key: a\r\nx-api-key: b\r\ncontent-type: application/json\r\ncontent-length: 26\r\n\r\n{"query":"{ __typename }"}',
      /^HTTP\/1.1 400/,
    ],
    [
      'a path with dot segments',
      'GET /graphiql/../../package.json HTTP/1.1\r\nhost: a\r\n\r\n',
      /^HTTP\/1.1 404/,
    ],
    ['an absolute request target', 'GET http://elsewhere/ HTTP/1.1\r\nhost: a\r\n\r\n', /^HTTP\/1.1 404/],
  ])('%s is rejected', async (_title, bytes, status) => {
    expect(await raw(bytes)).toMatch(status);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('the method %s gets 405', async (method) => {
    const response = await fetch(gateway.url, { method, headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(405);
  });

  it('a mutation by GET gets 405', async () => {
    const query = encodeURIComponent('mutation { createGroup(input: {}) { __typename } }');
    const response = await fetch(`${gateway.url}?query=${query}`, {
      headers: { ...alice, 'x-graphql-yoga-csrf': '1' },
    });
    expect([response.status, codeOf(await readResponse(response))]).toEqual([405, 'BAD_REQUEST']);
  });

  it('a GET request without the CSRF header gets 403', async () => {
    const response = await fetch(`${gateway.url}?query={__typename}`);
    expect(response.status).toBe(403);
  });

  it.each(['variables={', 'extensions=[', 'variables=7'])(
    'a GET request with %s gets 400',
    async (parameter) => {
      const response = await fetch(`${gateway.url}?query={__typename}&${parameter}`, {
        headers: { 'x-graphql-yoga-csrf': '1' },
      });
      expect(response.status).toBe(400);
    },
  );
});
