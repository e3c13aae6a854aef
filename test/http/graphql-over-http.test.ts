import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { readResponse, startTestGateway, startTestHandler } from '../support/gateway.ts';
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

it.each(['query', 'operationName', 'variables', 'documentId', 'extensions'])(
  'a GET request with two values of %s is refused, whichever of them is meant',
  async (name) => {
    const headers = { 'x-graphql-yoga-csrf': '1' };
    const value = name === 'variables' || name === 'extensions' ? '{}' : '';
    const search = new URLSearchParams({ query: '{ __typename }', [name]: value });
    search.append(name, value);
    const { status, errors } = await readResponse(await fetch(`${gateway.url}?${search}`, { headers }));
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST']);
    expect(errors?.[0]?.message).toBe(`"${name}" is given more than once in the query string: send it once.`);
  },
);
