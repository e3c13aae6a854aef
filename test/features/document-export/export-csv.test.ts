import { type CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columns } from '../../../src/features/document-export/columns.ts';
import { type ExportTable, ParseAllowance } from '../../../src/features/document-export/csv.ts';
import { readCsv, UnreadableCsvError } from '../../../src/features/document-export/read-csv.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { json, startService, type TestService } from '../../support/service.ts';

const parseExport = (csv: string) => new ParseAllowance().parse(csv);

describe('the documented columns', () => {
  it('are the 37 columns of docs/service.md, in its order', () => {
    expect(columns.map(({ header }) => header).join(', ')).toBe(
      'Name, Engine Number, Brand, Color, Plate Number, Registration Date, Expiry Date, Expiry Year, Expiry Month, ' +
        'Address, Model, Frame Number, ID Number, First Place of Issue, Second Place of Issue, File Name, ' +
        'Invoice Number, PO Number, Account Number, Account Name, Swift Code, IBAN, Email, URL, Total, Subtotal, ' +
        'Tax Total, Currency, Freight, Billing Address, Shipping Address, Vendor Name, Vendor Address, ' +
        'Other Address, Invoice Date, Payment Date, Other Date',
    );
  });

  it('each have a field named like the header', () => {
    expect(new Set(columns.map(({ field }) => field)).size).toBe(37);
    for (const { field, header } of columns) {
      expect(field.toLowerCase()).toBe(header.replaceAll(' ', '').toLowerCase());
    }
  });
});

