import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startTestGateway,
  startTestHandler,
  type TestGateway,
  type TestHandler,
} from '../support/gateway.ts';

let gateway: TestGateway;
let handler: TestHandler;
beforeAll(async () => {
  gateway = await startTestGateway();
  handler = await startTestHandler();
});
afterAll(async () => {
  await gateway.close();
  await handler.close();
});

/** Sends the CSRF header, which a page of another origin cannot send without a preflight request. */
function withCsrfHeader(send: (address: string, init: RequestInit) => Promise<Response>) {
  return (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-graphql-yoga-csrf', '1');
    return send(address, { ...init, headers });
  };
}

describe.each([
  ['the server', withCsrfHeader((address, init) => fetch(address, init))],
  ['the handler of Request objects', withCsrfHeader((address, init) => handler.fetch(address, init))],
])('GraphQL over HTTP, by %s', (_name, fetchFn) => {
  const audits = serverAudits({ url: () => gateway.url, fetchFn });

  it('has 61 audits', () => {
    expect(audits).toHaveLength(61);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
    '%s %s',
    async (_id, _name, audit) => {
      const result = await audit.fn();
      expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
    },
  );
});
