/** The files of `packages/client`, used as a front end would use them. */
import { readFileSync } from 'node:fs';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse, print } from 'graphql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CreateFapiaoDocument,
  CreateGroupDocument,
  ImportMalaysiaInvoiceDocument,
  ImportMalaysiaInvoicesDocument,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  MexicoValidationDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { createSession, type Session } from '../../packages/client/src/session.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';
import { anImport, recipes, shortenBackOffs, type TestClient } from '../support/recipe-clients.ts';
import { type Relay, type RelayedRequest, startRelay } from '../support/relay.ts';
import { controlSandbox, forgetSandboxCalls, sandboxCalls } from '../support/sandbox-controls.ts';

const gateway = forFile(await startTestGateway({ MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '40' }));

/** The operation with this name in a code block of a page. */
function documentIn(page: string, operationName: string): TypedDocumentNode<any, any> {
  const blocks = readFileSync(page, 'utf8').matchAll(/```graphql\n([\s\S]*?)```/g);
  const block = [...blocks].find(([, text]) => text?.includes(operationName));
  return parse(block?.[1] ?? '');
}

describe.each(recipes)('the recipes for %s', (name, createTestClient) => {
  let relay: Relay;
  let session: Session;
  let client: TestClient;
  let warnings: string[];

  beforeEach(async () => {
    warnings = [];
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((message) => warnings.push(String(message)));
    shortenBackOffs();
    await forgetSandboxCalls(gateway);
    relay = await startRelay(gateway.url);
    session = createSession('carol-key-1', 'carol-token-1');
    client = createTestClient(relay.url, session);
  });
  afterEach(async () => {
    client.close();
    await relay.close();
    vi.restoreAllMocks();
    expect(warnings).toEqual([]);
  });

  async function callsOf(endpoint: string): Promise<number> {
    const calls = await sandboxCalls(gateway);
    return calls.filter((call) => call.endpoint === endpoint).length;
  }

  it('send the current credentials with each operation', async () => {
    await client.query(MexicoValidationDocument, { by: { documentId: '1001' } });
    session.renew('carol-token-2');
    await client.query(MexicoValidationDocument, { by: { documentId: '1002' } });
    const sent = relay.requests.map(({ headers }) => [
      headers.get('x-api-key'),
      headers.get('authorization'),
    ]);
    expect(sent).toEqual([
      ['carol-key-1', 'Bearer carol-token-1'],
      ['carol-key-1', 'Bearer carol-token-2'],
    ]);
  });

  describe('a retry', () => {
    it('of a refused write waits for as long as the service requires', async () => {
      await controlSandbox(gateway, 'faults', { endpoint: 'createGroup', fault: 'retry-after-1' });
      const answer = await client.mutate(CreateGroupDocument, { input: { name: 'patient' } });
      expect(answer).toMatchObject({ data: { createGroup: { name: 'patient' } }, codes: [] });
      const [first, second] = relay.requests.map(({ atMs }) => atMs) as [number, number];
      expect(relay.requests).toHaveLength(2);
      expect(second - first).toBeGreaterThanOrEqual(1000);
    });

    it('is not made when the service requires more than half a minute', async () => {
      await controlSandbox(gateway, 'faults', { endpoint: 'createGroup', fault: 'retry-after-31' });
      const answer = await client.mutate(CreateGroupDocument, { input: {} });
      expect(answer.codes).toEqual(['RATE_LIMITED']);
      expect(relay.requests).toHaveLength(1);
    });

    it('of a read stops after the third attempt', async () => {
      await controlSandbox(gateway, 'faults', { endpoint: 'mexicoStatus', fault: 'status-500', times: null });
      const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1003' } });
      await controlSandbox(gateway, 'faults', { endpoint: 'mexicoStatus', fault: 'none' });
      expect(answer.codes).toEqual(['UPSTREAM_UNAVAILABLE']);
      expect(relay.requests).toHaveLength(3);
    });

    it.each(['status-500', 'reset'])(
      'is not made for a write that may have been done (%s)',
      async (fault) => {
        await controlSandbox(gateway, 'faults', { endpoint: 'createGroup', fault });
        const answer = await client.mutate(CreateGroupDocument, { input: { name: 'once' } });
        expect(answer.codes).toHaveLength(1);
        expect(relay.requests).toHaveLength(1);
        expect(await callsOf('createGroup')).toBe(1);
      },
    );

    it('is not made for a list of writes of which one succeeded', async () => {
      await controlSandbox(gateway, 'faults', { endpoint: 'malaysiaImport', fault: 'retry-after-1' });
      const input = [anImport('INV-1'), anImport('INV-2')];
      const answer = await client.mutate(ImportMalaysiaInvoicesDocument, { input });
      expect(answer.codes).toEqual(['RATE_LIMITED']);
      expect(answer.data.importMalaysiaInvoices.filter((one: unknown) => one === null)).toHaveLength(1);
      expect(relay.requests).toHaveLength(1);
      expect(await callsOf('malaysiaImport')).toBe(2);
    });

    it('of a read is made after a lost connection', async () => {
      relay.loseResponses(1);
      const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1001' } });
      expect(answer).toMatchObject({ data: { mexicoValidation: { result: 'VALID' } }, codes: [] });
      expect(relay.requests).toHaveLength(2);
    });

    it('is not made after a lost connection for a write without a key', async () => {
      relay.loseResponses(1);
      const answer = await client.mutate(CreateGroupDocument, { input: { name: 'keyless' } });
      expect(answer.codes).toEqual(['LOST']);
      expect(relay.requests).toHaveLength(1);
    });
  });

  describe('a client that lost its connection', () => {
    it('repeats the mutation of docs/retrying-safely.md, which reaches the service once', async () => {
      relay.loseResponses(2);
      const variables = { name: 'documented', key: crypto.randomUUID() };
      const answer = await client.mutate(documentIn('docs/retrying-safely.md', 'CreateOnce'), variables);
      expect(answer.codes).toEqual([]);
      expect(relay.requests).toHaveLength(3);
      expect(await callsOf('createGroup')).toBe(1);
    });

    it('does not repeat that mutation when its key is null', async () => {
      relay.loseResponses(1);
      const text = print(documentIn('docs/retrying-safely.md', 'CreateOnce')).replace(
        '$key: String!',
        '$key: String',
      );
      const answer = await client.mutate(parse(text), { name: 'keyless', key: null });
      expect(answer.codes).toEqual(['LOST']);
      expect(relay.requests).toHaveLength(1);
      expect(await callsOf('createGroup')).toBe(1);
    });

    it('repeats a list of imports with a key each, and each reaches the service once', async () => {
      relay.loseResponses(1);
      const input = ['INV-30', 'INV-31'].map((docNumber) => ({
        ...anImport(docNumber),
        idempotencyKey: crypto.randomUUID(),
      }));
      const answer = await client.mutate(ImportMalaysiaInvoicesDocument, { input });
      expect(answer.codes).toEqual([]);
      expect(relay.requests).toHaveLength(2);
      expect(await callsOf('malaysiaImport')).toBe(2);
    });
  });

  describe('an operation with a file', () => {
    const partsOf = (body: string) =>
      [...body.matchAll(/form-data; name="([^"]*)"/g)].map(([, name]) => name);

    it('sends a Fapiao as the file of a multipart request', async () => {
      const file = new File([readFileSync('test/fixtures/fapiao.xml')], 'fapiao.xml', {
        type: 'application/xml',
      });
      const input = { name: 'March', document: { file } };
      const answer = await client.mutate(CreateFapiaoDocument, { input });
      expect(answer).toMatchObject({ data: { createFapiao: { __typename: 'FapiaoRequest' } }, codes: [] });
      const [{ body }] = relay.requests as [RelayedRequest];
      expect(partsOf(body)).toEqual(['operations', 'map', '0']);
      expect(body).toContain('"variables.input.document.file"');
    });

    it('sends a file that is a variable itself', async () => {
      const file = new File(['a picture'], 'card.png', { type: 'image/png' });
      const answer = await client.mutate(
        parse(
          'mutation Scan($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "7" }) { __typename } }',
        ),
        { file },
      );
      expect(answer).toMatchObject({ data: { scanIdentityCard: { __typename: 'ScanResult' } }, codes: [] });
      expect(relay.requests).toHaveLength(1);
    });

    it('sends a Fapiao as text without a multipart request', async () => {
      const xml = readFileSync('test/fixtures/fapiao.xml', 'utf8');
      const answer = await client.mutate(CreateFapiaoDocument, { input: { document: { xml } } });
      expect(answer.codes).toEqual([]);
      expect(relay.requests.map(({ headers }) => headers.get('content-type'))).toEqual(['application/json']);
    });
  });

  describe('a subscription', () => {
    async function importOne(docNumber: string): Promise<string> {
      const { data } = await client.mutate(ImportMalaysiaInvoiceDocument, {
        input: anImport(`${docNumber} ${name}`),
      });
      return data.importMalaysiaInvoice.documentId;
    }

    it('sends its credentials with connection_init, continues over a new socket after a renewal, and repeats no state', async () => {
      const documentId = await importOne('INV-11');
      const states: string[] = [];
      const watched = client.watch(MalaysiaStatusChangedDocument, { documentId }, (data) => {
        states.push(data.malaysiaStatusChanged.state);
      });
      await vi.waitFor(() => expect(states).toEqual(['QUEUED']));
      session.renew('carol-token-2');
      await vi.waitFor(() => expect(relay.sockets[1]?.map(({ type }) => type)).toContain('subscribe'));
      await controlSandbox(gateway, 'clock', { advanceMs: 60_000 });
      await watched;
      expect(states.at(-1)).toBe('VALIDATED');
      expect(states).toEqual([...new Set(states)]);
      const tokens = ['Bearer carol-token-1', 'Bearer carol-token-2'];
      expect(relay.sockets.map(([first]) => first)).toEqual(
        tokens.map((authorization) => ({
          type: 'connection_init',
          payload: { 'x-api-key': 'carol-key-1', authorization },
        })),
      );
    });

    it('updates the cached query of the same document', async () => {
      const documentId = await importOne('INV-12');
      await client.query(MalaysiaStatusDocument, { documentId });
      await controlSandbox(gateway, 'clock', { advanceMs: 60_000 });
      await client.watch(MalaysiaStatusChangedDocument, { documentId }, () => {});
      const requests = relay.requests.length;
      const { malaysiaStatus } = await client.cached(MalaysiaStatusDocument, { documentId });
      expect(malaysiaStatus).toMatchObject({ state: 'VALIDATED', isFinal: true });
      expect(relay.requests).toHaveLength(requests);
    });
  });
});
