/** The files of `examples/clients`, as a front end has them when it copied them. */
import { readFileSync } from 'node:fs';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { isObjectType, isUnionType, parse, print } from 'graphql';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CreateFapiaoDocument,
  CreateGroupDocument,
  ImportMalaysiaInvoiceDocument,
  ImportMalaysiaInvoicesDocument,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  MexicoValidationDocument,
} from '../examples/clients/gql/graphql.ts';
import { hasFile, multipartOf } from '../examples/clients/multipart.ts';
import { type Attempt, retryDelayMs } from '../examples/clients/retry-rule.ts';
import { introspection, possibleTypes } from '../examples/clients/schema.ts';
import { createSession, type Session } from '../examples/clients/session.ts';
import { schema } from '../src/schema.ts';
import { hasBrowser, startBrowser } from './support/browser.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { type ServedPage, servePage } from './support/page.ts';
import { apolloClient, type TestClient, urqlClient } from './support/recipe-clients.ts';
import { type Relay, type RelayedRequest, startRelay } from './support/relay.ts';
import type { UploadOrder, UploadOutcome } from './support/upload-page.ts';

const anImport = (docNumber: string) => ({
  queueId: '42',
  invoice: {
    docType: 'INVOICE',
    docNumber,
    supplier: {},
    buyer: {},
    lines: [{ amountExclTax: '10.00', taxes: [] }],
  },
});

/** The operation of that name in a fenced block of a page. */
function documentIn(page: string, operationName: string): TypedDocumentNode<any, any> {
  const blocks = readFileSync(page, 'utf8').matchAll(/```graphql\n([\s\S]*?)```/g);
  const block = [...blocks].find(([, text]) => text?.includes(operationName));
  return parse(block?.[1] ?? '');
}

