import { type CsvError, parse } from 'csv-parse/sync';
import { describe, expect, it, vi } from 'vitest';
import { columns } from '../../../src/features/document-export/documented-columns.ts';
import { ExportTable, ParseAllowance } from '../../../src/features/document-export/export-table.ts';
import { readCsv, UnreadableCsvError } from '../../../src/features/document-export/read-csv.ts';
import { fc } from '../../support/fast-check.ts';
import { gatewayOfService } from '../../support/lifetimes.ts';
import { json } from '../../support/service.ts';
import { leastCpuMs, longestTurn } from '../../support/work.ts';

const { service, gateway } = await gatewayOfService();

const parseExport = (csv: string) => new ParseAllowance('request-1').tableOf(csv) as ExportTable;

it('each documented column has a field named like its header', () => {
  expect(new Set(columns.map(({ field }) => field)).size).toBe(37);
  for (const { field, header } of columns)
    expect(field.toLowerCase()).toBe(header.replaceAll(' ', '').toLowerCase());
});

describe('an exported text', () => {
  it.each<[string, string, string[], (string | null)[][]]>([
    ['has no columns when it is empty', '', [], []],
    [
      'keeps rows shorter and longer than the header, and those of empty cells',
      'A,"B"\n1\n"1",2,3\r\n,\n',
      ['A', 'B'],
      [
        ['1', null],
        ['1', '2'],
        [null, null],
      ],
    ],
  ])('%s', (_what, csv, header, cells) => {
    const table = parseExport(csv);
    expect(table.columns).toEqual(header);
    expect(table.rows.map((row) => header.map((name) => table.value(row, name)))).toEqual(cells);
  });

  it('has the first of equal columns, and null for a column that it does not have', () => {
    const table = parseExport('"Name","Name","__proto__"\n"MUSTER","other","x"\n');
    const [row = []] = table.rows;
    expect(table.columns).toEqual(['Name', 'Name', '__proto__']);
    expect(['Name', '__proto__'].map((name) => table.value(row, name))).toEqual(['MUSTER', 'x']);
    for (const name of ['File Name', '', 'name', '0', 'length', 'constructor']) {
      expect(table.value(row, name)).toBeNull();
    }
  });
});

describe('the reader', () => {
  const pieces = ['a', '\u00e9', ' ', '"', ',', '\n', '\r\n', '\r'];
  const piece = fc.constantFrom(...pieces, '""', '\uFEFF', '\uD800');
  const cell = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 5 });

  /** What csv-parse returns, or the code of its error and the number of the records before it. */
  function expected(csv: string, maxRecords: number): unknown {
    try {
      return parse(csv, {
        bom: true,
        relax_column_count: true,
        skip_empty_lines: true,
        to: maxRecords,
        record_delimiter: ['\r\n', '\n'],
      });
    } catch (error) {
      const { code, records } = error as CsvError;
      return `${records ? `row ${records}` : 'the header row'} … (${code})`;
    }
  }

  function actual(csv: string, maxRecords: number): unknown {
    try {
      return readCsv(csv, maxRecords);
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableCsvError);
      return (error as Error).message.replace(/(?<=row( \d+)?) (has|is not) .*(?= \()/, ' …');
    }
  }

  it('returns the same records as csv-parse, or an error at the same row, for any text', () => {
    const text = fc
      .array(fc.oneof(piece, piece, cell.map(quoted)), { maxLength: 16 })
      .map((parts) => parts.join(''));
    let refused = 0;
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 6 }), (csv, maxRecords) => {
        const found = actual(csv, maxRecords);
        if (typeof found === 'string') refused += 1;
        // csv-parse reads a lone surrogate as U+FFFD.
        const wellFormed = Array.isArray(found)
          ? found.map((row) => row.map((each: string) => each.toWellFormed()))
          : found;
        expect(wellFormed).toEqual(expected(csv, maxRecords));
      }),
      { numRuns: 1_000, seed: 1_707 },
    );
    expect(refused).toBeGreaterThan(25);
    expect(refused).toBeLessThan(800);
  });
});

it.each([
  ['"Name"\n"PLANTED', 'row 1 has an unclosed quote'],
  ['"PLANTED', 'the header row has an unclosed quote'],
  ['"Name"\r\n"a"\r\n"PLANTED"TOO"\n', 'row 2 is not valid CSV at line 3 of the text'],
  ['Name\nPLANTED"TOO\n', 'row 1 is not valid CSV at line 2 of the text'],
  ['\nName\nPLANTED"TOO\n', 'row 1 is not valid CSV at line 3 of the text'],
  ['"A"\n"b\nc"\r\n"d\r\ne"\nPLANTED"\n', 'row 3 is not valid CSV at line 6 of the text'],
])('a text that is not valid CSV is an error that states the place and quotes no cell: %j', (csv, where) => {
  let error: Error | undefined;
  try {
    readCsv(csv, 10);
  } catch (thrown) {
    error = thrown as Error;
  }
  expect(error).toBeInstanceOf(UnreadableCsvError);
  expect(error?.message).toMatch(new RegExp(`^${where} \\([A-Z_]+\\)$`));
  expect(error?.cause).toBeUndefined();
  expect(`${error?.stack} ${JSON.stringify(error)}`).not.toContain('PLANTED');
});

