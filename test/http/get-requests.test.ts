import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** Sends the request line and headers as they are; resolves with the whole response. */
function raw(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

const headers = ['x-graphql-yoga-csrf: 1', 'connection: close'];

describe('a GET request', () => {
  it.each(['a b', 'a:b:c', 'a/b', 'a?b', 'a#b', 'a@b', 'a\\b', '[::1'])(
    'with the malformed Host header "%s" gets 400 and BAD_REQUEST',
    async (host) => {
      const response = await raw(['GET /graphql?query={__typename} HTTP/1.1', `host: ${host}`, ...headers]);
      expect(response).toMatch(/^HTTP\/1.1 400 /);
      expect(response).toContain('"code":"BAD_REQUEST"');
    },
  );

  it.each(['localhost', 'gateway.example:4000', '[::1]:4000', ''])(
    'with the Host header "%s" runs its operation',
    async (host) => {
      const response = await raw(['GET /graphql?query={__typename} HTTP/1.1', `host: ${host}`, ...headers]);
      expect(response).toMatch(/^HTTP\/1.1 200 /);
      expect(response).toContain('{"data":{"__typename":"Query"}}');
    },
  );

  it.each(['/health', '/graphql/health'])(
    'with a query string that ends in %s is not treated as a health check',
    async (end) => {
      const path = `/graphql?query={__typename}&operationName=${end}`;
      const response = await raw([`GET ${path} HTTP/1.1`, 'host: a', ...headers]);
      expect(response).toContain('"code":"GRAPHQL_VALIDATION_FAILED"');
    },
  );
});
