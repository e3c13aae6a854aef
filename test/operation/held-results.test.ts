/** What an operation has built of its result counts while the rest of it waits. */
import { expect, it } from 'vitest';
import { memoryBudgets } from '../../src/config/memory-budgets.ts';
import { alice, bob, post, readResponse, withKey } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { smallHeap, startProcess } from '../support/process.ts';
import { form, headOf, openConnection } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const exportOf = (csv: string) => does.json(200, { exportDocumentByDocIds: { data: csv, message: '' } });
const [medium, large] = [3_000_000, 5_000_000].map((length) => exportOf('x'.repeat(length))) as [
  does.Behaviour,
  does.Behaviour,
];
const created = does.json(200, { createGroup: { id: 1, name: 'n' } });
const status = does.json(200, { status: 'queued', log: 'x'.repeat(16_000) });
const validated = does.json(200, {
  ...{ documentId: '1', validation_result: 'VALID' },
  steps: { schema: { result: 'PASS', detail: 'x'.repeat(9_000_000) } },
});
const service = await serviceForFile((request, response) => {
  if (request.url?.match(/slow|99$/)) return;
  if (request.url?.includes('mexico')) return validated(request, response);
  if (request.url?.includes('malaysia')) return status(request, response);
  if (request.url?.includes('groups')) return created(request, response);
  large(request, response);
});
const gateway = forFile(
  await startProcess({
    ...smallHeap,
    ...{ UPSTREAM_URL: service.url, UPSTREAM_READ_DEADLINE_MS: '60000', METRICS_PORT: '0' },
  }),
);

const budgets = memoryBudgets(128 * 1024 * 1024);
/** What is held of a budget (bytes). */
const held = async (bound: 'variables' | 'writes') =>
  (await metricOf(gateway.metrics, `folio_bound_used_ratio{bound="${bound}"}`)) * budgets[bound];
const heldVariables = () => held('variables');
const heldWrites = () => held('writes');

/** Asks as a caller who may leave before the response. */
function ask(query: string, variables: object = {}, caller = alice) {
  const leaving = new AbortController();
  const sent = post(gateway, { query, variables }, caller, { signal: leaving.signal });
  const response = sent.then(readResponse);
  const leave = async () => {
    leaving.abort();
    await Promise.allSettled([response]);
  };
  return { response, leave };
}

async function exportAndCreate(caller: typeof alice) {
  const query = `mutation {
    exportDocuments(input: {}) { ... on ExportResult { csv } }
    createGroup(input: { name: "n" }) { __typename }
  }`;
  const before = service.received.length;
  const { data, errors } = await ask(query, {}, caller).response;
  return { data, errors, calls: service.received.length - before };
}

it('a field of a mutation is refused for good when the result so far alone is too large, and the result is returned', async () => {
  const { data, errors, calls } = await exportAndCreate(alice);
  expect(data.exportDocuments.csv).toHaveLength(5_000_000);
  expect([data.createGroup, calls]).toEqual([null, 1]);
  const extensions = {
    code: 'OPERATION_TOO_EXPENSIVE',
    bound: 'writes',
    sideEffect: 'NONE',
    retryable: false,
  };
  const message = expect.stringContaining('This write was not sent: send it in an operation of its own');
  expect(errors).toMatchObject([{ path: ['createGroup'], message, extensions }]);
});

it('a field of a mutation is refused for now while the results of others leave no room', async () => {
  const { behave, release } = does.late(created);
  service.will(medium, behave, medium);
  const waiting = exportAndCreate(alice);
  await expect.poll(() => service.received).toHaveLength(2);
  const { data, errors } = await exportAndCreate(bob);
  expect([data.exportDocuments.csv.length, data.createGroup]).toEqual([3_000_000, null]);
  const extensions = { code: 'RATE_LIMITED', bound: 'writes', sideEffect: 'NONE', retryable: true };
  expect(errors).toMatchObject([{ path: ['createGroup'], extensions }]);
  release();
  expect((await waiting).data.createGroup).toEqual({ __typename: 'Group' });
});

it('a query is refused when its result so far leaves no room while it waits for the rest', async () => {
  const selected = Array.from({ length: 10 }, (_, at) => `raw${at}: raw`).join(' ');
  const query = `query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { ${selected} } }`;
  const whole = ['1', '2', '3', '4', '5'];
  expect((await ask(query, { ids: whole }).response).data.malaysiaStatuses).toHaveLength(5);
  const asked = [1, 2, 3].map((at) => ask(query, { ids: [...whole, `${at}slow`] }));
  const { data, errors } = await Promise.race(asked.map(({ response }) => response));
  const extensions = { code: 'RATE_LIMITED', bound: 'variables-owner', sideEffect: 'NONE', retryable: true };
  expect([data, errors]).toMatchObject([null, [{ extensions }]]);
  for (const { leave } of asked) await leave();
});

