/** The size of a result is bounded for every operation, with and without a plan, over each transport. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { columns } from '../../src/features/document-export/columns.ts';
import { alice, readResponse, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({
    UPSTREAM_URL: service.url,
    MALAYSIA_POLL_MIN_MS: '20',
    MALAYSIA_POLL_MAX_MS: '40',
  });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});
beforeEach(() => {
  service.will(does.json(200, { status: 'queued' }));
  service.received.length = 0;
});
afterEach(() => vi.restoreAllMocks());

interface Result {
  readonly data?: any;
  readonly errors?:
    | readonly { readonly message: string; readonly extensions: Record<string, unknown> }[]
    | undefined;
}
interface Asked {
  readonly query: string;
  readonly variables?: object;
}

const json = { ...alice, 'content-type': 'application/json' };
const post = (asked: Asked, headers: Record<string, string>) =>
  fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify(asked) });

async function byMultipart(asked: Asked): Promise<Result> {
  const form = new FormData();
  form.set('operations', JSON.stringify(asked));
  form.set('map', '{}');
  const headers = { ...alice, 'x-graphql-yoga-csrf': '1' };
  return await readResponse(await fetch(gateway.url, { method: 'POST', headers, body: form }));
}

async function byWebSocket(asked: Asked): Promise<Result> {
  const socket = await openSocket(gateway);
  socket.send({ type: 'connection_init', payload: alice });
  await socket.message();
  socket.send({ type: 'subscribe', id: '1', payload: asked });
  const { type, payload } = await socket.messageOf('1');
  socket.close();
  return type === 'error' ? { errors: payload } : payload;
}

const transports: Readonly<Record<string, (asked: Asked) => Promise<Result>>> = {
  'POST with JSON': async (asked) => await readResponse(await post(asked, json)),
  'POST through Yoga': async (asked) =>
    await readResponse(await post(asked, { ...json, accept: 'application/json; charset=utf-8' })),
  'server-sent events': async (asked) => {
    const text = await (await post(asked, { ...json, accept: 'text/event-stream' })).text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as Result;
  },
  'a multipart request': byMultipart,
  'a WebSocket': byWebSocket,
};

/** Code and side effect of the errors of a result above the limit. Of a mutation the last root field is null. */
function refusal({ data, errors = [] }: Result) {
  const last = data && (Object.values(data).at(-1) as unknown);
  expect([last, errors[0]?.message]).toEqual([null, expect.anything()]);
  for (const { message, extensions } of errors) {
    expect([message, extensions]).toEqual([errors[0]?.message, errors[0]?.extensions]);
  }
  expect(errors[0]?.message).toMatch(/^The result (has more than 100000 values|is too large to be written)/);
  return [errors[0]?.extensions['code'], errors[0]?.extensions['sideEffect']];
}

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** An invoice with one problem for each of its totals, up to the number that is listed. */
const brokenInvoice = (totals: object = { a: Array(200).fill(1) }) => ({
  docType: 'CREDIT_NOTE',
  docNumber: '1',
  supplier: {},
  buyer: {},
  lines: [{ amountExclTax: '1', taxes: [] }],
  reference: { originalInvoiceCodeNumber: 'x' },
  totals,
});

const problemsOf = (alias: string) =>
  `query ($i: MalaysiaInvoiceInput!) { ${times(20, (at) => `c${at}: checkMalaysiaInvoice(invoice: $i) { ${times(5, (index) => `p${index}: problems { ${alias} rule severity message expected actual path }`)} }`)} }`;

