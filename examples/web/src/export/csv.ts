import Papa from 'papaparse';

/** An exported text as a table; `isEmpty`: for each column, whether all its cells are empty. */
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

/** Replaces the library's own pattern, which misses a formula that is followed by a line break. */
const formula = /^[=+\-@\t\r]/;

/**
 * Writes a CSV file for spreadsheets. A cell that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`,
 * `@`, a tab or a carriage return) gets an apostrophe in front: the texts of cards and invoices cannot be trusted.
 */
export function safeCsv({ columns, rows }: CsvTable): string {
  return (
    byteOrderMark +
    Papa.unparse({ fields: [...columns], data: rows.map((row) => [...row]) }, { escapeFormulae: formula })
  );
}