describe.each([
  ['urql', urqlClient],
  ['Apollo Client', apolloClient],
] as const)('the recipes for %s', (_name, createTestClient) => {
  let gateway: TestGateway;
  let relay: Relay;
  let session: Session;
  let client: TestClient;
  let warnings: string[];

  beforeAll(async () => {
    gateway = await startTestGateway({ MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '40' });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    warnings = [];
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((message) => warnings.push(String(message)));
    await fetch(new URL('/sandbox/calls', gateway.serviceUrl), { method: 'DELETE' });
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

  async function tell(path: string, order: object): Promise<void> {
    const response = await fetch(new URL(path, gateway.serviceUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    expect(response.status).toBe(200);
  }

  async function callsOf(endpoint: string): Promise<number> {
    const answer = await fetch(new URL('/sandbox/calls', gateway.serviceUrl));
    const { calls } = (await answer.json()) as { calls: { endpoint: string }[] };
    return calls.filter((call) => call.endpoint === endpoint).length;
  }

  describe('the client', () => {
    it('sends the credentials of the moment with each operation', async () => {
      await client.query(MexicoValidationDocument, { by: { documentId: '1001' } });
      session.renew('carol-token-2');
      await client.query(MexicoValidationDocument, { by: { documentId: '1002' } });
      expect(relay.requests.map(({ headers }) => headers.get('authorization'))).toEqual([
        'Bearer carol-token-1',
        'Bearer carol-token-2',
      ]);
      expect(relay.requests.map(({ headers }) => headers.get('x-api-key'))).toEqual(
        Array(2).fill('carol-key-1'),
      );
    });
  });

  describe('a retry', () => {
    it('of a refused write comes as soon as the service said, and no sooner', async () => {
      await tell('/sandbox/faults', { endpoint: 'createGroup', fault: 'retry-after-1' });
      const answer = await client.mutate(CreateGroupDocument, { input: { name: 'patient' } });
      expect(answer).toMatchObject({ data: { createGroup: { name: 'patient' } }, codes: [] });
      const [first, second] = relay.requests.map(({ atMs }) => atMs) as [number, number];
      expect(relay.requests).toHaveLength(2);
      expect(second - first).toBeGreaterThanOrEqual(1000);
    });

    it('does not come where the service asks for more than half a minute', async () => {
      await tell('/sandbox/faults', { endpoint: 'createGroup', fault: 'retry-after-31' });
      const answer = await client.mutate(CreateGroupDocument, { input: {} });
      expect(answer.codes).toEqual(['RATE_LIMITED']);
      expect(relay.requests).toHaveLength(1);
    });

    it('of a read stops after the third attempt', async () => {
      await tell('/sandbox/faults', { endpoint: 'mexicoStatus', fault: 'status-500', times: null });
      const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1003' } });
      await tell('/sandbox/faults', { endpoint: 'mexicoStatus', fault: 'none' });
      expect(answer.codes).toEqual(['UPSTREAM_UNAVAILABLE']);
      expect(relay.requests).toHaveLength(3);
    });

    it.each(['status-500', 'reset'])(
      'never comes for a write that may have been done (%s)',
      async (fault) => {
        await tell('/sandbox/faults', { endpoint: 'createGroup', fault });
        const answer = await client.mutate(CreateGroupDocument, { input: { name: 'once' } });
        expect(answer.codes).toHaveLength(1);
        expect(relay.requests).toHaveLength(1);
        expect(await callsOf('createGroup')).toBe(1);
      },
    );

    it('never comes for a list of writes of which one went through', async () => {
      await tell('/sandbox/faults', { endpoint: 'malaysiaImport', fault: 'retry-after-1' });
      const input = [anImport('INV-1'), anImport('INV-2')];
      const answer = await client.mutate(ImportMalaysiaInvoicesDocument, { input });
      expect(answer.codes).toEqual(['RATE_LIMITED']);
      expect(answer.data.importMalaysiaInvoices.filter((one: unknown) => one === null)).toHaveLength(1);
      expect(relay.requests).toHaveLength(1);
      expect(await callsOf('malaysiaImport')).toBe(2);
    });

    it('of a read follows a lost connection', async () => {
      relay.loseAnswers(1);
      const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1001' } });
      expect(answer).toMatchObject({ data: { mexicoValidation: { result: 'VALID' } }, codes: [] });
      expect(relay.requests).toHaveLength(2);
    });

    it('never follows a lost connection for a write without a key', async () => {
      relay.loseAnswers(1);
      const answer = await client.mutate(CreateGroupDocument, { input: { name: 'keyless' } });
      expect(answer.codes).toEqual(['LOST']);
      expect(relay.requests).toHaveLength(1);
    });

    it('follows a lost connection for a write with a key, which the service is asked once', async () => {
      relay.loseAnswers(2);
      const input = { name: 'keyed', idempotencyKey: crypto.randomUUID() };
      const answer = await client.mutate(CreateGroupDocument, { input });
      expect(answer).toMatchObject({ data: { createGroup: { name: 'keyed' } }, codes: [] });
      expect(relay.requests).toHaveLength(3);
      expect(await callsOf('createGroup')).toBe(1);
    });
  });

  describe('a lost connection', () => {
    it('repeats the mutation of docs/retrying-safely.md, and the service is asked once', async () => {
      relay.loseAnswers(2);
      const variables = { name: 'documented', key: crypto.randomUUID() };
      const answer = await client.mutate(documentIn('docs/retrying-safely.md', 'CreateOnce'), variables);
      expect(answer.codes).toEqual([]);
      expect(relay.requests).toHaveLength(3);
      expect(await callsOf('createGroup')).toBe(1);
    });

    it('does not repeat that mutation when its key is null', async () => {
      relay.loseAnswers(1);
      const text = print(documentIn('docs/retrying-safely.md', 'CreateOnce')).replace(
        '$key: String!',
        '$key: String',
      );
      const answer = await client.mutate(parse(text), { name: 'keyless', key: null });
      expect(answer.codes).toEqual(['LOST']);
      expect(relay.requests).toHaveLength(1);
      expect(await callsOf('createGroup')).toBe(1);
    });

    it('repeats a list of imports of which each has a key, and the service is asked once for each', async () => {
      relay.loseAnswers(1);
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

    it('sends a file that is a variable of its own', async () => {
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
      const { data } = await client.mutate(ImportMalaysiaInvoiceDocument, { input: anImport(docNumber) });
      return data.importMalaysiaInvoice.documentId;
    }

    it('gives its credentials with connection_init', async () => {
      const documentId = await importOne('INV-10');
      await tell('/sandbox/clock', { advanceMs: 60_000 });
      await client.watch(MalaysiaStatusChangedDocument, { documentId }, () => {});
      expect(relay.sockets.map(([first]) => first)).toEqual([
        {
          type: 'connection_init',
          payload: { 'x-api-key': 'carol-key-1', authorization: 'Bearer carol-token-1' },
        },
      ]);
    });

    it('goes on over a new socket with the new token after a renewal', async () => {
      const documentId = await importOne('INV-11');
      const states: string[] = [];
      let isRenewed = false;
      await client.watch(MalaysiaStatusChangedDocument, { documentId }, (data) => {
        states.push(data.malaysiaStatusChanged.state);
        if (!isRenewed) session.renew('carol-token-2');
        // The second socket tells the state of now; then the document goes its way.
        else void tell('/sandbox/clock', { advanceMs: 60_000 });
        isRenewed = true;
      });
      expect(states.slice(0, 2)).toEqual(['QUEUED', 'QUEUED']);
      expect(states.at(-1)).toBe('VALIDATED');
      expect(relay.sockets.map(([first]) => first?.payload.authorization)).toEqual([
        'Bearer carol-token-1',
        'Bearer carol-token-2',
      ]);
    });

    it('updates what a query of the same document has in the cache', async () => {
      const documentId = await importOne('INV-12');
      await client.query(MalaysiaStatusDocument, { documentId });
      await tell('/sandbox/clock', { advanceMs: 60_000 });
      await client.watch(MalaysiaStatusChangedDocument, { documentId }, () => {});
      const requests = relay.requests.length;
      const { malaysiaStatus } = await client.cached(MalaysiaStatusDocument, { documentId });
      expect(malaysiaStatus).toMatchObject({ state: 'VALIDATED', isFinal: true });
      expect(relay.requests).toHaveLength(requests);
    });
  });
});

describe('the multipart request of an operation', () => {
  const file = (name: string) => new File([name], name);

  it('finds files in nested inputs and in lists, and leaves null in their places', async () => {
    const [one, two, three] = [file('one'), file('two'), file('three')];
    const variables = {
      plain: one,
      input: { inner: { list: [{ file: two }, { file: null }] } },
      files: [three],
    };
    const body = multipartOf('mutation', variables);
    expect(JSON.parse(String(body.get('operations')))).toEqual({
      query: 'mutation',
      variables: { plain: null, input: { inner: { list: [{ file: null }, { file: null }] } }, files: [null] },
    });
    expect(JSON.parse(String(body.get('map')))).toEqual({
      0: ['variables.plain'],
      1: ['variables.input.inner.list.0.file'],
      2: ['variables.files.0'],
    });
    expect([...body.keys()]).toEqual(['operations', 'map', '0', '1', '2']);
    for (const [key, sent] of [one, two, three].entries()) expect(body.get(`${key}`)).toEqual(sent);
  });

  it('leaves the variables of the caller unchanged', () => {
    const one = file('one');
    const variables = { input: { file: one } };
    multipartOf('mutation', variables);
    expect(variables.input.file).toBe(one);
  });

  it.each([
    ['a file', { input: file('one') }, true],
    ['a Blob in a list', { list: [null, { blob: new Blob(['x']) }] }, true],
    ['no file', { input: { list: [1, 'text', null, { name: 'file' }] } }, false],
    ['no variables', undefined, false],
  ])('knows whether there is one: %s', (_title, variables, expected) => {
    expect(hasFile(variables)).toBe(expected);
  });
});

describe('the rule for retries', () => {
  const refused = { retryable: true, sideEffect: 'NONE' };
  const attempt = (members: Partial<Attempt>): Attempt => ({
    kind: 'mutation',
    document: CreateGroupDocument,
    variables: { input: {} },
    errors: [{ extensions: refused }],
    number: 1,
    ...members,
  });

  it('allows what did nothing and may be repeated', () => {
    expect(retryDelayMs(attempt({ data: { createGroup: null } }))).toBeGreaterThanOrEqual(0);
  });

  it('waits for the last of several', () => {
    const errors = [1_000, 5_000].map((retryAfterMs) => ({ extensions: { ...refused, retryAfterMs } }));
    expect(retryDelayMs(attempt({ errors }))).toBe(5_000);
  });

  it.each([
    [
      'is retryable but may have been done',
      { errors: [{ extensions: { ...refused, sideEffect: 'POSSIBLE' } }] },
    ],
    ['is retryable but was done', { errors: [{ extensions: { ...refused, sideEffect: 'APPLIED' } }] }],
    ['did nothing but would fail again', { errors: [{ extensions: { ...refused, retryable: false } }] }],
    ['says nothing of it', { errors: [{}] }],
    ['failed in two ways of which one forbids it', { errors: [{ extensions: refused }, {}] }],
    ['did one of its writes', { data: { one: { id: 1 }, other: null } }],
    ['went well', { errors: [] }],
    ['was tried three times', { number: 3 }],
    ['is a subscription', { kind: 'subscription' }],
    [
      'was lost, and only some of its writes have keys',
      {
        errors: undefined,
        document: ImportMalaysiaInvoicesDocument,
        variables: { input: [{ idempotencyKey: 'one-of-two' }, {}] },
      },
    ],
    ['was lost, and has no input at all', { errors: undefined, variables: undefined }],
  ] satisfies [string, Partial<Attempt>][])('forbids what %s', (_title, members) => {
    expect(retryDelayMs(attempt(members))).toBeUndefined();
  });

  describe('after a lost connection', () => {
    const key = 'order-4711';
    const lost = (source: string, variables?: object) =>
      retryDelayMs({ kind: 'mutation', document: parse(source), variables, errors: undefined, number: 1 });

    it.each([
      [
        'in a variable of its own',
        '($key: String!) { createGroup(input: { idempotencyKey: $key }) { __typename } }',
        { key },
      ],
      [
        'in an input of any name',
        '($order: CreateGroupInput!) { createGroup(input: $order) { __typename } }',
        { order: { idempotencyKey: key } },
      ],
      [
        'in the document',
        `{ createGroup(input: { name: "Kad", idempotencyKey: "${key}" }) { __typename } }`,
        undefined,
      ],
      [
        'in the default of a variable',
        `($key: String = "${key}") { createGroup(input: { idempotencyKey: $key }) { __typename } }`,
        {},
      ],
      [
        'in each member of a list',
        '($all: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $all) { __typename } }',
        { all: [{ idempotencyKey: key }, { idempotencyKey: 'order-4712' }] },
      ],
      [
        'in each of several variables in a list',
        '($a: ImportMalaysiaInvoiceInput!, $key: String) { importMalaysiaInvoices(input: [$a, { queueId: "7", idempotencyKey: $key }]) { __typename } }',
        { a: { idempotencyKey: key }, key: 'order-4712' },
      ],
      [
        'in each of its writes',
        `{ one: createGroup(input: { idempotencyKey: "${key}" }) { __typename } two: createGroup(input: { idempotencyKey: "order-4712" }) { __typename } }`,
        undefined,
      ],
      [
        'in a fragment',
        `{ __typename ...Write } fragment Write on Mutation { ... { createGroup(input: { idempotencyKey: "${key}" }) { __typename } } }`,
        undefined,
      ],
    ])('allows a mutation with its key %s', (_title, rest, variables) => {
      expect(lost(`mutation ${rest}`, variables)).toBeGreaterThanOrEqual(0);
    });

    it.each([
      ['has no input', '{ createGroup(input: {}) { __typename } }', undefined],
      [
        'has a variable named key that it passes elsewhere',
        '($key: String!) { createGroup(input: { name: $key }) { __typename } }',
        { key },
      ],
      [
        'has a key that the document does not use',
        '($name: String) { createGroup(input: { name: $name }) { __typename } }',
        { name: 'x', input: { idempotencyKey: key } },
      ],
      [
        'has null as its key',
        '($key: String) { createGroup(input: { idempotencyKey: $key }) { __typename } }',
        { key: null },
      ],
      [
        'has null as its key in spite of a default',
        `($key: String = "${key}") { createGroup(input: { idempotencyKey: $key }) { __typename } }`,
        { key: null },
      ],
      [
        'was given no key',
        '($key: String) { createGroup(input: { idempotencyKey: $key }) { __typename } }',
        {},
      ],
      [
        'has a member of that name in the invoice',
        '($input: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoice(input: $input) { __typename } }',
        { input: { invoice: { extra: { idempotencyKey: key } } } },
      ],
      [
        'has a list with one member without a key',
        '($all: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $all) { __typename } }',
        { all: [{ idempotencyKey: key }, { idempotencyKey: null }] },
      ],
      [
        'has an empty list',
        '($all: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $all) { __typename } }',
        { all: [] },
      ],
      [
        'has a second write without a key',
        `{ one: createGroup(input: { idempotencyKey: "${key}" }) { __typename } two: createGroup(input: {}) { __typename } }`,
        undefined,
      ],
      [
        'has a write that takes no key',
        '{ exportDocuments(input: { documentIds: ["1"] }) { __typename } }',
        undefined,
      ],
      [
        'has a write without a key in a fragment',
        `{ createGroup(input: { idempotencyKey: "${key}" }) { __typename } ...Write } fragment Write on Mutation { exportDocuments(input: {}) { __typename } }`,
        undefined,
      ],
    ])('forbids a mutation that %s', (_title, rest, variables) => {
      expect(lost(`mutation ${rest}`, variables)).toBeUndefined();
    });
  });
});

it('the introspection of the clients holds every object type with its fields, and every union', () => {
  const typeText = (type: any): string =>
    type.kind === 'NON_NULL'
      ? `${typeText(type.ofType)}!`
      : type.kind === 'LIST'
        ? `[${typeText(type.ofType)}]`
        : type.name;
  const given = introspection.__schema.types.map((type) => [
    type.name,
    type.kind === 'OBJECT'
      ? type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).sort()
      : type.possibleTypes.map(({ name }) => name),
  ]);
  const expected = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isUnionType(type))
      return [
        [
          type.name,
          type
            .getTypes()
            .map(({ name }) => name)
            .sort(),
        ],
      ];
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const fields = Object.values(type.getFields()).map((field) => `${field.name}: ${field.type}`);
    return [[type.name, fields.sort()]];
  });
  expect(Object.fromEntries(given)).toEqual(Object.fromEntries(expected));
});

it('the possible types name every union and its members', () => {
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType);
  expect(possibleTypes).toEqual(
    Object.fromEntries(
      unions.map((union) => [
        union.name,
        union
          .getTypes()
          .map(({ name }) => name)
          .sort(),
      ]),
    ),
  );
});

describe.skipIf(!hasBrowser())('an upload from a page of another origin', { timeout: 60_000 }, () => {
  const sizeBytes = 64 * 1024 * 1024;
  let gateway: TestGateway;
  let browser: Browser;
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage('test/support/upload-page.ts');
    gateway = await startTestGateway({ CORS_ORIGINS: served.origin });
    browser = await startBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await gateway?.close();
  });

  it.each(['urql', 'apollo'] as const)(
    'tells its progress and answers what was read (%s)',
    async (client) => {
      const page = await browser.newPage();
      await page.goto(served.origin);
      await page.waitForFunction('globalThis.upload');
      const order: UploadOrder = { client, gatewayUrl: gateway.url, sizeBytes };
      const { data, error, progress } = await page.evaluate<UploadOutcome>(
        `globalThis.upload(${JSON.stringify(order)})`,
      );
      await page.close();
      expect(error).toBeUndefined();
      expect(data.scanIdentityCard).toMatchObject({ __typename: 'ScanResult', status: 'COMPLETED' });
      const sent = progress.map(([bytes]) => bytes);
      expect(sent.length).toBeGreaterThan(1);
      expect(sent).toEqual(sent.toSorted((one, other) => one - other));
      for (const [, total] of progress) expect(total).toBeGreaterThan(sizeBytes);
      expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1]);
    },
  );
});
