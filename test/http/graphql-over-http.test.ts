import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** Sends the CSRF header, which a page of another origin cannot send without a preflight request. */
const withCsrfHeader: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('x-graphql-yoga-csrf', '1');
  return fetch(input, { ...init, headers });
};

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({ url: () => gateway.url, fetchFn: withCsrfHeader });

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
