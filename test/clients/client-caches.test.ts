/** What the caches of `packages/client` return after a refusal: never a null without its error. */
import { QueryClient } from '@tanstack/query-core';
import { type DocumentNode, parse, print } from 'graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApolloClient } from '../../packages/client/src/apollo.ts';
import {
  ImportMalaysiaInvoiceDocument,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  MalaysiaStatusesChangedDocument,
  MalaysiaStatusesDocument,
  MexicoValidationDocument,
  MexicoValidationsDocument,
} from '../../packages/client/src/gql/graphql.ts';
import type { Request } from '../../packages/client/src/request.ts';
import { createSession } from '../../packages/client/src/session.ts';
import type { Subscribe } from '../../packages/client/src/subscribe.ts';
import { keyOf, queryOf, watchInto } from '../../packages/client/src/tanstack.ts';
import { quickPolls, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import {
  type Answer,
  anImport,
  apolloClient,
  expectNothingPrinted,
  type TestClient,
  urqlClient,
} from '../support/recipe-clients.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { controlSandbox } from '../support/sandbox-controls.ts';

const gateway = forFile(await startTestGateway(quickPolls));

let imported = 0;

describe.each([
  ['urql', urqlClient],
  ['Apollo Client', apolloClient],
] as const)('the cache of the recipes for %s', (_name, createTestClient) => {
  let relay: Relay;
  let client: TestClient;
  let documentIds: [string, string];
  expectNothingPrinted();
  beforeEach(async () => {
    await controlSandbox(gateway, 'faults', { endpoint: '*', fault: 'none' });
    relay = forTest(await startRelay(gateway.url));
    const session = createSession('erin-key-1', 'erin-token-1');
    client = forTest(createTestClient(relay.url, session));
    const writer = forTest(createTestClient(gateway.url, session));
    documentIds = [await importOne(writer), await importOne(writer)];
  });

  const refuseOnce = (endpoint: string) =>
    controlSandbox(gateway, 'faults', { endpoint, fault: 'status-403' });

  const anInput = () => anImport(`INV-${++imported}`);

  async function importOne(writer: TestClient): Promise<string> {
    const { data } = await writer.mutate(ImportMalaysiaInvoiceDocument, { input: anInput() });
    return data.importMalaysiaInvoice.documentId;
  }

  const two = [{ documentId: '1001' }, { documentId: '1002' }];
  const reads = [
    ['mexicoValidation', 'mexicoStatus', MexicoValidationDocument, () => ({ by: { documentId: '1001' } })],
    ['mexicoValidations', 'mexicoStatus', MexicoValidationsDocument, () => ({ by: two })],
    ['malaysiaStatus', 'malaysiaStatus', MalaysiaStatusDocument, () => ({ documentId: documentIds[0] })],
    ['malaysiaStatuses', 'malaysiaStatus', MalaysiaStatusesDocument, () => ({ documentIds })],
  ] as const;

  describe.each(reads)('for %s', (field, endpoint, document, variablesOf) => {
    const isList = field.endsWith('s') && field !== 'malaysiaStatus';
    const holdsNull = (data: any) => data !== null && [data[field]].flat().includes(null);

    it('stores nothing that was refused, and sends the query again', async () => {
      await refuseOnce(endpoint);
      const refused = await client.query(document, variablesOf());
      expect(refused.codes).toEqual(['FORBIDDEN']);
      if (isList) expect(refused.data[field].filter(Boolean)).toHaveLength(1);
      else expect(refused.data).toEqual({ [field]: null });
      expect(await client.cached(document, variablesOf())).toBeNull();
      const result = await client.query(document, variablesOf());
      expect(relay.requests).toHaveLength(2);
      expect(result.codes).toEqual([]);
      expect(holdsNull(result.data)).toBe(false);
    });

    it('delivers no null without its error to a page when a later read is refused', async () => {
      await client.query(document, variablesOf());
      await refuseOnce(endpoint);
      const shown: Answer[] = [];
      const stop = client.show(document, variablesOf(), (result) => shown.push(result));
      await expect.poll(() => shown.at(-1)?.codes).toEqual(['FORBIDDEN']);
      stop();
      for (const { data, codes } of shown)
        if (codes.length === 0) expect(holdsNull(data ?? null)).toBe(false);
      expect(holdsNull(await client.cached(document, variablesOf()))).toBe(false);
    });
  });

  const both = parse(`query Both($by: MexicoValidationReference!, $documentId: ID!) {
    mexicoValidation(by: $by) { __typename id result }
    malaysiaStatus(documentId: $documentId) { __typename id state }
  }`);

  it('delivers one of two fields when the other was refused, and stores no null for the refused one', async () => {
    await refuseOnce('mexicoStatus');
    const variables = { by: { documentId: '1001' }, documentId: documentIds[0] };
    const answer = await client.query(both, variables);
    expect(answer).toMatchObject({
      data: { mexicoValidation: null, malaysiaStatus: { state: 'QUEUED' } },
      codes: ['FORBIDDEN'],
    });
    expect(await client.cached(both, variables)).toBeNull();
  });

  it('delivers no null to a page for a field that was never read, next to one that was', async () => {
    await client.query(MalaysiaStatusDocument, { documentId: documentIds[0] });
    const shown: Answer[] = [];
    const variables = { by: { documentId: '1001' }, documentId: documentIds[0] };
    const stop = client.show(both, variables, (result) => shown.push(result));
    await expect.poll(() => shown.at(-1)?.data?.mexicoValidation).toMatchObject({ result: 'VALID' });
    stop();
    for (const { data } of shown) expect(data?.mexicoValidation).not.toBeNull();
  });

  it('keeps the null of a document that was never validated, which has no error', async () => {
    const variables = { by: { documentId: '1999' } };
    const data = { mexicoValidation: null };
    expect(await client.query(MexicoValidationDocument, variables)).toMatchObject({ data, codes: [] });
    expect(await client.cached(MexicoValidationDocument, variables)).toEqual(data);
  });

  it('stores no null for the status of a completed import when that status was refused', async () => {
    await refuseOnce('malaysiaStatus');
    const { data, codes } = await client.mutate(ImportMalaysiaInvoiceDocument, { input: anInput() });
    expect(codes).toEqual(['FORBIDDEN']);
    expect(data.importMalaysiaInvoice).toMatchObject({ __typename: 'MalaysiaImport', status: null });
    const { documentId } = data.importMalaysiaInvoice;
    expect(await client.cached(MalaysiaStatusDocument, { documentId })).toBeNull();
    const { malaysiaStatus } = (await client.query(MalaysiaStatusDocument, { documentId })).data;
    expect(malaysiaStatus.state).toBe('QUEUED');
  });

  it.each([
    ['is refused', MalaysiaStatusChangedDocument, () => ({ documentId: documentIds[0] }), []],
    [
      'of several cannot watch it',
      MalaysiaStatusesChangedDocument,
      () => ({ documentIds: [documentIds[0]] }),
      ['UNKNOWN'],
    ],
  ])(
    'keeps the last state of a document when its subscription %s',
    async (_how, subscription, variablesOf, states) => {
      const variables = { documentId: documentIds[0] };
      const before = (await client.query(MalaysiaStatusDocument, variables)).data;
      await refuseOnce('malaysiaStatus');
      const received = new Set<string>();
      const onData = (data: any) => {
        if (data) received.add(data.malaysiaStatusesChanged.state);
      };
      await client.watch(subscription, variablesOf(), onData).catch(() => {});
      expect([...received]).toEqual(states);
      expect(await client.cached(MalaysiaStatusDocument, variables)).toMatchObject(before);
    },
  );

  it('is not used for a state that the service can change', async () => {
    const variables = { documentId: documentIds[0] };
    await client.query(MalaysiaStatusDocument, variables);
    await controlSandbox(gateway, 'clock', { advanceMs: 60_000 });
    const { data } = await client.query(MalaysiaStatusDocument, variables);
    expect(data.malaysiaStatus.state).toBe('VALIDATED');
  });
});

it('the recipe for Apollo Client stores no import whose status was refused', async () => {
  const client = createApolloClient(gateway.url, createSession('erin-key-2', 'erin-token-2'));
  await controlSandbox(gateway, 'faults', { endpoint: 'malaysiaStatus', fault: 'status-403' });
  const { data, error } = await client.mutate({
    mutation: ImportMalaysiaInvoiceDocument,
    variables: { input: anImport('INV-1') },
  });
  expect(error).toBeDefined();
  expect(data?.importMalaysiaInvoice).toMatchObject({ __typename: 'MalaysiaImport', status: null });
  expect(JSON.stringify(client.cache.extract())).not.toContain('MalaysiaImport');
  client.stop();
});

it('TanStack Query keeps an event that comes while an older state is still being read', async () => {
  const queries = new QueryClient();
  const older = Promise.withResolvers<never>();
  const request: Request = () => older.promise;
  const variables = { documentId: '1' };
  const read = queries.fetchQuery(queryOf(request, MalaysiaStatusDocument, variables));
  const final = { malaysiaStatus: { documentId: '1', state: 'VALIDATED' } };
  const subscribe: Subscribe = (_document, _variables, sink) => {
    sink.next({ data: {} as never });
    return () => {};
  };
  watchInto(queries, subscribe, {
    subscription: MalaysiaStatusChangedDocument,
    variables,
    updates: () => [MalaysiaStatusDocument, variables, final],
  });
  older.resolve({ data: { malaysiaStatus: { documentId: '1', state: 'SUBMITTED' } }, errors: [] } as never);
  expect(await read).toEqual(final);
  expect(queries.getQueryData(keyOf(MalaysiaStatusDocument, variables))).toEqual(final);
});

it('TanStack Query keeps the results of two operations without names apart', async () => {
  const queries = new QueryClient();
  const read = (document: DocumentNode) => {
    const request = async () => ({ data: print(document), errors: [] });
    return queries.fetchQuery({ ...queryOf(request as unknown as Request, document, {}), staleTime: 60_000 });
  };
  const documents = [
    parse('{ gatewayInfo { rules { rule } } }'),
    parse('{ gatewayInfo { limits { maxXmlBytes } } }'),
  ];
  for (const document of documents) expect(await read(document)).toBe(print(document));
});
