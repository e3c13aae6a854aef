/** The recipe for servers that render pages: each page with its own user's data, and nothing kept between users. */
import { beforeEach, expect, it, vi } from 'vitest';
import { createApp, createSSRApp, effectScope, h, nextTick, ref } from 'vue';
import { renderToString } from 'vue/server-renderer';
import type { Folio } from '../../packages/client/src/folio.ts';
import { MexicoValidationDocument } from '../../packages/client/src/gql/graphql.ts';
import { createServerRequest, privatePage } from '../../packages/client/src/server.ts';
import { folioPlugin, useLiveStatuses } from '../../packages/client/src/vue.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import { json } from '../support/service.ts';

/** The reason in each record is the token of the caller. */
const { service, gateway } = await gatewayOfService((request, response) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const record = { documentId: '1', validatedAt: '2026-02-11T09:30:00Z', steps: {} };
  if (token.startsWith('expired')) return json(401, {})(request, response);
  const invalid = { uuid: null, validation_result: 'INVALID', invalid_reason: `of ${token}` };
  json(200, { ...record, ...invalid })(request, response);
});
/** Of each user. */
let tokens: Map<string, string>;
beforeEach(() => {
  tokens = new Map([
    ['ana', 'token-ana'],
    ['ben', 'token-ben'],
    ['eve', 'expired-eve'],
  ]);
});

/** What the page of this user shows, as SvelteKit's `load` or a Next.js server component would read it. */
async function page(user: string, headers: Record<string, string> = {}) {
  const request = createServerRequest({
    url: gateway.url,
    apiKey: 'key-of-the-server',
    token: tokens.get(user) ?? '',
    incoming: { headers: new Headers(headers) },
    renewToken: async () => {
      tokens.set(user, `renewed-${user}`);
      return `renewed-${user}`;
    },
  });
  const { data } = await request(MexicoValidationDocument, { by: { documentId: '1' } });
  return data?.mexicoValidation?.invalidReason;
}

it('reads the data of each page again and with the token of its own user, also at the same time', async () => {
  const users = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'ana' : 'ben'));
  expect(await Promise.all(users.map((user) => page(user)))).toEqual(users.map((user) => `of token-${user}`));
  const received = service.received.length;
  await page('ana');
  expect(service.received).toHaveLength(received + 1);
});

it('renews an expired token once and keeps it in the session of its user alone', async () => {
  for (const user of ['eve', 'eve']) expect(await page(user)).toBe('of renewed-eve');
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer expired-eve',
    'Bearer renewed-eve',
    'Bearer renewed-eve',
  ]);
  expect(await page('ana')).toBe('of token-ana');
});

it('forwards the request id, and forbids caches to keep a page', async () => {
  await page('ana', { 'x-request-id': 'page-request-1' });
  expect(service.received[0]?.headers['x-request-id']).toBe('page-request-1');
  expect(privatePage['cache-control']).toBe('private, no-store');
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
