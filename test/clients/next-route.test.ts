/** The route of a Next.js application that has the gateway inside, called with the requests that Next.js passes. */
import type { FolioHandler } from 'folio/handler';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { MalaysiaStatusDocument } from '../../packages/client/src/gql/graphql.ts';
import { createRequest } from '../../packages/client/src/request.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { credentialHeaders } from '../../src/caller.ts';
import { readResponse, withKey } from '../support/gateway.ts';
import { serviceForFile } from '../support/lifetimes.ts';
import { json } from '../support/service.ts';

const path = '../../examples/handler/app/api/graphql/route.ts';
type Route = typeof import('../../examples/handler/app/api/graphql/route.ts');

const service = await serviceForFile(json(200, { status: 'validated' }));
const listeners = process.listeners('SIGTERM');
vi.stubEnv('UPSTREAM_URL', service.url);
vi.stubEnv('FOLIO_API_KEY', 'key-of-the-server');
vi.stubEnv('LOG_LEVEL', 'silent');
const route: Route = await import(path);
afterAll(async () => {
  await (globalThis as { folio?: FolioHandler }).folio?.close();
  for (const one of process.listeners('SIGTERM')) {
    if (!listeners.includes(one)) process.off('SIGTERM', one);
  }
  vi.unstubAllEnvs();
});

const url = 'https://app.example/api/graphql';
const status = '{ malaysiaStatus(documentId: "1") { state } }';

/** A request of the page of the user. */
function requestOf(session: string, query: string, headers: Record<string, string> = {}): Request {
  const all = { 'content-type': 'application/json', cookie: `theme=dark; session=${session}`, ...headers };
  return new Request(url, { method: 'POST', headers: all, body: JSON.stringify({ query }) });
}

it('sends the key of the server and the token of the session, whatever a page sends', async () => {
  const forged = { ...withKey('key-of-the-page'), authorization: 'Bearer of-the-page' };
  const { data } = await readResponse(await route.POST(requestOf('token-of-ana', status, forged)));
  expect(data).toEqual({ malaysiaStatus: { state: 'VALIDATED' } });
  await route.POST(requestOf('token-of-ben', status));
  const sent = service.received.map(({ headers }) => [
    headers[credentialHeaders.apiKey],
    headers.authorization,
  ]);
  expect(sent).toEqual([
    ['key-of-the-server', 'Bearer token-of-ana'],
    ['key-of-the-server', 'Bearer token-of-ben'],
  ]);
  expect(service.received[0]?.headers).not.toHaveProperty('cookie');
});

it('calls the service for a visitor who is not signed in without the key of the server', async () => {
  const forged = { ...withKey('key-of-the-page'), authorization: 'Bearer of-the-page', cookie: 'theme=dark' };
  await route.POST(requestOf('', status, forged));
  expect(service.received).toHaveLength(1);
  expect(service.received[0]?.headers).not.toHaveProperty(credentialHeaders.apiKey);
  expect(service.received[0]?.headers).not.toHaveProperty('authorization');
});

it('serves queries by GET, and refuses what a page of another site can send with the cookie of the user', async () => {
  const headers = { cookie: 'session=token-of-ana' };
  const get = (more: object) =>
    route.GET(
      new Request(`${url}?query=${encodeURIComponent(status)}`, { headers: { ...headers, ...more } }),
    );
  expect((await get({ 'x-graphql-yoga-csrf': '1' })).status).toBe(200);
  expect((await get({})).status).toBe(403);
  const form = new URLSearchParams({ query: status });
  expect((await route.POST(new Request(url, { method: 'POST', headers, body: form }))).status).toBe(403);
});

it('has a renewed token for a page without credentials, whose fetchToken lets the server renew it', async () => {
  service.will(json(401, {}), json(200, { status: 'validated' }));
  let token = 'token-that-has-expired';
  vi.stubGlobal('fetch', (_address: string, { headers, ...init }: RequestInit) => {
    const all = new Headers(headers);
    all.set('cookie', `session=${token}`);
    return route.POST(new Request(url, { ...init, headers: all }));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const onSignOut = vi.fn();
  const session = createSession('', '', {
    async fetchToken() {
      token = 'token-of-ana';
      return String(Date.now());
    },
    onSignOut,
  });
  const { data, errors } = await createRequest(url, session)(MalaysiaStatusDocument, { documentId: '1' });
  expect([data?.malaysiaStatus?.state, errors]).toEqual(['VALIDATED', []]);
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-that-has-expired',
    'Bearer token-of-ana',
  ]);
  expect(onSignOut).not.toHaveBeenCalled();
});

it('keeps its gateway when the development server loads the module again', async () => {
  const { folio } = globalThis as { folio?: FolioHandler };
  vi.resetModules();
  const again: Route = await import(path);
  expect(again).not.toBe(route);
  expect((await again.POST(requestOf('token-of-ana', status))).status).toBe(200);
  expect((globalThis as { folio?: FolioHandler }).folio).toBe(folio);
});