const ofRows = (count: number) => `a\n${'1\n'.repeat(count)}`;

it('the exports of one operation have at most 4 Mi characters together', () => {
  const allowance = new ParseAllowance('request-1');
  allowance.tableOf('a'.repeat(4 * 1_024 * 1_024 - 1));
  expect(allowance.tableOf('a')).toMatchObject({ columns: ['a'] });
  expect(allowance.tableOf('a')).toMatchObject({ code: 'OPERATION_TOO_EXPENSIVE' });
});

it.each([
  ['rows', ofRows(10_000), ofRows(10_001)],
  ['columns', ','.repeat(9_999), ','.repeat(10_000)],
  ['cells in a row', `a\n${','.repeat(9_999)}\na`, `a\n${','.repeat(10_000)}\na`],
])('an export may have 10,000 %s, and one of more is an error', (_what, largest, larger) => {
  expect(parseExport(largest)).toBeInstanceOf(ExportTable);
  const message = expect.stringContaining('more than 10000 rows, 10000 columns or');
  const refusal = { code: 'OPERATION_TOO_EXPENSIVE', bound: 'result', message };
  expect(parseExport(larger)).toMatchObject(refusal);
});

it('a cell of two million quotes is read in little time', async () => {
  const csv = `a\n"${'""'.repeat(2_000_000)}"`;
  let rows: string[][] = [];
  // 150 ms if `replaceAll` replaces them.
  const spentMs = await leastCpuMs(async () => {
    rows = readCsv(csv, 2);
  }, 120);
  expect(rows[1]?.[0]?.length).toBe(2_000_000);
  expect(spentMs).toBeLessThan(120);
});

it.each([
  // 140 ms if all are indexed.
  [
    'of 300,000 columns',
    Array.from({ length: 300_000 }, (_, index) => (46_656 + index).toString(36)).join(),
    'have more than',
  ],
  // 120 ms if the text is split into its lines.
  [
    'with its error behind four million lines',
    `"${'\n'.repeat(4_000_000)}",a"`,
    'at line 4000001 of the text',
  ],
])('a text %s is refused in little time', async (_what, text, message) => {
  const refuse = async () =>
    expect(parseExport(text)).toMatchObject({ message: expect.stringContaining(message) });
  expect(await leastCpuMs(refuse, 50)).toBeLessThan(50);
});