describe('an exported text', () => {
  it('is a table: a header and one row per document', () => {
    expect(cellsOf(parseExport('"Name","Total"\n"MUSTER","12.50"\n"BRANDT",\n'))).toEqual([
      ['Name', 'Total'],
      ['MUSTER', '12.50'],
      ['BRANDT', null],
    ]);
  });

  it.each([
    ['LF', '"A","B"\n"1","2"\n"3","4"\n'],
    ['CRLF', '"A","B"\r\n"1","2"\r\n"3","4"\r\n'],
    ['CRLF after the header alone', '"A","B"\r\n"1","2"\n"3","4"\n'],
    ['LF after the header alone', 'A,B\n1,2\r\n3,4\r\n'],
    ['none after the last row', '"A","B"\n"1","2"\n"3","4"'],
    ['a byte order mark before it', '\uFEFF"A","B"\n"1","2"\n"3","4"\n'],
    ['a byte order mark before a header without quotes', '\uFEFFA,B\n1,2\n3,4\n'],
    ['empty lines between and after', '"A","B"\n\n"1","2"\r\n\r\n"3","4"\n\n'],
  ])('may have any line breaks: %s', (_which, csv) => {
    expect(cellsOf(parseExport(csv))).toEqual([
      ['A', 'B'],
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('keeps doubled quotes, commas and line breaks inside a cell', () => {
    const { rows } = parseExport(
      '"Name","Address"\n"BRANDT, KLARA ""CLAIRE""","9 NOWHERE LANE\r\nSINGAPORE"\n',
    );
    expect(rows[0]?.value('Name')).toBe('BRANDT, KLARA "CLAIRE"');
    expect(rows[0]?.value('Address')).toBe('9 NOWHERE LANE\r\nSINGAPORE');
  });

  it.each(['', '\uFEFF'])('that is empty has no columns and no rows', (csv) => {
    expect(parseExport(csv)).toEqual({ columns: [], rows: [] });
  });

  it('that is only a header has no rows', () => {
    expect(parseExport('"A","B"\n')).toEqual({ columns: ['A', 'B'], rows: [] });
  });

  it('keeps rows that are shorter or longer than the header', () => {
    expect(cellsOf(parseExport('"A","B"\n"1"\n"1","2","3"\n'))).toEqual([
      ['A', 'B'],
      ['1', null],
      ['1', '2'],
    ]);
  });

  it('keeps a row whose cells are all empty', () => {
    expect(cellsOf(parseExport('"A","B"\n,\n'))).toEqual([
      ['A', 'B'],
      [null, null],
    ]);
  });

  it('may have its columns in any order', () => {
    const { rows } = parseExport('"File Name","Unheard Of","Name"\n"a.png","x","MUSTER"\n');
    expect(['Name', 'File Name', 'Unheard Of'].map((name) => rows[0]?.value(name))).toEqual([
      ...['MUSTER', 'a.png', 'x'],
    ]);
  });

  it('returns null for a column that it does not have', () => {
    const { rows } = parseExport('"Name"\n"MUSTER"\n');
    for (const name of ['File Name', '', 'name', '0', 'length', '__proto__', 'constructor']) {
      expect(rows[0]?.value(name)).toBeNull();
    }
  });

  it('keeps leading and trailing spaces of cells, quoted or not', () => {
    const { rows } = parseExport('"A","B"\n"  1  ",  2  \n');
    expect(['A', 'B'].map((name) => rows[0]?.value(name))).toEqual(['  1  ', '  2  ']);
  });

  it('returns the first of two columns with the same header', () => {
    const { columns: header, rows } = parseExport('"A","A"\n"first","second"\n');
    expect(header).toEqual(['A', 'A']);
    expect(rows[0]?.value('A')).toBe('first');
  });

  it('may have a column named like a property of every object', () => {
    const { rows } = parseExport('"__proto__","constructor"\n"x",\n');
    expect(['__proto__', 'constructor', 'toString', 'A'].map((name) => rows[0]?.value(name))).toEqual([
      'x',
      null,
      null,
      null,
    ]);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('is parsed to the cells that were written as RFC 4180', () => {
    fc.assert(
      fc.property(aTable, fc.array(fc.boolean(), { minLength: 1 }), fc.boolean(), (table, crlf, sparing) => {
        const parsed = parseExport(written(table, { crlf, sparing }));
        const [header = [], ...rows] = table;
        expect(parsed.columns).toEqual(header);
        expect(parsed.rows.map((row) => header.map((name) => row.value(name)))).toEqual(
          rows.map((cells) => header.map((name) => cells[header.indexOf(name)] || null)),
        );
      }),
    );
  });
});

describe('the reader', () => {
  const piece = fc.constantFrom('a', '\u00e9', ' ', '""', '"', ',', '\n', '\r\n', '\r', '\uFEFF', '\uD800');
  const cell = fc.string({
    unit: fc.constantFrom('a', '\u00e9', ' ', '"', ',', '\n', '\r\n', '\r'),
    maxLength: 5,
  });

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
        expect(found).toEqual(expected(csv, maxRecords));
      }),
      { numRuns: 5_000, seed: 1_707 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it('reads every text that is written as RFC 4180, with rows of any length and any line breaks', () => {
    const line = fc.tuple(
      fc.array(cell, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
    );
    const needsQuotes = (text: string) => /[",\r\n]/.test(text);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        (lines, hasMark, isClosed) => {
          const rows = lines.map(([cells, quotesAll, lineBreak], at) => {
            const row = cells.map((text) => (quotesAll || needsQuotes(text) ? quoted(text) : text)).join(',');
            return at === lines.length - 1 && !isClosed ? row : row + lineBreak;
          });
          const csv = (hasMark ? '\uFEFF' : '') + rows.join('');
          expect(readCsv(csv, 100)).toEqual(expected(csv, 100));
        },
      ),
      { numRuns: 2_000, seed: 1_707 },
    );
  });
});

describe('a text that is not valid CSV', () => {
  it.each([
    ['a quote that never closes', '"Name"\n"PLANTED', 'row 1 has an unclosed quote'],
    [
      'a text after a closing quote',
      '"Name"\r\n"a"\r\n"PLANTED"TOO"\n',
      'row 2 is not valid CSV at line 3 of the text',
    ],
    [
      'a quote inside a cell without quotes',
      'Name\nPLANTED"TOO\n',
      'row 1 is not valid CSV at line 2 of the text',
    ],
    ['a header that never ends', '"PLANTED', 'the header row has an unclosed quote'],
    [
      'a bad row after one with a line break in it',
      '"A"\n"b\nc"\nPLANTED"\n',
      'row 2 is not valid CSV at line 4 of the text',
    ],
    [
      'a bad row after one with CRLF in it',
      '"A"\r\n"b\r\nc"\r\nPLANTED"\r\n',
      'row 2 is not valid CSV at line 4 of the text',
    ],
  ])('is an error that states the place and quotes no cell: %s', (_what, csv, where) => {
    const error = thrownBy(() => parseExport(csv));
    expect(error).toBeInstanceOf(UnreadableCsvError);
    expect(error.message).toMatch(new RegExp(`^${where} \\([A-Z_]+\\)$`));
    expect(error.cause).toBeUndefined();
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('PLANTED');
  });

  it('never causes an error of another class', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...',"\n\r\uFEFF x') }), (csv) => {
        try {
          parseExport(csv);
        } catch (error) {
          expect((error as Error).message).toMatch(/^(the header row|row \d+) .*\([A-Z_]+\)$/);
        }
      }),
    );
  });
});

