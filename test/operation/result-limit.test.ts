/**
 * The size of a result is bounded for every operation, with and without a plan. parity.test.ts proves that the transports do not
 * differ. The bounds are a tenth of those of a gateway, except where a test says otherwise.
 */
import {
  buildSchema,
  type ExecutionResult,
  parse,
  type ValidatedExecutionArgs,
  validateExecutionArgs,
} from 'graphql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { columns } from '../../src/features/document-export/documented-columns.ts';
import { OperationSideEffect } from '../../src/graphql/operation-side-effect.ts';
import { executePlanned } from '../../src/operation/executor/planned-executor.ts';
import { ResultSize, resultLimit } from '../../src/operation/result-limit.ts';
import { sendUpload, upload } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { type Ask, mutationTransports, type Result } from '../support/transports.ts';
import { onMessage } from '../support/work.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { status: 'queued' }));
const ofGateway = { ...resultLimit };
beforeEach(() => {
  Object.assign(resultLimit, { maxValues: 10_000, maxBytes: 800_000 });
});
afterEach(() => {
  Object.assign(resultLimit, ofGateway);
  vi.restoreAllMocks();
});

/** Expects errors of a result above the limit, which are all the same. Of a mutation the last root field is null. */
function expectRefused({ data, errors = [] }: Pick<Result, 'data' | 'errors'>, sideEffect: string): void {
  const last = data && (Object.values(data).at(-1) as unknown);
  expect([last, errors[0]?.message]).toEqual([null, expect.anything()]);
  for (const { message, extensions } of errors) {
    expect(message).toMatch(/^The result has more than 10+ values/);
    expect(extensions).toMatchObject({ code: 'OPERATION_TOO_EXPENSIVE', sideEffect });
  }
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

const problemsOf = (checks: number) =>
  `query ($i: MalaysiaInvoiceInput!) { ${times(checks, (at) => `c${at}: checkMalaysiaInvoice(invoice: $i) { ${times(5, (index) => `p${index}: problems { ...F }`)} }`)} } fragment F on InputProblem { rule severity message expected actual path }`;

/** The field of an export `count` times, under different names. */
const exporting = (count: number, field: string) =>
  `mutation { exportDocuments(input: {}) { ... on ExportResult { ${times(count, (at) => `c${at}: ${field}`)} } } }`;

it('a query whose result would exceed the limit is refused', async () => {
  expectRefused(await gateway.ask(problemsOf(20), { i: brokenInvoice() }), 'NONE');
});

it('a mutation that was done has side effect APPLIED when its result exceeds the limit', async () => {
  service.will(does.json(200, { exportDocumentByDocIds: { data: 'x'.repeat(500_000), message: '' } }));
  expectRefused(await gateway.ask(exporting(3, 'csv')), 'APPLIED');
  expect(service.received).toHaveLength(1);
  const { data, errors } = await gateway.ask(exporting(1, 'csv'));
  expect([errors, data?.exportDocuments.c0.length]).toEqual([undefined, 500_000]);
});

describe('the result limit', () => {
  it('and the limits of cost accept all problems of a batch of 100 invoices', async () => {
    Object.assign(resultLimit, ofGateway);
    const input = Array(100).fill({ queueId: '1', invoice: brokenInvoice({ a: [1, 2, 3, 4, 5] }) });
    const query =
      'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { __typename ... on InvalidInput { message problems { __typename rule severity path message expected actual } } ... on MalaysiaImport { requestId queueId documentId docType docNumber message trackingUrl govPortal { submissionId uuid } } } }';
    const { data, errors } = await gateway.ask(query, { input });
    expect([errors, data.importMalaysiaInvoices.length]).toEqual([undefined, 100]);
  });

  const tooMany = {
    data: null,
    errors: [{ message: expect.stringMatching(/The result has more than 10000 values/) }],
  };
  /** The result of a list of so many members. */
  const resultOf = (length: number, items: string, member: object) =>
    executePlanned(
      validateExecutionArgs({
        schema: buildSchema(`type Query { list: ${items} } type Item { a: Int b: Int }`),
        document: parse(`{ list { ${Object.keys(member).join(' ')} } }`),
        rootValue: { list: Array(length).fill(member) },
        contextValue: {},
      }) as ValidatedExecutionArgs,
    ) as ExecutionResult;

  it('counts an error as 100 values', () => {
    const a = () => {
      throw new Error('It fails.');
    };
    expect(resultOf(90, '[Item]', { a }).errors).toHaveLength(90);
    expect(resultOf(100, '[Item]', { a })).toMatchObject(tooMany);
  });

  it('allows a list that fills it, and none with a member more', () => {
    const member = { a: 1, b: 2 };
    expect(resultOf(3_333, '[Item!]', member).errors).toBeUndefined();
    expect(resultOf(3_334, '[Item!]', member)).toMatchObject(tooMany);
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
    message: expect.stringMatching(/The result has more than 10000 values/),
    extensions: { code: 'OPERATION_TOO_EXPENSIVE', sideEffect: 'APPLIED', retryable: false },
  });

  it('of three exports in one operation only the rows of the one that exceeds the limit are null', async () => {
    exported(100);
    const { data, errors } = await gateway.ask(
      `mutation { ${times(3, (at) => `e${at}: exportDocuments(input: {}) { ... on ExportResult { csv rows { ${cells} } message } }`)} }`,
    );
    expect(
      Object.values(data).map((made: any) => [made.csv === csvOf(100), made.message, made.rows?.length]),
    ).toEqual([
      [true, 'done', 100],
      [true, 'done', 100],
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
      ... on MalaysiaImport { documentId } ... on InvalidInput { ${times(2, (index) => `p${index}: problems { rule message path actual expected }`)} } } }`;
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

  it.each([
    ['with its plan', () => {}],
    [
      'without one, since its resolvers are traced',
      () => onMessage('tracing:graphql:resolve:start', () => {}),
    ],
  ])('a new group keeps its id when its queues exceed the limit: executed %s', async (_how, trace) => {
    trace();
    service.will(does.json(200, { createGroup: { id: 7, queues: Array(6_000).fill({ id: 1 }) } }));
    const { data, errors } = await gateway.ask(
      'mutation { createGroup(input: {}) { ... on Group { queues { id raw } id queueCount } } }',
    );
    // The type of `queues` does not allow null.
    expect(data.createGroup).toEqual({ queues: [], id: '7', queueCount: null });
    expect(errors).toMatchObject([tooLarge('createGroup', 'queues')]);
  });

  it('a scan without a document id is not said to be done, next to a write that was, when its text boxes exceed the limit', async () => {
    const box = { box: [1, 2, 3, 4, 5, 6, 'word'], page: 0 };
    const scanned = { data: { num_pages: 30, SmallBoxes: Array(1_200).fill(box) } };
    service.will(does.json(200, { createGroup: { id: 7 } }), does.json(200, { scanDocuments: scanned }));
    const card = 'pageCount textBoxes { left top right bottom centerX centerY text secondText page }';
    const query = `mutation ($file: Upload!) { createGroup(input: {}) { __typename } scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId card { ${card} } } } }`;
    const pages = { bytes: 'pages', name: 'pages.pdf' };
    const { data, errors } = await sendUpload(
      gateway,
      upload(query, { file: null }, 'variables.file', pages),
    );
    expect(data.scanIdentityCard).toEqual({ documentId: '', card: { pageCount: 30, textBoxes: [] } });
    const { message, extensions } = errors?.find(({ path }) => path?.length === 3) ?? {};
    expect(message).toMatch(/^The result has more than/);
    expect(extensions).toMatchObject({ code: 'OPERATION_TOO_EXPENSIVE', sideEffect: 'POSSIBLE' });
  });

  it('returns a part of the rows with first and skip', async () => {
    service.will(does.json(200, { exportDocumentByDocIds: { data: 'Name\nA\nB\nC\nD\n' } }));
    const rows = (args: string) => `rows(${args}) { name }`;
    const { data, errors } = await gateway.ask(
      `mutation { exportDocuments(input: {}) { ... on ExportResult { rowCount a: ${rows('first: 2')} b: ${rows('first: 2, skip: 3')}
        c: ${rows('skip: 1')} d: ${rows('first: 0')} e: ${rows('first: null, skip: null')} f: ${rows('skip: 9')} } } }`,
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
    });
    expect(errors).toBeUndefined();
  });

  it('bounds the work for a result in which every list exceeds the limit', async () => {
    Object.assign(resultLimit, ofGateway);
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

  it('is POSSIBLE as long as one of two writes that do nothing is in progress', async () => {
    const sideEffect = new OperationSideEffect();
    const writes = [Promise.withResolvers(), Promise.withResolvers()];
    const ended = writes.map(({ promise }) => sideEffect.follow(promise).catch(() => sideEffect.current));
    expect(sideEffect.current).toBe('POSSIBLE');
    for (const [at, effect] of ['POSSIBLE', 'NONE'].entries()) {
      writes[at]?.reject(new GatewayError({ code: 'FORBIDDEN', message: 'refused' }));
      expect(await ended[at]).toBe(effect);
    }
  });

  it('is NONE when the rules refused all its invoices', async () => {
    expectRefused(await gateway.ask(importing(8, 3), input({})), 'NONE');
    expect(service.received).toEqual([]);
  });

  it('is APPLIED when an invoice was imported, now or earlier with the same key', async () => {
    service.will(does.json(200, { docId: 1, requestId: 'r', queueId: '1', docNumber: 'N'.repeat(40_000) }));
    const valid = { docType: 'INVOICE', totals: {} };
    for (const _round of ['now', 'before']) {
      expectRefused(await gateway.ask(importing(7, 3), input(valid, 'result-limit-1')), 'APPLIED');
      expect(service.received).toHaveLength(1);
    }
  });

  it('is APPLIED for all of a result that is dropped because of refused invoices, when another was imported', async () => {
    service.will(does.json(200, { docId: 1, requestId: 'r', queueId: '1' }));
    vi.spyOn(ResultSize.prototype, 'dropPart').mockReturnValue(false);
    const query = importing(8, 3)
      .replace('mutation (', 'mutation ($valid: ImportMalaysiaInvoiceInput!, ')
      .replace('{', '{ valid: importMalaysiaInvoice(input: $valid) { __typename }');
    const valid = input({ docType: 'INVOICE', totals: {} }).input;
    const { data, errors } = await gateway.ask(query, { valid, ...input({}) });
    expect(data).toBeNull();
    expectRefused({ data, errors }, 'APPLIED');
  });

  it('is NONE for refused invoices next to a write whose outcome is unknown', async () => {
    Object.assign(resultLimit, ofGateway);
    service.will(does.reset);
    const broken = `b: importMalaysiaInvoices(input: $broken) { ... on InvalidInput { ${times(30, (index) => `p${index}: problems { rule message path actual expected }`)} } }`;
    const answer = await gateway.ask(
      `mutation ($input: ImportMalaysiaInvoiceInput!, $broken: [ImportMalaysiaInvoiceInput!]!) { i: importMalaysiaInvoice(input: $input) { __typename } ${broken} }`,
      { ...input({ docType: 'INVOICE', totals: {} }), broken: Array(5).fill(input({}).input) },
    );
    const [lost, ...dropped] = answer.errors ?? [];
    expect(lost).toMatchObject({ path: ['i'], extensions: { code: 'OUTCOME_UNKNOWN' } });
    expect(dropped.length).toBeGreaterThan(0);
    expectRefused({ data: { b: answer.data.b.at(-1) }, errors: dropped }, 'NONE');
  });

  it('is NONE for a refused invoice next to an imported one when a list in its problems exceeds the limit', async () => {
    Object.assign(resultLimit, ofGateway);
    service.will(does.json(200, { docId: 1 }));
    const { data, errors } = await gateway.ask(
      `mutation ($input: ImportMalaysiaInvoiceInput!, $broken: [ImportMalaysiaInvoiceInput!]!) { i: importMalaysiaInvoice(input: $input) { __typename }
         b: importMalaysiaInvoices(input: $broken) { ... on InvalidInput { problems { ${times(30, (index) => `p${index}: path`)} } } } }`,
      { ...input({ docType: 'INVOICE', totals: {} }), broken: Array(5).fill(input({}).input) },
    );
    expect(data.i.__typename).toBe('MalaysiaImport');
    expectRefused({ data: { b: data.b.find((item: unknown) => item === null) }, errors }, 'NONE');
  });
});

it('the largest event of a subscription is within the limit: 30 times 4 KiB of raw', async () => {
  Object.assign(resultLimit, ofGateway);
  service.will(does.json(200, { status: 'validated', list: Array(2_030).fill(0) }));
  const query = `subscription { malaysiaStatusChanged(documentId: "big") { ${times(30, (index) => `r${index}: raw`)} } }`;
  const [event] = await Array.fromAsync(gateway.webSocketClient().iterate({ query }));
  const { data, errors } = event as Result;
  expect(errors).toBe(undefined);
  const lengths = Object.values(data.malaysiaStatusChanged).map((raw: any) => raw.list.length);
  expect(lengths).toEqual(Array(30).fill(2_030));
});

it.each(['POST', 'a multipart request'])(
  'a result that cannot be written as JSON is an error with side effect POSSIBLE over %s',
  async (name) => {
    service.will(does.json(200, { createGroup: { id: 7 } }));
    const write = JSON.stringify;
    vi.spyOn(JSON, 'stringify').mockImplementation(((value: any, ...more: []) => {
      if (value?.data?.createGroup) throw new RangeError('Invalid string length');
      return write(value, ...more);
    }) as typeof JSON.stringify);
    const query = 'mutation { createGroup(input: {}) { ... on Group { id } } }';
    const { errors } = await (mutationTransports[name] as Ask)(gateway, { query });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', sideEffect: 'POSSIBLE' });
  },
);
