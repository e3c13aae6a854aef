import { type CsvError, parse } from 'csv-parse/sync';

export interface ExportTable {
  /** The header row. */
  readonly columns: readonly string[];
  readonly rows: readonly ExportRow[];
}

export interface ExportRow {
  /** Returns the cell of the column; null when the cell is empty or the column does not exist. */
  value(column: string): string | null;
}

/** Maximum number of rows that are parsed: parsing is synchronous and blocks the event loop. */
export const maxRows = 10_000;
/** Maximum length of a text that is parsed, in UTF-16 code units: 4 Mi. */
const maxTextLength = 4 * 1024 * 1024;

/**
 * Parses the exported text (RFC 4180: doubled quotes, line breaks inside quotes, LF or CRLF). Rows may be shorter or longer
 * than the header; cells without a header are dropped. The first of two equal headers wins. Throws an
 * UnreadableCsvError, or a TooManyRowsError above 10,000 rows or 4 Mi characters.
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
      // The header, the rows, and one more row that shows that there are too many.
      to: maxRows + 2,
      // By default the parser uses the line ending of the first line for the whole text.
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

/** States where a text is not valid CSV. Never quotes a cell, which may be personal data; the parser's own message does. */
export class UnreadableCsvError extends Error {
  override readonly name = 'UnreadableCsvError';

  constructor({ code, records, lines }: CsvError) {
    // The header is record 0, so the number of records read is the number of the row that failed.
    const row = records ? `row ${records}` : 'the header row';
    const problem =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'has an unclosed quote'
        : `is not valid CSV at line ${lines} of the text`;
    super(`${row} ${problem} (${code})`);
  }
}
