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

/**
 * The exported text as a table (RFC 4180: doubled quotes, line breaks inside quotes, LF or CRLF). A row that
 * is shorter or longer than the header loses nothing that has a header; of two headers alike the first
 * counts. Throws an UnreadableCsvError.
 */
export function parseExport(csv: string): ExportTable {
  const [columns = [], ...rows] = recordsOf(csv);
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
      // Left to find out, the parser would take the first line's ending for the whole text's.
      record_delimiter: ['\r\n', '\n'],
    });
  } catch (error) {
    throw new UnreadableCsvError(error as CsvError);
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
