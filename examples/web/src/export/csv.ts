import Papa from 'papaparse';

/** An exported text as a table; `isEmpty` says of each column whether no row has anything in it. */
export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isEmpty: readonly boolean[];
}

export function parseCsv(csv: string): CsvTable {
  const [columns = [], ...rows] = Papa.parse<string[]>(csv, { delimiter: ',', skipEmptyLines: true }).data;
  return { columns, rows, isEmpty: columns.map((_, index) => rows.every((row) => !row[index])) };
}

/** Excel reads UTF-8 only after a byte order mark. */
const byteOrderMark = '\uFEFF';

/** Not the library's own: that one passes a formula by when a line break follows. */
const formula = /^[=+\-@\t\r]/;

/**
 * For spreadsheets: a cell that one would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a carriage
 * return) gets an apostrophe before it. What a card or an invoice says is not to be trusted.
 */
export function safeCsv({ columns, rows }: CsvTable): string {
  return (
    byteOrderMark +
    Papa.unparse({ fields: [...columns], data: rows.map((row) => [...row]) }, { escapeFormulae: formula })
  );
}