const address = { line1: 'a', city: 'b', stateCode: 'c', postcode: 'd', country: 'e' };
const party = { address, contact: { telephone: '12345678' } };
const invoice = { docType: 'INVOICE', docNumber: '1', supplier: party, buyer: party, lines: [] };
const reference = { originalInvoiceCodeNumber: '1' };
const totals = { a: Array(199).fill(1) };
const note = { ...invoice, docType: 'CREDIT_NOTE', docNumber: '2', reference, totals };
const refused = { ...note, lines: [{ amountExclTax: '1', taxes: [] }] };

it.each([
  ['warnings of an import', 1, { ...note, reference: { originalInvoiceCodeNumber: '9' } }, ''],
  ['problems of refused imports', 20, refused, ''],
  ['warnings of notes that wait for their original', 20, note, ''],
  [
    'warnings of imports that wait for another one with their key',
    20,
    { ...note, reference: { originalInvoiceCodeNumber: '9' } },
    'idempotencyKey: "same-key"',
  ],
])('200 %s count until the mutation has ended', async (_what, others, other, key) => {
  const { behave, release } = does.late(does.json(200, { docId: '1' }));
  service.will(behave);
  const rest = Array(others).fill(`{ queueId: "1", invoice: $other ${key} }`);
  const query = `mutation ($invoice: MalaysiaInvoiceInput!, $other: MalaysiaInvoiceInput!) {
    importMalaysiaInvoices(input: [{ queueId: "1", invoice: $invoice } ${rest.join(' ')}]) { __typename }
  }`;
  const { response } = ask(query, { invoice, other });
  await expect.poll(heldWrites).toBeGreaterThan(others * 199 * 320);
  release();
  expect((await response).data.importMalaysiaInvoices).toHaveLength(others + 1);
  await expect.poll(heldWrites).toBe(0);
});

it('problems of imports whose caller has left count until these have ended, and no longer', async () => {
  const { behave, release } = does.late(does.json(200, { docId: '1' }));
  service.will(behave);
  const inputs = ['invoice', 'other'].map((name) => `{ queueId: "1", invoice: $${name} }`).join(' ');
  const query = `mutation ($invoice: MalaysiaInvoiceInput!, $other: MalaysiaInvoiceInput!) {
    importMalaysiaInvoices(input: [${inputs}]) { __typename }
  }`;
  const { leave } = ask(query, { invoice, other: refused });
  await expect.poll(heldWrites).toBeGreaterThan(199 * 320);
  await leave();
  const left = 'folio_operations_total{type="mutation",operation="other",outcome="caller_left"}';
  await expect.poll(() => metricOf(gateway.metrics, left)).toBe(1);
  expect(await heldWrites()).toBeGreaterThan(199 * 320);
  release();
  await expect.poll(heldWrites).toBe(0);
});

const rowCount = 'a: exportDocuments(input: {}) { ... on ExportResult { rowCount } }';
const csv = 'a: exportDocuments(input: {}) { ... on ExportResult { csv } }';
it.each<[what: string, bytes: number, query: string, csv?: string]>([
  [
    'text of an export of which it has cells',
    2_000_000,
    `mutation { ${rowCount} b: createGroup(input: {}) { __typename } }`,
  ],
  [
    'cells of an export',
    4_000_000,
    `mutation { ${rowCount} b: createGroup(input: {}) { __typename } }`,
    `${'ab,'.repeat(99)}ab\n`.repeat(1_000),
  ],
  [
    'result of a mutation that waits for the status of its import',
    1_000_000,
    `mutation ($invoice: MalaysiaInvoiceInput!) { ${csv} b: importMalaysiaInvoice(input: { queueId: "1", invoice: $invoice }) {
      ... on MalaysiaImport { status { state } }
    } }`,
  ],
])('the %s counts until the mutation has ended', async (_what, bytes, query, csv = 'x'.repeat(1_000_000)) => {
  const { behave, release } = does.late(created);
  service.will(
    exportOf(csv),
    ...(query.includes('$invoice') ? [does.json(200, { docId: '7' })] : []),
    behave,
  );
  const { response } = ask(query, { invoice });
  await expect.poll(heldWrites).toBeGreaterThan(bytes - 100_000);
  release();
  expect((await response).status).toBe(200);
  await expect.poll(heldWrites).toBe(0);
});

it('the result of a mutation counts while it waits for an XML file', async () => {
  service.will(exportOf('x'.repeat(1_000_000)));
  const query = `mutation ($file: Upload!) { ${csv} b: createFapiao(input: { document: { file: $file } }) { __typename } }`;
  const body = form.beforeFile(query, { file: null }) + form.file('<a>') + form.end;
  const headers = { ...form.headers, ...alice, 'content-length': String(body.length) };
  const sent = headOf('POST /graphql', headers) + body.slice(0, -10);
  const { socket, until } = forTest(await openConnection(gateway.url, sent));
  await expect.poll(heldWrites).toBeGreaterThan(900_000);
  socket.write(body.slice(-10));
  await until(/^HTTP\/1\.1 200 /);
  await expect.poll(heldWrites).toBe(0);
});

