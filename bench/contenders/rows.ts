/** The exported text as rows. */
import { parse } from 'csv-parse/sync';
import { columns } from '../../src/features/document-export/documented-columns.ts';

/** The documented columns of each row, by their fields' names; an empty cell is null. */
export function rowsOf(csv: string): Record<string, string | null>[] {
  const [, ...records] = parse(csv) as string[][];
  return records.map((cells) => {
    const row: Record<string, string | null> = {};
    for (let index = 0; index < columns.length; index += 1) {
      row[(columns[index] as (typeof columns)[number]).field] = cells[index] || null;
    }
    return row;
  });
}
