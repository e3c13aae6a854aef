/** The recipe for servers that render pages: each page with its own user's data, and nothing kept between users. */
import { createServer } from 'node:http';
import { beforeEach, expect, it, vi } from 'vitest';
import { createApp, createSSRApp, effectScope, h, nextTick, ref } from 'vue';
import { renderToString } from 'vue/server-renderer';
import type { Folio } from '../../packages/client/src/folio.ts';
import { MexicoValidationDocument } from '../../packages/client/src/gql/graphql.ts';
import { createServerRequest, privatePage } from '../../packages/client/src/server.ts';
import { folioPlugin, useLiveStatuses } from '../../packages/client/src/vue.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, gatewayOfService } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { json } from '../support/service.ts';

/** The reason in each record is the token of the caller. */
const { service, gateway } = await gatewayOfService((request, response) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const record = { documentId: '1', validatedAt: '2026-02-11T09:30:00Z', steps: {} };
  if (token.startsWith('expired')) return json(401, {})(request, response);
  const invalid = { uuid: null, validation_result: 'INVALID', invalid_reason: `of ${token}` };
  json(200, { ...record, ...invalid })(request, response);
});
/** By the cookie of the session. */
let tokens: Map<string, string>;
/** A server that renders one page for each user, as SvelteKit's `load` or a Next.js server component would. */
const pages = await listen(
  createServer(async (incoming, response) => {
    const user = /session=(\w+)/.exec(incoming.headers.cookie ?? '')?.[1] ?? '';
    const request = createServerRequest({
      url: gateway.url,
      apiKey: 'key-of-the-server',
      token: tokens.get(user) ?? '',
      incoming: { headers: new Headers(incoming.headers as Record<string, string>) },
      renewToken: async () => {
        tokens.set(user, `renewed-${user}`);
        return `renewed-${user}`;
      },
    });
    const { data, errors } = await request(MexicoValidationDocument, { by: { documentId: '1' } });
    const status = errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED') ? 303 : 200;
    response.writeHead(status, privatePage).end(data?.mexicoValidation?.invalidReason ?? '');
  }),
);
forFile(pages);

beforeEach(() => {
  tokens = new Map([
    ['ana', 'token-ana'],
    ['ben', 'token-ben'],
    ['eve', 'expired-eve'],
  ]);
});

async function page(user: string, headers: Record<string, string> = {}) {
  const response = await fetch(pages.url, {
    headers: { cookie: `session=${user}`, ...headers },
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

it('renders each page with the data of its own user, also at the same time', async () => {
  const users = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'ana' : 'ben'));
  const texts = await Promise.all(users.map(async (user) => (await page(user)).text));
  expect(texts).toEqual(users.map((user) => `of token-${user}`));
});

it('requests the data again for each page, and forbids caches to keep the page', async () => {
  await page('ana');
  const { headers } = await page('ana');
  expect(service.received).toHaveLength(2);
  expect(headers.get('cache-control')).toBe('private, no-store');
});

it('renews an expired token once and keeps it in the session of its user alone', async () => {
  expect((await page('eve')).text).toBe('of renewed-eve');
  expect((await page('eve')).text).toBe('of renewed-eve');
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer expired-eve',
    'Bearer renewed-eve',
    'Bearer renewed-eve',
  ]);
  expect((await page('ana')).text).toBe('of token-ana');
});

it('forwards the request id, and does not show the key of the server', async () => {
  const { text, headers } = await page('ana', { 'x-request-id': 'page-request-1' });
  expect(service.received[0]?.headers['x-request-id']).toBe('page-request-1');
  expect(`${text}${JSON.stringify([...headers])}`).not.toContain('key-of-the-server');
});

it('sends the hash of an operation to a gateway that executes only those of its manifest', async () => {
  const persistedOnly = await startTestGateway({
    UPSTREAM_URL: service.url,
    PERSISTED_OPERATIONS: 'packages/client/src/gql/persisted-documents.json',
    PERSISTED_OPERATIONS_ONLY: 'true',
  });
  const { url } = forTest(persistedOnly);
  const incoming = { headers: new Headers() };
  const request = createServerRequest({ url, apiKey: 'k', token: 'token-ana', incoming, persisted: true });
  const { data } = await request(MexicoValidationDocument, { by: { documentId: '1' } });
  expect(data?.mexicoValidation?.invalidReason).toBe('of token-ana');
});

it('a page of Vue watches documents in a browser, until it is left, and none on a server', async () => {
  const set = vi.fn();
  const store = { set, current: () => new Map(), onChange: () => () => {} };
  const folio = { liveStatuses: () => store } as unknown as Folio;
  const documentIds = ref(['1']);
  const list = () => {
    const statuses = useLiveStatuses(documentIds);
    return () => h('p', statuses.value.size);
  };
  expect(await renderToString(createSSRApp({ setup: list }).use(folioPlugin, folio))).toBe('<p>0</p>');
  expect(set).not.toHaveBeenCalled();

  const scope = effectScope();
  createApp({})
    .use(folioPlugin, folio)
    .runWithContext(() => scope.run(list));
  await nextTick();
  documentIds.value = ['1', '2'];
  await nextTick();
  scope.stop();
  expect(set.mock.calls).toEqual([[['1']], [['1', '2']], [[]]]);
});
