/** The calls, the size of the result and the repeated input of an operation are estimated before the first call. */
import { buildSchema, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { costOf, maxEstimatedValues, maxRepeatedInput } from '../../src/operation/cost.ts';
import { schema } from '../../src/schema.ts';
import { examples } from '../support/examples.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService(
  does.json(200, { docId: 1, requestId: 'r', queueId: '1' }),
);

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

const invoice = (lines: object[] = [{ amountExclTax: '1.00', taxes: [] }]) => ({
  docType: 'INVOICE',
  docNumber: '1',
  supplier: {},
  buyer: {},
  lines,
});
const imports = (count: number, ...lines: object[][]) =>
  Array.from({ length: count }, () => ({ queueId: '1', invoice: invoice(...lines) }));

const importing = (selection: string) =>
  `mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { __typename ${selection} } }`;
const fullProblems = 'problems { __typename rule severity path message expected actual }';

/** Code, side effect and message of the error that refuses an operation, and the calls made. */
async function refusalOf(query: string, variables: object) {
  const { data, errors } = await gateway.ask(query, variables);
  const { code, sideEffect } = errors?.[0]?.extensions ?? {};
  return { data, code, sideEffect, message: errors?.[0]?.message, calls: service.received.length };
}

describe('an operation whose lists could return too many values is refused before the first call', () => {
  const aliased = importing(
    `... on InvalidInput { ${times(9, (index) => `p${index}: ${fullProblems}`)} } ... on MalaysiaImport { documentId }`,
  );
  const refused = {
    data: undefined,
    code: 'OPERATION_TOO_EXPENSIVE',
    sideEffect: 'NONE',
    message: expect.stringMatching(/^The operation can return \d+ values; the limit is 250000\.$/),
    calls: 0,
  };

  it('when aliases multiply the problems of a batch', async () => {
    expect(await refusalOf(aliased, { input: imports(20) })).toEqual(refused);
    expect((await refusalOf(aliased, { input: imports(10) })).calls).toBe(10);
  });

  it('also when the same document was executed with shorter lists before', async () => {
    const outcomes = [];
    for (const length of [1, 100, 1])
      outcomes.push((await refusalOf(aliased, { input: imports(length) })).code);
    expect(outcomes).toEqual([undefined, 'OPERATION_TOO_EXPENSIVE', undefined]);
  });
});

describe('an operation that can cause too many calls', () => {
  it('is refused before the first call, with its cost and the limit', async () => {
    const documentIds = Array.from({ length: 100 }, (_, index) => String(index));
    const query =
      'query ($documentIds: [ID!]!) { a: malaysiaStatuses(documentIds: $documentIds) { state } b: malaysiaStatuses(documentIds: $documentIds) { state } c: malaysiaStatus(documentId: "1") { state } }';
    expect(await refusalOf(query, { documentIds })).toEqual({
      data: undefined,
      code: 'OPERATION_TOO_EXPENSIVE',
      sideEffect: 'NONE',
      message: 'The operation can cause 201 calls to the document service; the limit is 200.',
      calls: 0,
    });
  });

  it('includes the status of each import of a batch', async () => {
    const query = importing('... on MalaysiaImport { a: status { state } b: status { state } }');
    const { message } = await refusalOf(query, { input: imports(67) });
    expect(message).toMatch(/can cause 201 calls/);
  });
});

it('the values of fragments on an interface add to those of a fragment on an object type', () => {
  const schema = buildSchema(`
    interface Node { parent: Leaf }
    type Leaf implements Node { parent: Leaf name: String }
    type Other implements Node { parent: Leaf }
    union Any = Leaf | Other
    type Query { any: Any }`);
  const text = '{ any { ... on Node { parent { name } } ... on Leaf { name } ... on Other { __typename } } }';
  const [operation] = parse(text).definitions as [OperationDefinitionNode];
  const variableValues = { sources: {}, coerced: {} };
  const { values } = costOf({ schema, operation, fragmentDefinitions: {}, variableValues });
  // any, parent and its name, and the name of a leaf or the type of another.
  expect(values).toBe(4);
});

