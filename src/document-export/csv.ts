import { type CsvError, parse } from 'csv-parse/sync';

export interface ExportTable {
  /** The header row, in its order. */
  readonly columns: readonly string[];
  readonly rows: readonly ExportRow[];
}

export interface ExportRow {
  /** The cell under a header; null when it is empty or there is no such column. */
  value(column: string): string | null;
}

/** Maximum number of rows that are parsed: parsing runs at once and holds the event loop. */
export const maxRows = 10_000;
/** Maximum length of a text that is parsed, in UTF-16 code units: 4 Mi. */
const maxTextLength = 4 * 1024 * 1024;

/**
 * The exported text as a table (RFC 4180: doubled quotes, line breaks inside quotes, LF or CRLF). A row that
 * is shorter or longer than the header loses nothing that has a header; of two headers alike the first
 * counts. Throws an UnreadableCsvError, or a TooManyRowsError above 10,000 rows or 4 Mi characters.
 */
export function parseExport(csv: string): ExportTable {
  if (csv.length > maxTextLength) throw new TooManyRowsError();
  const [columns = [], ...rows] = recordsOf(csv);
  if (rows.length > maxRows) throw new TooManyRowsError();
  const indexes = new Map<string, number>();
  for (const [index, column] of columns.entries()) if (!indexes.has(column)) indexes.set(column, index);
  return {
    columns,
    rows: rows.map((cells) => ({
      value: (column) => cells[indexes.get(column) ?? -1] || null,
    })),
  };
}

function recordsOf(csv: string): string[][] {
  try {
    return parse(csv, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // The header, the rows, and one more that shows that there are too many.
      to: maxRows + 2,
      // Left to find out, the parser would take the first line's ending for the whole text's.
      record_delimiter: ['\r\n', '\n'],
    });
  } catch (error) {
    throw new UnreadableCsvError(error as CsvError);
  }
}

/** The text is too large to be parsed in one turn of the event loop. */
export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';

  constructor() {
    super(`it has more than ${maxRows} rows or ${maxTextLength} characters`);
  }
}

/** Says where a text is not valid CSV. Quotes no cell, which the parser's own message does: cells are personal data. */
export class UnreadableCsvError extends Error {
  override readonly name = 'UnreadableCsvError';

  constructor({ code, records, lines }: CsvError) {
    // The header is record 0, so the number of records read is the number of the row that failed.
    const row = records ? `row ${records}` : 'the header row';
    const problem =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'has a quote that is never closed'
        : `is not valid CSV at line ${lines} of the text`;
    super(`${row} ${problem} (${code})`);
  }
}