it('an import with warnings and more bytes than the part of one owner is sent', async () => {
  service.will(does.json(200, { docId: '7' }));
  const query =
    'mutation ($invoice: MalaysiaInvoiceInput!) { importMalaysiaInvoice(input: { queueId: "1", invoice: $invoice }) { __typename } }';
  const large = { ...note, docNumber: 'x'.repeat(2_200_000) };
  const { data, errors } = await ask(query, { invoice: large }, bob).response;
  expect([errors, data.importMalaysiaInvoice]).toEqual([undefined, { __typename: 'MalaysiaImport' }]);
});

it('one query at a time waits for the rest of its result after a text of more than 8 MiB', async () => {
  const query = `{
    validation: mexicoValidation(by: { documentId: "1" }) { steps { detail } }
    late: mexicoValidation(by: { documentId: "99" }) { result }
  }`;
  const asked = [ask(query), ask(query, {}, bob)];
  const { data, errors } = await Promise.race(asked.map(({ response }) => response));
  const extensions = { code: 'RATE_LIMITED', bound: 'variables', sideEffect: 'NONE', retryable: true };
  expect([data, errors]).toMatchObject([null, [{ extensions }]]);
  for (const { leave } of asked) await leave();
});

it('a read that the result did not wait for is aborted when the response has been sent', async () => {
  const raw = Array.from({ length: 10 }, (_, at) => `raw${at}: raw`).join(' ');
  const query = `query ($ids: [ID!]!) {
    malaysiaStatuses(documentIds: $ids) { ${raw} }
    late: malaysiaStatus(documentId: "1slow") { state }
  }`;
  const ids = Array.from({ length: 80 }, (_, at) => `${at}`);
  const aborted = service.aborted();
  const { data, errors } = await ask(query, { ids }).response;
  expect([data, errors]).toMatchObject([null, [{ extensions: { sideEffect: 'NONE' } }]]);
  await aborted;
});

const late = 'late: malaysiaStatus(documentId: "2slow") { state }';
it.each([
  [
    'values in the arguments',
    64 * 1_800,
    `{
      ${late}
      checkMalaysiaInvoice(invoice: {
        docType: INVOICE, docNumber: "1", lines: [], totals: { a: [${Array(1_800).fill(1)}] }
      }) { __typename }
    }`,
  ],
  [
    'fields that wait for one call',
    768 * 180,
    `query ($ids: [ID!]!) {
      a: malaysiaStatuses(documentIds: $ids) { state }
      b: malaysiaStatuses(documentIds: $ids) { state }
    }`,
  ],
  [
    'first 120 KB of the result',
    120_000,
    `query ($invoice: MalaysiaInvoiceInput!) {
      ${late}
      checkMalaysiaInvoice(invoice: $invoice) { problems { a: path b: path c: path } }
    }`,
  ],
])('the %s of a query count until it has ended', async (_what, bytes, query) => {
  const totals = { a: Array(190).fill(1) };
  const invoice = { docType: 'CREDIT_NOTE', docNumber: '1', supplier: {}, buyer: {}, lines: [], totals };
  const { leave } = ask(query, { ids: Array(90).fill('2slow'), invoice });
  await expect.poll(heldVariables).toBeGreaterThanOrEqual(bytes);
  await leave();
  await expect.poll(heldVariables).toBe(0);
});

it('a query whose caller has left holds nothing for the errors of the calls that it left', async () => {
  const ids = Array.from({ length: 100 }, (_, at) => `${at}slow`);
  const query = 'query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { state } }';
  const aborted = service.aborted();
  const { leave } = ask(query, { ids });
  await expect.poll(() => service.received.length).toBeGreaterThan(0);
  await leave();
  await aborted;
  expect((await post(gateway, { query: '{ __typename }' })).status).toBe(200);
  await expect.poll(heldVariables).toBe(0);
});

it('a query whose caller has left keeps nothing of its result while others wait for the read that it began', async () => {
  const late = (id: string) => `late: mexicoValidation(by: { documentId: "${id}" }) { result }`;
  const joined: (() => Promise<void>)[] = [];
  for (let at = 0; at < 13; at += 1) {
    const caller = { ...alice, ...withKey(`caller-${at % 3}`) };
    const id = `${at}99`;
    const begun = service.received.length;
    const query = `{ whole: mexicoValidation(by: { documentId: "2" }) { steps { detail } } ${late(id)} }`;
    const starter = ask(query, {}, caller);
    await expect.poll(() => service.received.length).toBe(begun + 2);
    joined.push(ask(`{ ${late(id)} }`, {}, caller).leave);
    // The whole result counts as an eighth.
    await expect.poll(heldVariables).toBeGreaterThan(budgets.variables / 10);
    await starter.leave();
  }
  for (const leave of joined) await leave();
});
