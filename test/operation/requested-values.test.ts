/** Exports whose result would be too large, or whose part is wrong: the arguments are checked before the call. */
import { expect, it } from 'vitest';
import { columns } from '../../src/features/document-export/documented-columns.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const rows = 500;
const csv = [
  columns.map(({ header }) => header).join(','),
  ...Array.from({ length: rows }, (_, row) => columns.map((_column, at) => `${row}-${at}`).join(',')),
].join('\n');

const { service, gateway } = await gatewayOfService(
  does.json(200, { exportDocumentByDocIds: { data: csv } }),
);

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Every column with so many aliases, of all rows or of the first ones. */
function query(aliases: number, first: string): string {
  const fields = columns.flatMap(({ field }) =>
    Array.from({ length: aliases }, (_, at) => `a${at}${field}: ${field}`),
  );
  return `mutation ($ids: [ID!]) { exportDocuments(input: { documentIds: $ids }) { ... on ExportResult { rows${first} { ${fields.join(' ')} } } } }`;
}

const ask = (aliases: number, documentIds: readonly string[], first = '') =>
  gateway.ask(query(aliases, first), { ids: documentIds });

it('an export that requests more values than a result may have is refused before the call', async () => {
  const { errors } = await ask(6, ids(rows));
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/^The operation requests 1115\d\d values; the limit is 100000\.$/),
      extensions: { code: 'OPERATION_TOO_EXPENSIVE', bound: 'cost', sideEffect: 'NONE' },
    },
  ]);
  expect(service.received).toEqual([]);
});

it('the field rows(first: 0) counts as one value: it has no rows, and makes no room for those of others', async () => {
  const requested = async (none = '') => {
    const text = query(6, '').replace('{ rows', `{ ${none} rows`);
    const { errors } = await gateway.ask(text, { ids: ids(rows) });
    return Number(/requests (\d+) values/.exec(errors?.[0]?.message ?? '')?.[1]);
  };
  const values = await requested();
  expect(values).toBeGreaterThan(0);
  expect(await requested(`none: rows(first: 0) { ${columns[0]?.field} }`)).toBe(values + 1);
});

it.each(['first', 'skip'])('an export with a negative rows(%s) is refused before the call', async (name) => {
  const rowsOf = (value: string, variable = '') =>
    `mutation${variable} { exportDocuments(input: {}) { ... on ExportResult { csv rows(${name}: ${value}) { name } } } }`;
  const sent = [
    await gateway.ask(rowsOf('-1')),
    await gateway.ask(rowsOf('$count', '($count: Int)'), { count: -1 }),
    await gateway.ask(rowsOf('$count', '($count: Int = -1)')),
  ];
  for (const { errors } of sent) {
    const message = `rows(${name}) must be at least 0.`;
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE' } }]);
  }
  expect(service.received).toEqual([]);
});

it.each([
  ['requests fewer rows', 6, ids(400), ''],
  ['returns only the first rows', 6, ids(rows), '(first: 100)'],
  ['selects fewer fields', 5, ids(rows), ''],
])('an export that %s is made', async (_title, aliases, documentIds, first) => {
  const { data } = await ask(aliases, documentIds, first);
  if (aliases === 5 || first) expect(data.exportDocuments.rows.length).toBeGreaterThan(0);
  expect(service.received).toHaveLength(1);
});

it.each([
  ['in its result', 'csv @include(if: $isShown)', 'include'],
  [
    'in a fragment of its result',
    '...Rows } } } fragment Rows on ExportResult { ... { rows { name @skip(if: $isShown)',
    'skip',
  ],
  [
    'of a part that is not returned',
    '... on ExportResult { message } } ... on InvalidInput { problems { rule @skip(if: $isShown) }',
    'skip',
  ],
])(
  'a mutation with null as a condition %s is refused before the call',
  async (_title, selection, directive) => {
    const text = `mutation ($isShown: Boolean = true) { exportDocuments(input: {}) { ... on ExportResult { __typename ${selection} } } }`;
    for (const isShown of [true, false])
      expect((await gateway.ask(text, { isShown })).errors).toBeUndefined();
    service.received.length = 0;
    const { errors } = await gateway.ask(text, { isShown: null });
    const message = `"$isShown" must be true or false: it is the condition of @${directive}.`;
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE' } }]);
    expect(service.received).toEqual([]);
  },
);

it.each([
  ['in its result', 'rows { value(column: $column)'],
  [
    'in a fragment of its result',
    'rows { ...Row } } } } fragment Row on ExportedDocument { ... { ... { ... { value(column: $column)',
  ],
])('a mutation with null as a required argument %s is refused before the call', async (_title, selection) => {
  const text = `mutation ($column: String = "Name") { exportDocuments(input: {}) { ... on ExportResult { __typename ${selection} } } } }`;
  expect((await gateway.ask(text)).errors).toBeUndefined();
  service.received.length = 0;
  const { errors } = await gateway.ask(text, { column: null });
  const message = '"$column" must not be null: it is the argument "column" of value.';
  expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE' } }]);
  expect(service.received).toEqual([]);
});