describe.each(Object.entries(transports))('over %s', (_name, ask) => {
  it.each([
    ['planned', 'a: rule'],
    ['executed without a plan', '__proto__: rule'],
  ])('a query whose result would exceed the limit is refused when it is %s', async (_how, alias) => {
    const asked = { query: problemsOf(alias), variables: { i: brokenInvoice() } };
    expect(refusal(await ask(asked))).toEqual(['OPERATION_TOO_EXPENSIVE', 'NONE']);
  });

  it('a mutation that was done has side effect APPLIED when its result exceeds the limit', async () => {
    service.will(does.json(200, { exportDocumentByDocIds: { data: 'x'.repeat(5_000_000), message: '' } }));
    const csv = (aliases: number) =>
      `mutation { exportDocuments(input: {}) { ... on ExportResult { ${times(aliases, (index) => `c${index}: csv`)} } } }`;
    expect(refusal(await ask({ query: csv(3) }))).toEqual(['OPERATION_TOO_EXPENSIVE', 'APPLIED']);
    expect(service.received).toHaveLength(1);
    const { data, errors } = await ask({ query: csv(1) });
    expect([errors, data?.exportDocuments.c0.length]).toEqual([undefined, 5_000_000]);
  });
});

describe('the result limit', () => {
  it('accepts an export of 18 MB once', { timeout: 30_000 }, async () => {
    const csv = '"a",'.repeat(3_000_000);
    service.will(does.json(200, { exportDocumentByDocIds: { data: csv, message: '' } }));
    const query = 'mutation { exportDocuments(input: {}) { ... on ExportResult { csv message } } }';
    const { data } = await gateway.ask(query);
    expect(data.exportDocuments.csv === csv).toBe(true);
  });

  it('accepts all problems of a batch of 100 invoices', async () => {
    const input = Array(100).fill({ queueId: '1', invoice: brokenInvoice({ a: [1, 2, 3, 4, 5] }) });
    const query =
      'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { __typename ... on InvalidInput { message problems { rule severity path message expected actual } } } }';
    const { data, errors } = await gateway.ask(query, { input });
    expect([errors, data.importMalaysiaInvoices.length]).toEqual([undefined, 100]);
  });

  it('counts the names of fields', async () => {
    const alias = (index: number) => `${'a'.repeat(2_000)}${index}`;
    const query = `query ($i: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $i) { problems { ${times(25, (index) => `${alias(index)}: rule`)} } } }`;
    expect(refusal(await gateway.ask(query, { i: brokenInvoice() }))).toEqual([
      'OPERATION_TOO_EXPENSIVE',
      'NONE',
    ]);
  });

  it('counts errors', async () => {
    const csv = `a\n${'1\n'.repeat(500)}`;
    service.will(does.json(200, { exportDocumentByDocIds: { data: csv, message: '' } }));
    const query = `mutation ($column: String = "a") { exportDocuments(input: {}) { ... on ExportResult { rows { ${times(5, (index) => `v${index}: value(column: $column)`)} } } } }`;
    const { data, errors = [] } = await gateway.ask(query, { column: null });
    expect(data).toEqual({ exportDocuments: { rows: null } });
    const { path, message } = errors.at(-1) as (typeof errors)[number];
    expect([path, message]).toEqual([
      ['exportDocuments', 'rows'],
      expect.stringMatching(/^The result has more/),
    ]);
  });
});

