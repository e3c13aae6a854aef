/** The table of an exported text, and how much of such texts one operation may parse. */
import { codeWith, type ErrorCode, GatewayError } from '../../errors.ts';
import { exportEndpoint } from './document-export.api.ts';
import { readCsv, UnreadableCsvError } from './read-csv.ts';

export type ExportRow = readonly string[];

/** Rows under the names of their columns. The first of two equal headers wins. */
export class ExportTable {
  readonly columns: readonly string[];
  readonly rows: readonly ExportRow[];
  readonly #indexes = new Map<string, number>();

  constructor([columns = [], ...rows]: readonly ExportRow[]) {
    for (const [index, column] of columns.entries()) {
      if (!this.#indexes.has(column)) this.#indexes.set(column, index);
    }
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * Memory of the cells without their text, estimated (bytes): 200 for a row, 8 for a cell, and 32 for one with more than one
   * character. `textLength`: of the text with its separators.
   */
  bytesOfCells(textLength: number): number {
    const cells = this.rows.reduce((sum, row) => sum + row.length, this.columns.length);
    return 200 * this.rows.length + 8 * cells + 32 * Math.min(cells, (textLength - cells) / 2);
  }

  /** The place of the column in each row; -1 when it does not exist. */
  indexOf(column: string): number {
    return this.#indexes.get(column) ?? -1;
  }

  /**
   * The number of cells that no column returns, because the header is shorter than their row or has their name before, and
   * the number of the first row that has one. Empty ones are not counted.
   */
  get cellsWithoutColumn(): { readonly cells: number; readonly row: number } {
    const { length } = this.columns;
    const isRepeated = this.columns.map((column, index) => this.indexOf(column) < index);
    const from = isRepeated.indexOf(true);
    let cells = 0;
    let first = 0;
    for (const [index, row] of this.rows.entries()) {
      for (let at = from < 0 ? length : from; at < row.length; at += 1) {
        if (row[at] !== '' && (isRepeated[at] ?? true)) cells += 1;
      }
      if (cells > 0 && first === 0) first = index + 1;
    }
    return { cells, row: first };
  }

  value(row: ExportRow, column: string): string | null {
    return cellAt(row, this.indexOf(column));
  }
}

/** Returns the cell at the place of a column; null when the cell is empty or does not exist. */
export function cellAt(row: ExportRow, index: number): string | null {
  // An index below 0 would be looked up as a name, which takes 50 times as long.
  return (index >= 0 && row[index]) || null;
}

/** Maximum number of rows that one operation parses: parsing is synchronous and blocks the event loop. */
export const maxRows = 10_000;
/** Maximum number of cells in a line: the index of a million columns takes most of a second. */
const maxColumns = 10_000;
/** Maximum length of the texts that one operation parses, in UTF-16 code units: 4 Mi. */
const maxTextLength = 4 * 1024 * 1024;

/** What an operation may still parse. An operation can make several exports. */
export class ParseAllowance {
  #rows = maxRows;
  #textLength = maxTextLength;
  readonly #requestId: string;

  /** `requestId`: of the operation, for its errors. */
  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  /**
   * Returns the table of an exported text, or the error of the fields that need one: the text is not valid CSV or has more
   * than 10,000 columns, or all texts have more than 10,000 rows or 4 Mi characters. Rows may be shorter or longer than the
   * header.
   */
  tableOf(csv: string): ExportTable | GatewayError {
    this.#textLength -= csv.length;
    if (this.#textLength < 0 || this.#rows < 0) return this.#notParsed('OPERATION_TOO_EXPENSIVE', tooLarge);
    let records: ExportRow[];
    try {
      // The header, the rows, and one more row that shows that there are too many.
      records = readCsv(csv, this.#rows + 2, maxColumns);
    } catch (error) {
      if (!(error instanceof UnreadableCsvError)) throw error;
      return this.#notParsed('UPSTREAM_BAD_RESPONSE', error.message);
    }
    this.#rows -= Math.max(0, records.length - 1);
    const hasRoom = this.#rows >= 0 && (records.at(-1)?.length ?? 0) <= maxColumns;
    return hasRoom ? new ExportTable(records) : this.#notParsed('OPERATION_TOO_EXPENSIVE', tooLarge);
  }

  #notParsed(code: ErrorCode, why: string): GatewayError {
    return new GatewayError({
      ...codeWith(code, 'result'),
      message: `The documents were exported, but the text cannot be parsed: ${why}. Read it from \`csv\`.`,
      sideEffect: 'APPLIED',
      upstream: { operation: exportEndpoint.name, status: 200, requestId: this.#requestId },
    });
  }
}

const tooLarge = `the exports of the operation have more than ${maxRows} rows, ${maxColumns} columns or ${maxTextLength} characters`;
