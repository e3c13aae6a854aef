/** Errors name the lines and columns of the operation's text, at a cost that does not grow with the number of its lines. */
import { GraphQLError, type GraphQLFormattedError, parse, visit } from 'graphql';
import { expect, it, vi } from 'vitest';
import { createDocumentParser } from '../../src/operation/valid-document.ts';
import { schema } from '../../src/schema.ts';
import { gatewayOfService } from '../support/lifetimes.ts';

const { gateway } = await gatewayOfService();
const parseDocument = createDocumentParser(schema, false);

async function errorsOf(query: string, variables = {}): Promise<readonly GraphQLFormattedError[]> {
  const { errors = [] } = await gateway.ask(query, variables);
  return errors;
}

/** The locations that graphql-js gives to an error about a field, by the name or alias of the field. */
function locationsIn(text: string): Map<string, GraphQLFormattedError['locations']> {
  const found = new Map<string, GraphQLFormattedError['locations']>();
  visit(parse(text), {
    Field: (node) =>
      void found.set((node.alias ?? node.name).value, new GraphQLError('', { nodes: node }).locations),
  });
  return found;
}

const failing = (alias: string) => `${alias}: malaysiaStatus(documentId: "1/2") { state }`;

it.each([
  ['after line feeds', `\n\n{\n${failing('a')}\n\n  ${failing('b')} }`],
  ['after CRLF and carriage returns', `\r\n\r{\r\n\r\n${failing('a')}\r\t${failing('b')} }`],
  ['after comments and commas', `# é\n,,{ # {\n,${failing('a')} ,, ${failing('b')} }`],
  [
    'after characters of two code units',
    `# 😀\n{ # 😀\n a: malaysiaStatus(documentId: "😀/") { state } ${failing('b')} }`,
  ],
  [
    'after block strings',
    `{ a: malaysiaStatus(documentId: """\n\r\n/\\"""\n""") { state }\n${failing('b')} ${failing('c')} }`,
  ],
])('an error of a field names the line and the column of the field %s', async (_what, query) => {
  const locations = locationsIn(query);
  const errors = await errorsOf(query);
  expect(errors.length).toBeGreaterThan(1);
  for (const error of errors) expect(error.locations).toEqual(locations.get(String(error.path?.[0])));
});

it.each([
  [
    'a document that does not fit the schema',
    '{\n  a: __typename\n  a: gatewayInfo { version } }',
    '2:3 3:3',
  ],
  ['a variable', '\nquery (\n$id: ID!) { malaysiaStatus(documentId: $id) { state } }', '3:1'],
  ['an argument without a name', '\n\n  { a( } ', '3:8'],
  ['a selection without a field', '{\n gatewayInfo {} }', '2:15'],
  ['a mutation whose result has no field', 'mutation { createGroup(input: {}) {} }', '1:36'],
])('an error of %s names the line and column of each of its places', async (_what, query, places) => {
  const [error] = await errorsOf(query);
  expect(error?.locations?.map(({ line, column }) => `${line}:${column}`).join(' ')).toBe(places);
});

it.each([
  ['a Decimal', 'lines: [{ amountExclTax: 1 }, { amountExclTax: 1e400 }]', '1e400'],
  ['a number in JSON', 'lines: [], totals: { a: [1, { b: 1e400 }] }', '1e400'],
  ['an enum value in JSON', 'lines: [], totals: { a: [1, NONE] }', 'NONE'],
  ['JSON', 'lines: [], totals: 5', '5'],
])('an error of %s in the text of the operation names where it stands', async (_what, members, value) => {
  const query = `{ checkMalaysiaInvoice(invoice: { docType: INVOICE, docNumber: "1", ${members} }) { isValid } }`;
  const [error] = await errorsOf(query);
  expect(error?.locations).toEqual([{ line: 1, column: query.lastIndexOf(value) + 1 }]);
});

it('an error of a number in JSON of the variables names its path', async () => {
  const query =
    'query ($totals: JSONObject) { checkMalaysiaInvoice(invoice: { docType: INVOICE, docNumber: "1", lines: [], totals: $totals }) { isValid } }';
  const [error] = await errorsOf(query, { totals: { a: 1, tax: [{ rate: 2 }, { rate: 1e200 }] } });
  expect(error?.message).toContain('The one at "tax.1.rate" is not.');
});

it('an error of the value of a variable inside of a literal names no place', async () => {
  const query =
    'query ($draft: JSONObjectDraft) { checkMalaysiaInvoice(invoice: { docType: INVOICE, docNumber: "1", lines: [], totals: { a: $draft } }) { isValid } }';
  const [error] = await errorsOf(query, { draft: { rate: 1e200 } });
  expect(error?.message).toContain('Decimal must be a number');
  expect(error).not.toHaveProperty('locations');
});

it('a long text is not searched for the lines of its errors, neither of fields nor of those that refuse it', async () => {
  const lines = '\n'.repeat(60_000);
  const search = vi.spyOn(String.prototype, 'matchAll');
  const searches = () => search.mock.contexts.filter((text) => String(text).length > lines.length).length;
  expect(await errorsOf(`${lines}{ ${failing('a')} ${failing('b')} }`)).toHaveLength(2);
  const unknown = Array.from({ length: 15 }, (_, at) => `unknown${at}`).join(' ');
  expect(await errorsOf(`${lines}{ ${unknown} }`)).toHaveLength(15);
  expect(searches()).toBe(0);
  search.mockRestore();
});

it('a text nested too deep for the parser is refused as one that cannot be parsed', () => {
  const deep = `{ a(b: ${'['.repeat(1_900)}) }`;
  expect(() => parseDocument(deep, '')).toThrow(expect.objectContaining({ code: 'GRAPHQL_PARSE_FAILED' }));
});