describe('the result limit and what a mutation has made', () => {
  const headers = columns.map(({ header }) => header);
  const csvOf = (rows: number) =>
    `${headers.join()}\n${`${headers.map((_header, at) => `cell ${at}`).join()}\n`.repeat(rows)}`;
  const cells = columns.map(({ field }) => field).join(' ');
  const exported = (rows: number) =>
    service.will(does.json(200, { exportDocumentByDocIds: { data: csvOf(rows), message: 'done' } }));
  const tooLarge = (...path: unknown[]) => ({
    path,
    message: expect.stringMatching(/^The result has more than 100000 values/),
    extensions: { code: 'OPERATION_TOO_EXPENSIVE', sideEffect: 'APPLIED', retryable: false },
  });

  it('an export of 2,700 rows with every field keeps csv, columns and message, and its rows are null with an error', async () => {
    exported(2_700);
    const { data, errors } = await gateway.ask(
      `mutation { exportDocuments(input: {}) { ... on ExportResult { rows { ${cells} } csv message rowCount columns } } }`,
    );
    expect(data.exportDocuments).toEqual({
      rows: null,
      csv: csvOf(2_700),
      message: 'done',
      rowCount: 2_700,
      columns: headers,
    });
    expect(errors).toMatchObject([tooLarge('exportDocuments', 'rows')]);
  });

  it('of three exports in one operation only the rows of the one that exceeds the limit are null', async () => {
    exported(1_000);
    const { data, errors } = await gateway.ask(
      `mutation { ${times(3, (at) => `e${at}: exportDocuments(input: {}) { ... on ExportResult { csv rows { ${cells} } message } }`)} }`,
    );
    expect(
      Object.values(data).map((made: any) => [made.csv === csvOf(1_000), made.message, made.rows?.length]),
    ).toEqual([
      [true, 'done', 1_000],
      [true, 'done', 1_000],
      [true, 'done', undefined],
    ]);
    expect(errors).toMatchObject([tooLarge('e2', 'rows')]);
  });

  it('of a batch only the members that exceed the limit are null, and all others have their ids', async () => {
    service.will(does.json(200, { docId: 7, docNumber: 'n' }));
    const valid = { ...brokenInvoice({}), docType: 'INVOICE' };
    const invoices = Array.from({ length: 8 }, (_, at) => ({
      queueId: '1',
      invoice: at % 2 === 1 ? brokenInvoice() : valid,
    }));
    const query = `mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) {
      ... on MalaysiaImport { documentId } ... on InvalidInput { ${times(18, (index) => `p${index}: problems { rule message path actual expected }`)} } } }`;
    const { data, errors = [] } = await gateway.ask(query, { input: invoices });
    const outcomes: any[] = data.importMalaysiaInvoices;
    expect(outcomes.filter((_outcome, at) => at % 2 === 0)).toEqual(Array(4).fill({ documentId: '7' }));
    const dropped = outcomes.flatMap((outcome, at) =>
      outcome === null ? [['importMalaysiaInvoices', at]] : [],
    );
    expect(dropped.length).toBeGreaterThan(0);
    expect(errors.map(({ path }) => path).toSorted()).toEqual(dropped.toSorted());
    // Nothing was done for them, though the others were imported.
    for (const { extensions } of errors) expect(extensions['sideEffect']).toBe('NONE');
  });

  it('returns a part of the rows with first and skip', async () => {
    service.will(does.json(200, { exportDocumentByDocIds: { data: 'Name\nA\nB\nC\nD\n' } }));
    const rows = (args: string) => `rows(${args}) { name }`;
    const { data, errors } = await gateway.ask(
      `mutation { exportDocuments(input: {}) { ... on ExportResult { rowCount a: ${rows('first: 2')} b: ${rows('first: 2, skip: 3')}
        c: ${rows('skip: 1')} d: ${rows('first: 0')} e: ${rows('first: null, skip: null')} f: ${rows('skip: 9')} g: ${rows('first: -1')} } } }`,
    );
    const named = (...names: string[]) => names.map((name) => ({ name }));
    expect(data.exportDocuments).toEqual({
      rowCount: 4,
      a: named('A', 'B'),
      b: named('D'),
      c: named('B', 'C', 'D'),
      d: [],
      e: named('A', 'B', 'C', 'D'),
      f: [],
      g: null,
    });
    expect(errors).toMatchObject([
      { path: ['exportDocuments', 'g'], extensions: { code: 'BAD_USER_INPUT', sideEffect: 'APPLIED' } },
    ]);
  });

  it('bounds the work for a result in which every list exceeds the limit', async () => {
    exported(2_700);
    const { data, errors = [] } = await gateway.ask(
      `mutation { exportDocuments(input: {}) { ... on ExportResult { ${times(25, (at) => `r${at}: rows { ${cells} }`)} message } } }`,
    );
    expect(data.exportDocuments).toEqual({
      message: 'done',
      ...Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`r${at}`, null])),
    });
    expect(errors).toHaveLength(25);
  });
});

