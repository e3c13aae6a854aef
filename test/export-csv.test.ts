import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columns } from '../src/document-export/columns.ts';
import { type ExportTable, parseExport, UnreadableCsvError } from '../src/document-export/csv.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { json, startService, type TestService } from './support/service.ts';

describe('the documented columns', () => {
  it('are the 37 of the interface document, in its order', () => {
    expect(columns.map(({ header }) => header).join(', ')).toBe(
      'Name, Engine Number, Brand, Color, Plate Number, Registration Date, Expiry Date, Expiry Year, Expiry Month, ' +
        'Address, Model, Frame Number, ID Number, First Place of Issue, Second Place of Issue, File Name, ' +
        'Invoice Number, PO Number, Account Number, Account Name, Swift Code, IBAN, Email, URL, Total, Subtotal, ' +
        'Tax Total, Currency, Freight, Billing Address, Shipping Address, Vendor Name, Vendor Address, ' +
        'Other Address, Invoice Date, Payment Date, Other Date',
    );
  });

  it('each have a field of their own, named like the header', () => {
    expect(new Set(columns.map(({ field }) => field)).size).toBe(37);
    for (const { field, header } of columns) {
      expect(field.toLowerCase()).toBe(header.replaceAll(' ', '').toLowerCase());
    }
  });
});

describe('an exported text', () => {
  it('is a table: the header, then a row a document', () => {
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
  ])('is read with line breaks as they come: %s', (_which, csv) => {
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

  it.each(['', '\uFEFF'])('without anything in it has no columns and no rows', (csv) => {
    expect(parseExport(csv)).toEqual({ columns: [], rows: [] });
  });

  it('of a header alone has no rows', () => {
    expect(parseExport('"A","B"\n')).toEqual({ columns: ['A', 'B'], rows: [] });
  });

  it('loses no row that is shorter or longer than the header', () => {
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

  it('is read by its headers, in whatever order they come', () => {
    const { rows } = parseExport('"File Name","Unheard Of","Name"\n"a.png","x","MUSTER"\n');
    expect(['Name', 'File Name', 'Unheard Of'].map((name) => rows[0]?.value(name))).toEqual([
      ...['MUSTER', 'a.png', 'x'],
    ]);
  });

  it('has null under a header that it does not have', () => {
    const { rows } = parseExport('"Name"\n"MUSTER"\n');
    for (const name of ['File Name', '', 'name', '0', 'length', '__proto__', 'constructor']) {
      expect(rows[0]?.value(name)).toBeNull();
    }
  });

  it('keeps the blanks at the ends of a cell, with quotes and without', () => {
    const { rows } = parseExport('"A","B"\n"  1  ",  2  \n');
    expect(['A', 'B'].map((name) => rows[0]?.value(name))).toEqual(['  1  ', '  2  ']);
  });

  it('counts the first of two headers alike', () => {
    const { columns: header, rows } = parseExport('"A","A"\n"first","second"\n');
    expect(header).toEqual(['A', 'A']);
    expect(rows[0]?.value('A')).toBe('first');
  });

  it('may name a column like a member that every object has', () => {
    const { rows } = parseExport('"__proto__","constructor"\n"x",\n');
    expect(['__proto__', 'constructor', 'toString', 'A'].map((name) => rows[0]?.value(name))).toEqual([
      'x',
      null,
      null,
      null,
    ]);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('is found again when RFC 4180 wrote it', () => {
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
  ])('is an error that says where and quotes no cell: %s', (_what, csv, where) => {
    const error = thrownBy(() => parseExport(csv));
    expect(error).toBeInstanceOf(UnreadableCsvError);
    expect(error.message).toMatch(new RegExp(`^${where} \\([A-Z_]+\\)$`));
    expect(error.cause).toBeUndefined();
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('PLANTED');
  });

  it('is an error of that class alone, whatever the text', () => {
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

  it('whose text cannot be parsed keeps its `csv`, and says where the text breaks off', async () => {
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
        // The documents were exported: only the reading of the text failed.
        sideEffect: 'APPLIED',
        retryable: false,
        upstream: { operation: 'exportDocuments', status: 200 },
      });
    }
  });

  it('whose text cannot be parsed is no error to a caller who asks for `csv` alone', async () => {
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

/** Two columns at least: in a single one an empty cell and no row at all are written alike. */
const aTable = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(aCell, { minLength: width, maxLength: width }), { minLength: 1 }));

/** RFC 4180: quotes around every cell but the empty ones, or, `sparing`, where they are needed. */
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

/** The header, then each row's cells under it. */
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
