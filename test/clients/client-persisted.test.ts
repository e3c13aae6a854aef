/** The recipes against a gateway that executes only the operations of their manifest. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryCache } from '@apollo/client';
import { QueryClient } from '@tanstack/query-core';
import { type DocumentNode, type OperationDefinitionNode, parse, print } from 'graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolio } from '../../packages/client/src/folio.ts';
import {
  CreateFapiaoDocument,
  CreateGroupDocument,
  ImportMalaysiaInvoiceDocument,
  MalaysiaStatusChangedDocument,
  MexicoValidationDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { messageOf } from '../../packages/client/src/message.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { createSocket } from '../../packages/client/src/socket.ts';
import { createSubscribe } from '../../packages/client/src/subscribe.ts';
import { watchInto } from '../../packages/client/src/tanstack.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, temporaryFolder } from '../support/lifetimes.ts';
import { anImport, apolloClient, recipes, type TestClient } from '../support/recipe-clients.ts';
import { type Relay, type RelayedRequest, startRelay } from '../support/relay.ts';

const gateway = forFile(
  await startTestGateway({
    PERSISTED_OPERATIONS: 'packages/client/src/gql/persisted-documents.json',
    PERSISTED_OPERATIONS_ONLY: 'true',
    MALAYSIA_POLL_MIN_MS: '20',
    SANDBOX_SPEED: '100',
  }),
);

describe.each(recipes)('the recipe for %s, with persisted operations only', (name, createTestClient) => {
  let relay: Relay;
  let client: TestClient;
  beforeEach(async () => {
    relay = forTest(await startRelay(gateway.url));
    const session = createSession('dora-key-1', 'dora-token-1');
    client = forTest(createTestClient(relay.url, session, { persisted: true }));
  });

  it('sends a query by POST, as a hash without a text', async () => {
    const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1001' } });
    expect(answer).toMatchObject({ data: { mexicoValidation: { result: 'VALID' } }, codes: [] });
    const [{ method, body }] = relay.requests as [RelayedRequest];
    expect(method).toBe('POST');
    expect(JSON.parse(body)).toMatchObject({
      extensions: { persistedQuery: { version: 1, sha256Hash: expect.stringMatching(/^[\da-f]{64}$/) } },
    });
    expect(JSON.parse(body)).not.toHaveProperty('query');
  });

  it('sends a file with the hash in the multipart request', async () => {
    const file = new File([readFileSync('test/fixtures/fapiao.xml')], 'fapiao.xml');
    const answer = await client.mutate(CreateFapiaoDocument, { input: { document: { file } } });
    expect(answer).toMatchObject({ data: { createFapiao: { __typename: 'FapiaoRequest' } }, codes: [] });
    const [{ body }] = relay.requests as [RelayedRequest];
    expect(body).toContain('"sha256Hash"');
    expect(body).not.toContain('mutation CreateFapiao');
  });

  it('subscribes by the hash over a WebSocket, and gets the final state', async () => {
    const input = anImport(`INV-51-${name}`);
    const { data } = await client.mutate(ImportMalaysiaInvoiceDocument, { input });
    const states: string[] = [];
    const { documentId } = data.importMalaysiaInvoice;
    await client.watch(MalaysiaStatusChangedDocument, { documentId }, ({ malaysiaStatusChanged }) =>
      states.push(malaysiaStatusChanged.state),
    );
    expect(states.at(-1)).toBe('VALIDATED');
    const sent = relay.sockets.flat().find(({ type }) => type === 'subscribe');
    expect(sent?.payload).toMatchObject({ query: '', extensions: { persistedQuery: { version: 1 } } });
  });

  it('gets PERSISTED_QUERY_ONLY for a document that has no hash', async () => {
    const answer = await client.query(parse('query Own { gatewayInfo { limits { maxBatchSize } } }'), {});
    expect(answer.codes).toEqual(['PERSISTED_QUERY_ONLY']);
    expect(relay.requests).toHaveLength(1);
  });
});

it("Apollo Client sends the ids of a manifest of Apollo's own tool", async () => {
  const operations = [MexicoValidationDocument, CreateGroupDocument].map((text) => {
    // As a cache adds it: to every selection below the root.
    const document: DocumentNode = new InMemoryCache().transformDocument(parse(print(text)));
    const body = print(document);
    const [definition] = document.definitions as [OperationDefinitionNode];
    const id = createHash('sha256').update(body).digest('hex');
    return { id, name: String(definition.name?.value), type: definition.operation, body };
  });
  const file = join(temporaryFolder(), 'persisted-query-manifest.json');
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
  writeFileSync(file, JSON.stringify(manifest));
  const strict = forTest(
    await startTestGateway({ PERSISTED_OPERATIONS: file, PERSISTED_OPERATIONS_ONLY: 'true' }),
  );
  const session = createSession('key', 'token');
  const client = forTest(apolloClient(strict.url, session, { persisted: manifest }));
  const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1001' } });
  expect(answer).toMatchObject({ data: { mexicoValidation: { result: 'VALID' } }, codes: [] });
});

it('live statuses come over an event stream by the hash of their operation', async () => {
  const options = { persisted: true, transport: 'event-stream' } as const;
  const live = createFolio(gateway.url, createSession('key', 'token'), options).liveStatuses();
  live.set(['2001']);
  await expect.poll(() => live.current().get('2001')?.state).toBeDefined();
  live.set([]);
});

describe('a subscription whose hash the gateway does not know', () => {
  const names = ['MalaysiaStatusChanged', 'MalaysiaStatusesChanged'];
  const persisted = { operations: names.map((name) => ({ name, id: 'f'.repeat(64) })) };
  const session = createSession('dora-key-1', 'dora-token-1');

  it.each(['websocket', 'event-stream'] as const)(
    'is the problem of each live document (%s)',
    async (transport) => {
      const live = createFolio(gateway.url, session, { persisted, transport }).liveStatuses();
      live.set(['1', '2']);
      const problems = () => [...live.current()].map(([id, { problem }]) => [id, problem?.code]);
      await expect.poll(problems).toEqual(['1', '2'].map((id) => [id, 'PERSISTED_QUERY_NOT_FOUND']));
      live.set([]);
    },
  );

  it('is reported by TanStack Query with its errors', async () => {
    const subscribe = createSubscribe(createSocket(gateway.url, session).subscribe, { persisted });
    const errors = await new Promise<readonly unknown[]>((onError) => {
      watchInto(new QueryClient(), subscribe, {
        subscription: MalaysiaStatusChangedDocument,
        variables: { documentId: '1' },
        updates: () => [MalaysiaStatusChangedDocument, {}, {}],
        onError,
      });
    });
    expect(errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    expect(messageOf(errors)).toContain('Nothing was done.');
  });
});
