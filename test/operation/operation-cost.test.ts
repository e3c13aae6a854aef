/** The calls, the size of the result and the repeated input of an operation are estimated before the first call. */
import { buildSchema, type DocumentNode, Kind, parse, separateOperations } from 'graphql';
import { describe, expect, it } from 'vitest';
import { columns } from '../../src/features/document-export/documented-columns.ts';
import { costOf, maxEstimatedValues, maxRepeatedInput } from '../../src/operation/cost.ts';
import { schema as folio } from '../../src/schema.ts';
import { examples } from '../support/examples.ts';
import { gatewayOfService } from '../support/lifetimes.ts';

const { service, gateway } = await gatewayOfService();

/** Returns what the operation of the document costs with these variables. */
function costs(document: DocumentNode | string, schema = folio) {
  const { definitions } = typeof document === 'string' ? parse(document) : document;
  const [operation] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const fragmentDefinitions = Object.fromEntries(fragments.map((node) => [node.name.value, node]));
  return (coerced: Record<string, unknown> = {}) =>
    costOf({
      schema,
      operation: operation as never,
      fragmentDefinitions,
      variableValues: { sources: {}, coerced },
    });
}

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));

const invoice = { docType: 'INVOICE', docNumber: '1', supplier: {}, buyer: {} };
const linesOf = (count: number) => ({
  ...invoice,
  lines: Array(count).fill({ amountExclTax: '1.00', taxes: [] }),
});
const imports = (count: number, lines = 1) => Array(count).fill({ queueId: '1', invoice: linesOf(lines) });
const importing = (selection: string) =>
  `mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { __typename ${selection} } }`;
/** The problems of each import under nine names. */
const aliasedProblems = importing(
  `... on InvalidInput { ${times(9, (index) => `p${index}: problems { __typename rule severity path message expected actual }`)} }`,
);

const exporting = (selection: string, variables = '') =>
  `mutation${variables} { exportDocuments(input: {}) { ... on ExportResult { __typename ${selection} } } }`;
/** Every column with so many aliases, of all rows or of the first ones. */
const exportedRows = (aliases: number, first = '', more = '') =>
  exporting(
    `${more} rows${first} { ${columns.map(({ field }) => times(aliases, (at) => `a${at}${field}: ${field}`)).join(' ')} }`,
    '($ids: [ID!])',
  ).replace('input: {}', 'input: { documentIds: $ids }');

const statuses = 'malaysiaStatuses(documentIds: $ids) { state }';

const tooManyUses =
  'The operation uses variables several times, which repeats too many input values; the limit is 25000.';
const negative = 'rows(first) must be at least 0.';

it.each<[what: string, query: string, variables: object, code: string, message: string]>([
  [
    'can cause too many calls',
    `query ($ids: [ID!]!) { a: ${statuses} b: ${statuses} c: malaysiaStatus(documentId: "1") { state } }`,
    { ids: ids(100) },
    'OPERATION_TOO_EXPENSIVE',
    'The operation can cause 201 calls to the document service; the limit is 200.',
  ],
  [
    'can return too many values, because aliases multiply the problems of a batch',
    aliasedProblems,
    { input: imports(20) },
    'OPERATION_TOO_EXPENSIVE',
    'The operation can return 324221 values; the limit is 250000.',
  ],
  [
    'requests more values than a result may have',
    exportedRows(6),
    { ids: ids(500) },
    'OPERATION_TOO_EXPENSIVE',
    'The operation requests 111503 values; the limit is 100000.',
  ],
  [
    'repeats a large variable in one list',
    `mutation ($one: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoices(input: [${times(100, () => '$one')}]) { __typename } }`,
    { one: imports(1, 1_000)[0] },
    'BAD_USER_INPUT',
    tooManyUses,
  ],
  [
    'repeats a long string',
    `mutation ($name: String!) { ${times(10, (index) => `a${index}: createGroup(input: { name: $name }) { __typename }`)} }`,
    { name: 'N'.repeat(50_000) },
    'BAD_USER_INPUT',
    tooManyUses,
  ],
  [
    'begins at a negative row',
    exporting('rows(skip: -1) { name }'),
    {},
    'BAD_USER_INPUT',
    negative.replace('first', 'skip'),
  ],
  [
    'has a negative default',
    exporting('rows(first: $n) { name }', '($n: Int = -1)'),
    {},
    'BAD_USER_INPUT',
    negative,
  ],
  [
    'has null as a condition in its result',
    exporting('csv @include(if: $a)', '($a: Boolean = true)'),
    { a: null },
    'BAD_USER_INPUT',
    '"$a" must be true or false: it is the condition of @include.',
  ],
  [
    'has null as a required argument in its result',
    exporting('rows { value(column: $a) }', '($a: String = "Name")'),
    { a: null },
    'BAD_USER_INPUT',
    '"$a" must not be null: it is the argument "column" of value.',
  ],
])(
  'an operation is refused before the first call that %s',
  async (_what, query, variables, code, message) => {
    const { data, errors } = await gateway.ask(query, variables);
    expect(data).toBeUndefined();
    const bound = code === 'OPERATION_TOO_EXPENSIVE' ? { bound: 'cost' } : {};
    const extensions = { code, sideEffect: 'NONE', ...bound };
    expect(errors).toMatchObject([{ message, extensions }]);
    expect(service.received).toEqual([]);
  },
);