describe('an export', () => {
  const exports = (data: string, more: object = {}) =>
    service.will(json(200, { exportDocumentByDocIds: { data, message: 'Downloaded.', ...more } }));
  const everything = `mutation ($ids: [ID!]) { exportDocuments(input: { documentIds: $ids }) {
    ... on ExportResult { message csv columns rowCount rows { name } }
  } }`;

  it('whose text is not valid CSV keeps `csv`, and states the place in the errors of what was selected of it', async () => {
    const csv = '"Name"\n"A"\n"PLANTED';
    exports(csv);
    const { data, errors } = await gateway.ask(everything, { ids: ['5001'] });
    const unread = { columns: null, rowCount: null, rows: null };
    expect(data.exportDocuments).toEqual({ message: 'Downloaded.', csv, ...unread });
    expect(errors?.map(({ path }) => path?.at(-1)).sort()).toEqual(Object.keys(unread).sort());
    for (const { message, extensions } of errors ?? []) {
      expect(message).toContain('row 2 has an unclosed quote');
      expect(message).not.toContain('PLANTED');
      // The documents were exported; only parsing the text failed.
      expect(extensions).toMatchObject({
        code: 'UPSTREAM_BAD_RESPONSE',
        sideEffect: 'APPLIED',
        retryable: false,
      });
      const { requestId } = extensions;
      expect(requestId).toBe(service.received.at(-1)?.headers['x-request-id']);
      expect(extensions['upstream']).toEqual({ operation: 'exportDocuments', status: 200, requestId });
    }
    const query = 'mutation { exportDocuments(input: {}) { ... on ExportResult { csv } } }';
    expect(await gateway.ask(query)).toMatchObject({ data: { exportDocuments: { csv } }, errors: undefined });
  });

  it('sends duplicates as they are given, and has no rows when the text is only a header', async () => {
    exports('"Name"\n');
    const { data } = await gateway.ask(everything, { ids: ['7', '7'] });
    expect(data.exportDocuments).toMatchObject({ columns: ['Name'], rowCount: 0, rows: [] });
    expect(JSON.parse(String(service.received[0]?.body))).toEqual({ docIds: [7, 7] });
  });

  const withWarnings = `mutation ($ids: [ID!]) { exportDocuments(input: { documentIds: $ids }) {
    ... on ExportResult { requestedCount warnings { rule severity path message } }
  } }`;
  const fewer = {
    rule: 'reported-by-service',
    severity: 'WARNING',
    path: ['documentIds'],
    message: 'The export has fewer rows (1) than documents (2).',
  };

  it.each<[string, string[] | undefined, string, number, object[]]>([
    ['fewer rows than documents', ['5001', '5002'], '"Name"\n"A"\n', 2, [fewer]],
    ['one row for a document that was asked for in two spellings', ['5001', '05001'], '"Name"\n"A"\n', 2, []],
    ['more rows than documents', ['5001'], '"Name"\n"A"\n"B"\n', 1, []],
    ['no ids', undefined, '"Name"\n', 0, []],
    ['a text that cannot be parsed', ['1', '2'], '"Name"\n"A', 2, []],
    ['only empty cells beyond the header', ['1'], '"Name","Brand","Name"\n"A","B",,,\n', 1, []],
  ])('with %s has a warning only if rows are missing', async (_what, ids, csv, requestedCount, warnings) => {
    exports(csv);
    const { data } = await gateway.ask(withWarnings, { ids });
    expect(data.exportDocuments).toMatchObject({ requestedCount, warnings });
  });

  it.each([
    ['longer than the header', '"Name","Brand"\n"A","B"\n"A","B",,"C","D"\n', 2, 2],
    ['under a name that the header has before', '"Name","Brand","Name"\n"A","B","C"\n"A","B",\n', 1, 1],
  ])('with cells of rows %s has a warning: no column returns them', async (_what, csv, cells, row) => {
    exports(csv);
    const { data } = await gateway.ask(withWarnings, { ids: ['1'] });
    const message = `Cells without a column, because the header is too short or repeats a name: ${cells}, the first in row ${row}. Only the exported text has them.`;
    expect(data.exportDocuments.warnings).toEqual([{ ...fewer, message }]);
  });

  it('looks at its cells once for all warnings that an operation asks for', async () => {
    exports('"Name"\n"A","B"\n');
    const cells = vi.spyOn(ExportTable.prototype, 'cellsWithoutColumn', 'get');
    const fields = ['a', 'b', 'c'].map((alias) => `${alias}: warnings { message }`).join(' ');
    const { data } = await gateway.ask(
      `mutation { exportDocuments(input: {}) { ... on ExportResult { ${fields} } } }`,
    );
    expect(data.exportDocuments.c).toHaveLength(1);
    expect(cells).toHaveBeenCalledTimes(1);
    cells.mockRestore();
  });

  it('with half of a surrogate pair has the same text in csv, columns and cells', async () => {
    const half = '\ud83d';
    exports(`"Name","${half}"\n"${half}","B"\n`);
    const query = `mutation ($column: String!) { exportDocuments(input: {}) {
      ... on ExportResult { csv columns rows { name value(column: $column) } }
    } }`;
    const { data } = await gateway.ask(query, { column: half });
    expect(data.exportDocuments).toEqual({
      csv: `"Name","${half}"\n"${half}","B"\n`,
      columns: ['Name', half],
      rows: [{ name: half, value: 'B' }],
    });
  });

  it('of 5,000 rows with all columns is converted once for the 30 fields that ask for its rows', async () => {
    exports(`${columns.map(({ header }) => header).join()}\n${'a\n'.repeat(5_000)}`);
    const fields = Array.from({ length: 30 }, (_, index) => `r${index}: rows { name }`).join(' ');
    const longestMs = longestTurn();
    const { data } = await gateway.ask(
      `mutation { exportDocuments(input: {}) { ... on ExportResult { ${fields} } } }`,
    );
    expect(data.exportDocuments.r0).toHaveLength(5_000);
    expect(longestMs()).toBeLessThan(200);
  });

  it('of more than 10,000 rows together with earlier ones of its operation has no rows but an error, and its csv', async () => {
    const csv = ofRows(5_001);
    exports(csv);
    const one = 'exportDocuments(input: {}) { ... on ExportResult { rowCount csv } }';
    const { data, errors } = await gateway.ask(`mutation { first: ${one} second: ${one} third: ${one} }`);
    const unread = { rowCount: null, csv };
    expect(data).toEqual({ first: { rowCount: 5_001, csv }, second: unread, third: unread });
    const extensions = { code: 'OPERATION_TOO_EXPENSIVE', bound: 'result', sideEffect: 'APPLIED' };
    expect(errors).toMatchObject([
      { path: ['second', 'rowCount'], extensions },
      { path: ['third', 'rowCount'], extensions },
    ]);
    expect((await gateway.ask(`mutation { ${one} }`)).data.exportDocuments.rowCount).toBe(5_001);
  });
});

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
