/** The files of `packages/client`, used as a front end would use them. */
import { readFileSync } from 'node:fs';
import { ApolloLink } from '@apollo/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, parse } from 'graphql';
import { tap } from 'rxjs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApolloClient, scanWithProgress as scanWithApollo } from '../../packages/client/src/apollo.ts';
import {
  CreateGroupDocument,
  ImportMalaysiaInvoiceDocument,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  MexicoValidationDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { createRequest } from '../../packages/client/src/request.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { createUrqlClient, scanWithProgress as scanWithUrql } from '../../packages/client/src/urql.ts';
import { quickPolls, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import {
  anImport,
  expectNothingPrinted,
  recipes,
  shortenBackOffs,
  type TestClient,
} from '../support/recipe-clients.ts';
import { type Relay, type RelayedRequest, startRelay } from '../support/relay.ts';
import { controlSandbox, forgetSandboxCalls, sandboxCalls } from '../support/sandbox-controls.ts';
import { json, startService } from '../support/service.ts';

const gateway = forFile(await startTestGateway(quickPolls));

/** The operation with this name in a code block of a page. */
function documentIn(page: string, operationName: string): TypedDocumentNode<any, any> {
  const blocks = readFileSync(page, 'utf8').matchAll(/```graphql\n([\s\S]*?)```/g);
  const block = [...blocks].find(([, text]) => text?.includes(operationName));
  return parse(block?.[1] ?? '');
}

describe.each(recipes)('the recipes for %s', (name, createTestClient) => {
  let relay: Relay;
  let client: TestClient;
  expectNothingPrinted();
  beforeEach(async () => {
    shortenBackOffs();
    relay = forTest(await startRelay(gateway.url));
    client = forTest(createTestClient(relay.url, createSession('carol-key-1', 'carol-token-1')));
  });

  it('repeat the mutation of docs/retrying-safely.md after a lost connection, and it reaches the service once', async () => {
    await forgetSandboxCalls(gateway);
    relay.loseResponses(2);
    const variables = { name: 'documented', key: crypto.randomUUID() };
    const answer = await client.mutate(documentIn('docs/retrying-safely.md', 'CreateOnce'), variables);
    expect(answer.codes).toEqual([]);
    expect(relay.requests).toHaveLength(3);
    const calls = await sandboxCalls(gateway);
    expect(calls.filter(({ endpoint }) => endpoint === 'createGroup')).toHaveLength(1);
  });

  it('updates the cached query of a document by its subscription', async () => {
    const { data } = await client.mutate(ImportMalaysiaInvoiceDocument, {
      input: anImport(`INV-12 ${name}`),
    });
    const { documentId } = data.importMalaysiaInvoice;
    await client.query(MalaysiaStatusDocument, { documentId });
    await controlSandbox(gateway, 'clock', { advanceMs: 60_000 });
    await client.watch(MalaysiaStatusChangedDocument, { documentId }, () => {});
    const requests = relay.requests.length;
    const { malaysiaStatus } = await client.cached(MalaysiaStatusDocument, { documentId });
    expect(malaysiaStatus).toMatchObject({ state: 'VALIDATED', isFinal: true });
    expect(relay.requests).toHaveLength(requests);
  });
});

it.each([
  ['for now', { code: 'UPSTREAM_UNAVAILABLE', retryable: true }, 3],
  ['by a gateway without its hash', { code: 'PERSISTED_QUERY_NOT_FOUND', retryable: false }, 2],
])(
  'a request whose response was lost rejects, and does not say that nothing was done, when its repetitions are refused %s',
  async (_how, extensions, attempts) => {
    const errors = [{ message: 'Refused.', extensions: { ...extensions, sideEffect: 'NONE' } }];
    const refusal = { data: { createGroup: null }, errors };
    const relay = forTest(await startRelay(forTest(await startService(json(200, refusal))).url));
    relay.loseResponses(1);
    const request = createRequest(relay.url, createSession('carol-key-1', 'carol-token-1'));
    const input = { name: 'refused', idempotencyKey: crypto.randomUUID() };
    await expect(request(CreateGroupDocument, { input })).rejects.toThrow('fetch failed');
    expect(relay.requests).toHaveLength(attempts);
  },
);

it.each([
  ['is not repeated, where its key belongs to the token', '', 1, 'TypeError: fetch failed'],
  ['is repeated, and not sent again, where its key belongs to the API key', 'key', 2, 'IDEMPOTENCY_CONFLICT'],
])(
  'a write whose response was lost before the token was renewed %s',
  async (_what, apiKey, requests, result) => {
    const service = forTest(await startService(json(200, { docId: 1 })));
    const relay = forTest(
      await startRelay(forTest(await startTestGateway({ UPSTREAM_URL: service.url })).url),
    );
    relay.loseResponses(1);
    const session = createSession(apiKey, 'token');
    const credentials = () => ({
      ...session.credentials(),
      authorization: `Bearer ${relay.requests.length}`,
    });
    const request = createRequest(relay.url, { ...session, credentials });
    const input = { ...anImport('INV-1'), idempotencyKey: crypto.randomUUID() };
    const found = await request(ImportMalaysiaInvoiceDocument, { input }).then(
      ({ errors }) => errors[0]?.extensions?.['code'],
      String,
    );
    const sent = service.received.filter(({ method }) => method === 'POST');
    expect([found, relay.requests.length, sent.length]).toEqual([result, requests, 1]);
  },
);

it('urql and Apollo Client send an operation with its name, and with the options for fetch of its context', async () => {
  const relay = forTest(await startRelay(gateway.url));
  const session = createSession('carol-key-1', 'carol-token-1');
  const own = vi.fn(fetch);
  const fetchOptions = { headers: { 'x-request-id': 'of-this-query', authorization: 'none' } };
  const variables = { by: { documentId: '1001' } };
  const urql = createUrqlClient(relay.url, session);
  await urql.query(MexicoValidationDocument, variables, { fetch: own, fetchOptions: () => fetchOptions });
  expect(own).toHaveBeenCalledTimes(1);
  const apollo = createApolloClient(relay.url, session);
  await apollo.query({ query: MexicoValidationDocument, variables, context: { fetchOptions } });
  const { headers } = fetchOptions;
  await apollo.query({ query: MexicoValidationDocument, variables, context: { headers } });
  const both = { fetchOptions, headers: { 'X-Trace': 'of-this-query' } };
  await apollo.query({ query: MexicoValidationDocument, variables, context: both });
  const sent = relay.requests.map(({ headers }) =>
    ['x-request-id', 'authorization'].map((name) => headers.get(name)),
  );
  expect(sent).toEqual(Array(4).fill(['of-this-query', 'Bearer carol-token-1']));
  expect(relay.requests.at(-1)?.headers.get('x-trace')).toBe('of-this-query');
  for (const { body } of relay.requests) expect(JSON.parse(body).operationName).toBe('MexicoValidation');
});

it('Apollo Client sends to the address of a context, with its credentials, and without unknown variables', async () => {
  const relay = forTest(await startRelay(gateway.url));
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  const client = createApolloClient('http://127.0.0.1:1/graphql', createSession('k', 't'));
  const variables = { by: { documentId: '1001' }, note: 'of the page' };
  const context = { uri: relay.url, credentials: 'include' };
  const query: DocumentNode = MexicoValidationDocument;
  await client.query({ query, variables, context });
  expect(fetched).toHaveBeenCalledWith(relay.url, expect.objectContaining({ credentials: 'include' }));
  const [{ body }] = relay.requests as [RelayedRequest];
  expect(JSON.parse(body).variables).toEqual({ by: { documentId: '1001' } });
});

it('a link of Apollo Client reads the response in the context, as after an HttpLink', async () => {
  const client = createApolloClient(gateway.url, createSession('k', 't'));
  const seen: unknown[] = [];
  const logging = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap((result) => seen.push(Object.keys(result), operation.getContext()['response']?.status)),
    ),
  );
  client.setLink(logging.concat(client.link));
  await client.query({ query: MexicoValidationDocument, variables: { by: { documentId: '1001' } } });
  expect(seen).toEqual([['data', 'extensions'], 200]);
});

