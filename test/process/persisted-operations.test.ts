import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { alice, readResponse, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { killProcesses, outputOf, runMain } from '../support/process.ts';
import { openSocket } from '../support/websocket.ts';

const file = 'examples/persisted-operations.json';
const { operations } = JSON.parse(readFileSync(file, 'utf8')) as {
  operations: Record<
    string,
    { name: string; document: string; cost: number; credentials: string[]; writes: boolean }
  >;
};
const hashOf = (name: string) =>
  Object.keys(operations).find((hash) => operations[hash]?.name === name) as string;
const named = (name: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(name) } });
const unknownHash = createHash('sha256').update('{ __typename }').digest('hex');

let gateway: TestGateway;
afterEach(async () => {
  await gateway?.close();
  killProcesses();
});

async function start(only = false): Promise<void> {
  gateway = await startTestGateway({
    PERSISTED_OPERATIONS: file,
    PERSISTED_OPERATIONS_ONLY: String(only),
    SANDBOX_SPEED: '50',
    MALAYSIA_POLL_MIN_MS: '50',
  });
}

async function post(body: object, headers: Record<string, string> = {}) {
  const accept = 'application/graphql-response+json';
  const all = { 'content-type': 'application/json', accept, ...alice, ...headers };
  return await readResponse(
    await fetch(gateway.url, { method: 'POST', headers: all, body: JSON.stringify(body) }),
  );
}

/** The first response of each transport: the code of its error, or its data. */
const transports: Record<string, (body: Record<string, unknown>) => Promise<unknown>> = {
  async POST(body) {
    const { errors, data } = await post(body);
    return errors?.[0]?.extensions['code'] ?? data;
  },
  async GET(body) {
    const parameters = Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const response = await fetch(`${gateway.url}?${new URLSearchParams(parameters as string[][])}`, {
      headers: { ...alice, 'apollo-require-preflight': '1' },
    });
    const { errors, data } = await readResponse(response);
    return errors?.[0]?.extensions['code'] ?? data;
  },
  async SSE(body) {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { ...alice, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const { errors, data } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
    return errors?.[0]?.extensions.code ?? data;
  },
  async WebSocket(body) {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    // The protocol requires a query.
    socket.send({ type: 'subscribe', id: '1', payload: { query: '', ...body } });
    const { type, payload } = await socket.messageOf('1');
    socket.close();
    return type === 'error' ? payload[0].extensions.code : payload.data;
  },
};

const variables = { by: { documentId: '1001' } };
const valid = { mexicoValidation: expect.objectContaining({ documentId: '1001' }) };

describe.each(Object.entries(transports))('over %s', (_name, ask) => {
  it('an operation of the manifest is executed by its hash', async () => {
    await start();
    expect(await ask({ extensions: named('MexicoValidation'), variables })).toEqual(valid);
    expect(await ask({ extensions: { persistedQuery: { sha256Hash: unknownHash } } })).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    );
  });

  it('other operations are refused when only persisted ones are allowed', async () => {
    await start(true);
    expect(await ask({ extensions: named('MexicoValidation'), variables })).toEqual(valid);
    expect(await ask({ query: '{ __typename }' })).toBe('PERSISTED_QUERY_ONLY');
    const both = { query: '{ __typename }', extensions: { persistedQuery: { sha256Hash: unknownHash } } };
    expect(await ask(both)).toBe('PERSISTED_QUERY_ONLY');
  });
});

describe('a subscription of the manifest', () => {
  it.each(['SSE', 'WebSocket'])('is started by its hash over %s', async (name) => {
    await start(true);
    const ask = transports[name] as (typeof transports)[string];
    const { importMalaysiaInvoice } = (
      await post({
        extensions: named('ImportMalaysiaInvoice'),
        variables: { input: { queueId: '1', invoice: anInvoice } },
      })
    ).data;
    const { documentId } = importMalaysiaInvoice;
    const body = { extensions: named('MalaysiaStatusChanged'), variables: { documentId } };
    expect(await ask(body)).toMatchObject({ malaysiaStatusChanged: { documentId } });
  });
});

const anInvoice = {
  docType: 'INVOICE',
  docNumber: 'INV-1-NOW',
  supplier: {},
  buyer: {},
  lines: [{ amountExclTax: '1.00', taxes: [] }],
  totals: { amountExclTax: '1.00', taxAmount: '0.00', amountInclTax: '1.00' },
};

