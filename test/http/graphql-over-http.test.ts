import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { startTestGateway, startTestHandler } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';

const gateway = forFile(await startTestGateway());
const handler = forFile(await startTestHandler());

describe.each([
  ['the server', fetch],
  ['the handler of Request objects', handler.fetch],
])('GraphQL over HTTP, by %s', (_name, send: typeof handler.fetch) => {
  /** Sends the CSRF header, which a page of another origin cannot send without a preflight request. */
  const fetchFn = (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-graphql-yoga-csrf', '1');
    return send(address, { ...init, headers });
  };

  it.each(
    serverAudits({ url: () => gateway.url, fetchFn }).map((audit) => [audit.id, audit.name, audit] as const),
  )('%s %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
  });
});