describe('the calls of an operation', () => {
  it('include the status of each import of a batch', () => {
    const query = importing('... on MalaysiaImport { a: status { state } b: status { state } }');
    expect(costs(query)({ input: imports(67) }).calls).toBe(201);
  });

  it('are none for fields that make no call', () => {
    const query = `{
      gatewayInfo { __typename }
      checkMalaysiaInvoice(invoice: { docType: INVOICE, docNumber: "1", lines: [] }) { isValid }
      checkMalaysiaInvoiceDraft(invoice: {}) { isValid }
      writeOutcome(idempotencyKey: "12345678") { state }
    }`;
    expect(costs(query)().calls).toBe(0);
  });
});

describe('the values of an operation', () => {
  it('are counted for the variables of each execution', () => {
    const cost = costs(aliasedProblems);
    const [few, many] = [cost({ input: imports(10) }), cost({ input: imports(20) })];
    expect(few.values).toBeLessThan(maxEstimatedValues);
    expect(many.values).toBeGreaterThan(maxEstimatedValues);
    expect(cost({ input: imports(10) })).toEqual(few);
  });

  it('of fragments on an interface add to those of a fragment on an object type', () => {
    const schema = buildSchema(`
      interface Node { parent: Leaf }
      type Leaf implements Node { parent: Leaf name: String }
      type Other implements Node { parent: Leaf }
      union Any = Leaf | Other
      type Query { any: Any }`);
    const text =
      '{ any { ... on Node { parent { name } } ... on Leaf { name } ... on Other { __typename } } }';
    // any, parent and its name, and the name of a leaf or the type of another.
    expect(costs(text, schema)().values).toBe(4);
  });

  it.each([
    [6, 500, '', 111_503],
    [6, 400, '', 89_203],
    [6, 500, '(first: 100)', 22_303],
    [5, 500, '', 93_003],
  ])('requested in %i columns of %i rows%s are %i', (aliases, rows, first, values) => {
    const cost = costs(exportedRows(aliases, first))({ ids: ids(rows) });
    expect(cost.requestedValues).toBe(values);
  });

  it('are not fewer because of rows(first: 0), which has none', () => {
    const none = `none: rows(first: 0) { ${columns[0]?.field} }`;
    const [one, other] = ['', none].map((more) => costs(exportedRows(6, '', more))({ ids: ids(500) }));
    expect(other?.requestedValues).toBe((one?.requestedValues ?? 0) + 1);
  });
});