describe('the hash of a persisted operation', () => {
  it('can be sent in "documentId", as the persisted documents specification defines', async () => {
    await start();
    const { data } = await post({ documentId: `sha256:${hashOf('MexicoValidation')}`, variables });
    expect(data).toEqual(valid);
  });

  it('must match the text when both are sent', async () => {
    await start();
    const { errors } = await post({ query: '{ __typename }', extensions: named('MexicoValidation') });
    expect(errors?.[0]?.extensions['code']).toBe('BAD_REQUEST');
  });

  it.each([
    ['short', 'abc'],
    ['of another type', 7],
    ['null', null],
    ['the name of a prototype', '__proto__'],
  ])('is BAD_REQUEST when it is %s', async (_what, sha256Hash) => {
    await start();
    const { errors, status } = await post({ extensions: { persistedQuery: { sha256Hash } } });
    expect([status, errors?.[0]?.extensions['code']]).toEqual([400, 'BAD_REQUEST']);
  });

  it('of a mutation is refused by GET', async () => {
    await start();
    const ask = transports['GET'] as (typeof transports)[string];
    expect(await ask({ extensions: named('CreateGroup'), variables: { input: {} } })).toBe('BAD_REQUEST');
  });

  it('is in the log line of the operation', async () => {
    await start();
    await post({ extensions: named('MexicoValidation'), variables });
    const line = gateway
      .log()
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'operation');
    expect(line).toMatchObject({ name: 'MexicoValidation', hash: hashOf('MexicoValidation') });
  });
});

describe('the manifest', () => {
  it('has the cost, the required credentials and the kind of each operation', () => {
    expect(operations[hashOf('CreateGroup')]).toMatchObject({
      cost: 1,
      credentials: ['authorization', 'x-api-key'],
      writes: true,
    });
    expect(operations[hashOf('ScanIdentityCard')]).toMatchObject({
      credentials: ['x-api-key'],
      writes: true,
    });
    expect(operations[hashOf('ImportMalaysiaInvoice')]).toMatchObject({
      cost: 2,
      credentials: [],
      writes: true,
    });
    expect(operations[hashOf('MexicoValidation')]).toMatchObject({ cost: 1, writes: false });
  });

  const sha256 = (document: string) => createHash('sha256').update(document).digest('hex');
  const entry = (name: string, document: string) => [sha256(document), { name, document }];

  async function startWith(text: string) {
    const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, text);
    return await outputOf(runMain({ PORT: '0', PERSISTED_OPERATIONS: manifest }));
  }

  it('with mistakes stops the start and reports all of them', async () => {
    const wrong = {
      version: 1,
      operations: Object.fromEntries([
        entry('Nope', 'query Nope { nope }'),
        entry('Broken', 'query Broken {'),
        entry('Other', 'query Another { __typename }'),
        entry('Twin', 'query Twin { __typename }'),
        entry('Twin', 'query Twin { a: __typename }'),
        ['0'.repeat(64), { name: 'Forged', document: 'query Forged { __typename }' }],
      ]),
    };
    const { code, text } = await startWith(JSON.stringify(wrong));
    expect(code).toBe(78);
    expect(text).toMatch(/Nope .*Cannot query field "nope"/);
    expect(text).toMatch(/Broken .*Syntax Error/);
    expect(text).toMatch(/Other .*one operation, named Other/);
    expect(text).toMatch(/Twin .*its name is also the name of/);
    expect(text).toMatch(/Forged .*hash does not match its document/);
  });

  it.each([
    ['is not JSON', '{', 'it is not JSON'],
    ['has another form', '{"version": 2}', 'version'],
  ])('that %s stops the start', async (_what, content, message) => {
    const { code, text } = await startWith(content);
    expect([code, text]).toEqual([78, expect.stringContaining(message)]);
  });

  it('that does not exist stops the start', async () => {
    const { code, text } = await outputOf(runMain({ PORT: '0', PERSISTED_OPERATIONS: '/nowhere.json' }));
    expect([code, text]).toEqual([78, expect.stringContaining('it cannot be read')]);
  });

  it('is required when only persisted operations are allowed', async () => {
    const { code, text } = await outputOf(runMain({ PORT: '0', PERSISTED_OPERATIONS_ONLY: 'true' }));
    expect([code, text]).toEqual([78, expect.stringContaining('PERSISTED_OPERATIONS must be set')]);
  });
});