describe('a field that is selected several times is executed once, and counts once', () => {
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
      `mutation ($i: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoice(input: $i) { ... on MalaysiaImport { status { state isFinal } } } }`,
    ],
  ])('%s', (_where, text, merged) => {
    const counts = [text, merged].map((each) => {
      const { definitions } = parse(each);
      const [operation, ...fragments] = definitions as [OperationDefinitionNode, ...FragmentDefinitionNode[]];
      const fragmentDefinitions = Object.fromEntries(fragments.map((node) => [node.name.value, node]));
      const variableValues = { sources: {}, coerced: { id: 'N'.repeat(160), i: {} } };
      return costOf({ schema, operation, fragmentDefinitions, variableValues });
    });
    expect(counts[0]).toEqual(counts[1]);
  });

  it('also when the number of its calls depends on a variable', async () => {
    const fragments = ['A', 'B', 'C'].map(
      (name) => `fragment ${name} on Query { malaysiaStatuses(documentIds: $ids) { state } }`,
    );
    const query = `query ($ids: [ID!]!) { ...A ...B ...C } ${fragments.join(' ')}`;
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    expect((await refusalOf(query, { ids })).calls).toBe(100);
  });
});

it('fields that make no call cost none', () => {
  const query = `{
    gatewayInfo { __typename }
    checkMalaysiaInvoice(invoice: { docType: INVOICE, docNumber: "1", lines: [] }) { isValid }
    checkMalaysiaInvoiceDraft(invoice: {}) { isValid }
    writeOutcome(idempotencyKey: "12345678") { state }
  }`;
  const [operation] = parse(query).definitions;
  const { calls } = costOf({
    ...{ schema, operation: operation as OperationDefinitionNode, fragmentDefinitions: {} },
    variableValues: { sources: {}, coerced: {} },
  });
  expect(calls).toBe(0);
});

describe('an operation whose variables repeat a large value is refused before the first call', () => {
  const lines = Array.from({ length: 1_000 }, () => ({ amountExclTax: '1.00', taxes: [] }));

  it.each([
    [
      'in one list',
      `mutation ($one: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoices(input: [${times(100, () => '$one')}]) { __typename } }`,
      { one: imports(1, lines)[0] as object },
    ],
    [
      'that is a long string',
      `mutation ($number: String!) { ${times(10, (index) => `a${index}: createGroup(input: { name: $number }) { __typename }`)} }`,
      { number: 'N'.repeat(50_000) },
    ],
  ])('%s', async (_how, query, variables) => {
    expect(await refusalOf(query, variables)).toEqual({
      data: undefined,
      code: 'BAD_USER_INPUT',
      sideEffect: 'NONE',
      message: expect.stringMatching(
        /^The operation uses variables several times, which repeats too many input values; the limit is 25000\.$/,
      ),
      calls: 0,
    });
  });

  it.each([
    ['N'.repeat(16), 2],
    [['a', { b: null }], 4],
  ])('counts the values of %j, and 16 characters as one', (coerced, values) => {
    const status = 'malaysiaStatus(documentId: $v) { state }';
    const [operation] = parse(`query ($v: ID!) { a: ${status} b: ${status} }`).definitions;
    const cost = costOf({
      ...{ schema, operation: operation as OperationDefinitionNode, fragmentDefinitions: {} },
      variableValues: { sources: {}, coerced: { v: coerced } },
    });
    expect(cost.repeatedInput).toBe(values);
  });

  it('but not when it uses each variable once, of any size', async () => {
    const batch = imports(100, lines.slice(0, 200));
    expect(await refusalOf(importing(''), { input: batch })).toMatchObject({ code: undefined, calls: 100 });
  });

  it('but not when it uses an invoice of 1,000 lines twice', async () => {
    const query = `query ($invoice: MalaysiaInvoiceInput!) { a: checkMalaysiaInvoice(invoice: $invoice) { isValid } b: checkMalaysiaInvoice(invoice: $invoice) { totals { taxAmount } } }`;
    expect(await refusalOf(query, { invoice: invoice(lines) })).toMatchObject({ code: undefined });
  });
});

describe('the cost limits accept', () => {
  const { definitions } = examples;
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const fragmentDefinitions = Object.fromEntries(fragments.map((node) => [node.name.value, node]));

  it.each(operations.map((operation) => [operation.name?.value, operation] as const))(
    '%s',
    (_name, operation) => {
      const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
      const coerced = Object.fromEntries(names.map((name) => [name, Array(100).fill({})]));
      const cost = costOf({
        schema,
        operation,
        fragmentDefinitions,
        variableValues: { sources: {}, coerced },
      });
      expect(cost.values).toBeLessThanOrEqual(maxEstimatedValues);
      expect(cost.repeatedInput).toBeLessThanOrEqual(maxRepeatedInput);
    },
  );
});