it.each([
  [
    'in fragments and next to them',
    `query ($id: ID!) { ...A ...B malaysiaStatus(documentId: $id) { state } }
      fragment A on Query { malaysiaStatus(documentId: $id) { state govPortal { uuid } } }
      fragment B on Query { malaysiaStatus(documentId: $id) { state ... { govPortal { submissionId uuid } } } }`,
    'query ($id: ID!) { malaysiaStatus(documentId: $id) { state govPortal { uuid submissionId } } }',
  ],
  [
    'on one of several types',
    `mutation ($i: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoice(input: $i) { ...A ...A ...B ... on InvalidInput { message } } }
      fragment A on MalaysiaImport { status { state } }
      fragment B on MalaysiaImport { status { ... on MalaysiaStatus { state isFinal } } }`,
    'mutation ($i: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoice(input: $i) { ... on MalaysiaImport { status { state isFinal } } } }',
  ],
  [
    'with a list of a variable',
    `query ($ids: [ID!]!) { ...A ...B } fragment A on Query { ${statuses} } fragment B on Query { ${statuses} }`,
    `query ($ids: [ID!]!) { ${statuses} }`,
  ],
])('a field that is selected several times counts once, as it is executed: %s', (_where, text, merged) => {
  const coerced = { id: 'N'.repeat(160), i: {}, ids: ids(100) };
  expect(costs(text)(coerced)).toEqual(costs(merged)(coerced));
});

describe('the input that variables repeat', () => {
  const status = 'malaysiaStatus(documentId: $v) { state }';
  const check = 'checkMalaysiaInvoice(invoice: $v) { isValid }';

  it.each<[what: string, query: string, value: unknown, repeated: number]>([
    ['16 characters as one value', `{ a: ${status} b: ${status} }`, 'N'.repeat(16), 2],
    ['values on all levels', `{ a: ${status} b: ${status} }`, ['a', { b: null }], 4],
    ['an invoice of 1,000 lines', `{ a: ${check} b: ${check} }`, linesOf(1_000), 3_006],
    ['nothing of a variable that is used once', `{ ${check} }`, linesOf(20_000), 0],
  ])('counts %s', (_what, selection, v, repeated) => {
    expect(costs(`query ($v: ID!) ${selection}`)({ v }).repeatedInput).toBe(repeated);
  });
});

describe('a mutation', () => {
  const refusalOf = (selection: string, variables: string, coerced: object) =>
    costs(exporting(selection, `(${variables})`))({ ...coerced }).refusal;

  it.each([
    ['in a fragment', '...Rows } } } fragment Rows on ExportResult { ... { rows { name @skip(if: $a)'],
    ['of what is not returned', 'message } ... on InvalidInput { problems { rule @skip(if: $a) }'],
  ])('may have no null as a condition %s', (_where, selection) => {
    const refused = (a: unknown) => refusalOf(selection, '$a: Boolean = true', { a });
    expect([true, false, null].map(refused)).toEqual([
      undefined,
      undefined,
      expect.stringContaining('@skip'),
    ]);
  });

  it('may have no null as a required argument in a fragment', () => {
    const selection =
      'rows { ...Row } } } } fragment Row on ExportedDocument { ... { ... { value(column: $a)';
    const refused = (a: unknown) => refusalOf(selection, '$a: String = "Name"', { a });
    expect(['Name', null].map(refused)).toEqual([undefined, expect.stringContaining('"column"')]);
  });

  it('may leave a required argument its default by an absent variable, but not by null', () => {
    const schema = buildSchema(`
      type Made { length(unit: String! = "mm"): Int }
      type Mutation { make: Made }
      type Query { a: Int }`);
    const cost = costs('mutation ($a: String) { make { length(unit: $a) } }', schema);
    expect(cost({}).refusal).toBeUndefined();
    expect(cost({ a: null }).refusal).toBe('"$a" must not be null: it is the argument "unit" of length.');
  });
});

it.each(Object.entries(separateOperations(examples)))(
  'the limits accept the example %s',
  (_name, document) => {
    const names = document.definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? (node.variableDefinitions ?? []) : [],
    );
    const cost = costs(document)(
      Object.fromEntries(names.map(({ variable }) => [variable.name.value, Array(100).fill({})])),
    );
    expect(cost.values).toBeLessThanOrEqual(maxEstimatedValues);
    expect(cost.repeatedInput).toBeLessThanOrEqual(maxRepeatedInput);
  },
);