it('urql executes the first operation of a document with several', async () => {
  const client = createUrqlClient(gateway.url, createSession('k', 't'));
  const several = `
    query Batch { gatewayInfo { limits { maxBatchSize } } }
    query Upload { gatewayInfo { limits { maxUploadBytes } } }
  `;
  const { data, error } = await client.query(several, {});
  expect(error).toBeUndefined();
  expect(data.gatewayInfo.limits).toMatchObject({ maxBatchSize: 100 });
});

const scans: [string, (url: string, file: File, key?: string) => Promise<{ readonly data?: any }>][] = [
  [
    'urql',
    (url, file, key) =>
      scanWithUrql(createUrqlClient(url, createSession('k', 't')), file, '7', () => {}, key),
  ],
  [
    'Apollo Client',
    (url, file, key) =>
      scanWithApollo(createApolloClient(url, createSession('k', 't')), file, '7', () => {}, key),
  ],
];

it.each(scans)(
  '%s scans with progress in a page without TLS, which has no crypto.randomUUID',
  async (_name, scan) => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { data } = await scan(gateway.url, new File(['card'], 'card.png'));
    expect(data.scanIdentityCard.__typename).toBe('ScanResult');
  },
);

it.each(scans)('%s scans a file once that is sent twice with progress under one key', async (name, scan) => {
  const file = new File([`a card of ${name}`], 'card.png');
  const documentIds: string[] = [];
  for (const key of ['key-of-one', 'key-of-one', 'key-of-two', undefined]) {
    const { data } = await scan(gateway.url, file, key && `${key}-${name.length}`);
    documentIds.push(data.scanIdentityCard.documentId);
  }
  expect(documentIds[1]).toBe(documentIds[0]);
  expect(new Set(documentIds).size).toBe(3);
});