describe('an export', () => {
  let service: TestService;
  let gateway: TestGateway;
  beforeAll(async () => {
    service = await startService();
    gateway = await startTestGateway({ UPSTREAM_URL: service.url });
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  const exported = (data: string) => json(200, { exportDocumentByDocIds: { data, message: 'Downloaded.' } });
  const everything = `mutation ($ids: [ID!]) { exportDocuments(input: { documentIds: $ids }) {
    ... on ExportResult { message csv columns rowCount rows { name } }
  } }`;

  it('whose text is not valid CSV keeps `csv`, and states the place in its errors', async () => {
    const csv = '"Name"\n"A"\n"PLANTED';
    service.will(exported(csv));
    const { data, errors } = await gateway.ask(everything, { ids: ['5001'] });
    expect(data.exportDocuments).toEqual({
      message: 'Downloaded.',
      csv,
      columns: null,
      rowCount: null,
      rows: null,
    });
    expect(errors?.map(({ path }) => path?.join('.')).sort()).toEqual([
      'exportDocuments.columns',
      'exportDocuments.rowCount',
      'exportDocuments.rows',
    ]);
    for (const { message, extensions } of errors ?? []) {
      expect(message).toContain('row 2 has an unclosed quote');
      expect(message).not.toContain('PLANTED');
      expect(extensions).toMatchObject({
        code: 'UPSTREAM_BAD_RESPONSE',
        // The documents were exported; only parsing the text failed.
        sideEffect: 'APPLIED',
        retryable: false,
        upstream: { operation: 'exportDocuments', status: 200 },
      });
    }
  });

  it('whose text is not valid CSV has no error for a caller that selects only `csv`', async () => {
    service.will(exported('"Name"\n"A'));
    const { data, errors } = await gateway.ask(
      'mutation { exportDocuments(input: {}) { ... on ExportResult { csv } } }',
    );
    expect(data.exportDocuments).toEqual({ csv: '"Name"\n"A' });
    expect(errors).toBeUndefined();
  });

  it.each([
    ['no list of documents as no member', undefined, {}],
    ['null as no member', null, {}],
    ['an empty list as an empty list', [], { docIds: [] }],
    ['duplicates as they are given', ['7', '7'], { docIds: [7, 7] }],
  ])('sends %s', async (_what, ids, body) => {
    service.will(exported('"Name"\n'));
    const { data } = await gateway.ask(everything, { ids });
    expect(data.exportDocuments).toMatchObject({ columns: ['Name'], rowCount: 0, rows: [] });
    expect(JSON.parse(String(service.received.at(-1)?.body))).toEqual(body);
  });

  it('of more than 10,000 rows has no rows but an error, and its csv', async () => {
    const csv = `a\n${'1\n'.repeat(10_001)}`;
    service.will(json(200, { exportDocumentByDocIds: { data: csv, message: '' } }));
    const query =
      'mutation { exportDocuments(input: {}) { ... on ExportResult { rowCount rows { name } csv } } }';
    const { data, errors } = await gateway.ask(query);
    expect(data.exportDocuments).toEqual({ rowCount: null, rows: null, csv });
    const refusal = { code: 'OPERATION_TOO_EXPENSIVE', sideEffect: 'APPLIED', retryable: false };
    expect(errors?.map(({ extensions }) => extensions)).toMatchObject([refusal, refusal]);
  });

  it('of more than 10,000 rows together with earlier ones of its operation has no rows but an error, and its csv', async () => {
    const csv = `a\n${'1\n'.repeat(5_001)}`;
    service.will(json(200, { exportDocumentByDocIds: { data: csv, message: '' } }));
    const one = 'exportDocuments(input: {}) { ... on ExportResult { rowCount csv } }';
    const { data, errors } = await gateway.ask(`mutation { first: ${one} second: ${one} third: ${one} }`);
    expect(data).toEqual({
      first: { rowCount: 5_001, csv },
      second: { rowCount: null, csv },
      third: { rowCount: null, csv },
    });
    expect(errors).toMatchObject(
      ['second', 'third'].map((export_) => ({
        path: [export_, 'rowCount'],
        extensions: { code: 'OPERATION_TOO_EXPENSIVE', bound: 'result', sideEffect: 'APPLIED' },
      })),
    );
    expect((await gateway.ask(`mutation { ${one} }`)).data.exportDocuments.rowCount).toBe(5_001);
  });

  it('of 10,000 rows has its rows', async () => {
    const csv = `a\n${'1\n'.repeat(10_000)}`;
    service.will(json(200, { exportDocumentByDocIds: { data: csv, message: '' } }));
    const { data } = await gateway.ask(
      'mutation { exportDocuments(input: {}) { ... on ExportResult { rowCount } } }',
    );
    expect(data.exportDocuments).toEqual({ rowCount: 10_000 });
  });
});

const aCell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...',"\n\r\uFEFF ab\u0000é') }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '__proto__', '""', '\r\n'),
);

/** At least two columns: with one, an empty cell and a missing row have the same text. */
const aTable = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(aCell, { minLength: width, maxLength: width }), { minLength: 1 }));

/** RFC 4180. Quotes every cell that is not empty; with `sparing` only cells that need quotes. */
function written(
  table: readonly (readonly string[])[],
  { crlf, sparing }: { crlf: readonly boolean[]; sparing: boolean },
): string {
  const cell = (text: string) =>
    text === '' || (sparing && !/[",\r\n\uFEFF]/.test(text)) ? text : `"${text.replaceAll('"', '""')}"`;
  return table
    .map((cells, index) => cells.map(cell).join(',') + (crlf[index % crlf.length] ? '\r\n' : '\n'))
    .join('');
}

/** The header, followed by the cells of each row. */
function cellsOf({ columns: header, rows }: ExportTable): (string | null)[][] {
  return [[...header], ...rows.map((row) => header.map((name) => row.value(name)))];
}

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('no Error was thrown');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