describe('the side effect of a mutation whose result exceeds the limit', () => {
  const importing = (fields: number, aliases: number) =>
    `mutation ($input: ImportMalaysiaInvoiceInput!) { ${times(fields, (field) => `i${field}: importMalaysiaInvoice(input: $input) { ...F ...G }`)} }
     fragment F on MalaysiaImport { ${times(aliases, (index) => `n${index}: docNumber`)} }
     fragment G on InvalidInput { ${times(aliases, (index) => `p${index}: problems { rule message path }`)} }`;
  const input = (invoice: object, idempotencyKey?: string) => ({
    input: { queueId: '1', invoice: { ...brokenInvoice(), ...invoice }, idempotencyKey },
  });

  it('is NONE when the rules refused all its invoices', async () => {
    const answer = await gateway.ask(importing(8, 28), input({}));
    expect(refusal(answer)).toEqual(['OPERATION_TOO_EXPENSIVE', 'NONE']);
    expect(service.received).toEqual([]);
  });

  it('is APPLIED when an invoice was imported, now or earlier with the same key', async () => {
    service.will(does.json(200, { docId: 1, requestId: 'r', queueId: '1', docNumber: 'N'.repeat(40_000) }));
    const valid = { docType: 'INVOICE', totals: {} };
    for (const _round of ['now', 'before']) {
      const answer = await gateway.ask(importing(8, 30), input(valid, 'result-limit-1'));
      expect(refusal(answer)).toEqual(['OPERATION_TOO_EXPENSIVE', 'APPLIED']);
      expect(service.received).toHaveLength(1);
    }
  });

  it('is NONE for refused invoices next to a write whose outcome is unknown', async () => {
    service.will(does.reset);
    const imports = times(1, () => 'i: importMalaysiaInvoice(input: $input) { __typename }');
    const broken = `b: importMalaysiaInvoices(input: $broken) { ... on InvalidInput { ${times(30, (index) => `p${index}: problems { rule message path actual expected }`)} } }`;
    const answer = await gateway.ask(
      `mutation ($input: ImportMalaysiaInvoiceInput!, $broken: [ImportMalaysiaInvoiceInput!]!) { ${imports} ${broken} }`,
      { ...input({ docType: 'INVOICE', totals: {} }), broken: Array(5).fill(input({}).input) },
    );
    const [lost, ...dropped] = answer.errors ?? [];
    expect(lost).toMatchObject({ path: ['i'], extensions: { code: 'OUTCOME_UNKNOWN' } });
    expect(dropped.length).toBeGreaterThan(0);
    expect(refusal({ data: { b: answer.data.b.at(-1) }, errors: dropped })).toEqual([
      'OPERATION_TOO_EXPENSIVE',
      'NONE',
    ]);
  });
});

it('the largest event of a subscription is within the limit: 30 times 4 KiB of raw', async () => {
  service.will(does.json(200, { status: 'validated', list: Array(2_030).fill(0) }));
  const query = `subscription { malaysiaStatusChanged(documentId: "big") { ${times(30, (index) => `r${index}: raw`)} } }`;
  const [event] = await Array.fromAsync(gateway.webSocketClient().iterate({ query }));
  const { data, errors } = event as Result;
  expect(errors).toBe(undefined);
  const lengths = Object.values(data.malaysiaStatusChanged).map((raw: any) => raw.list.length);
  expect(lengths).toEqual(Array(30).fill(2_030));
});

describe('a result that cannot be written as JSON', () => {
  it.each(['POST with JSON', 'POST through Yoga', 'a multipart request'])(
    'is an error with side effect POSSIBLE over %s',
    async (name) => {
      service.will(does.json(200, { createGroup: { id: 7 } }));
      const write = JSON.stringify;
      vi.spyOn(JSON, 'stringify').mockImplementation(((value: any, ...more: []) => {
        if (value?.data?.createGroup) throw new RangeError('Invalid string length');
        return write(value, ...more);
      }) as typeof JSON.stringify);
      const ask = transports[name] as (typeof transports)[string];
      const query = 'mutation { createGroup(input: {}) { ... on Group { id } } }';
      expect(refusal(await ask({ query }))).toEqual(['OPERATION_TOO_EXPENSIVE', 'POSSIBLE']);
    },
  );
});
