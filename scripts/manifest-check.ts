/**
 * `npm run manifest:check -- manifest.json …`: reports which operations of the manifests this version of the gateway does not
 * accept, and what each of the others costs and requires. Reads the formats of PERSISTED_OPERATIONS. Exits with 1 when a
 * manifest has a problem.
 */
import { parse } from 'graphql';
import { checkManifest } from '../src/operation/persisted/manifests.ts';
import { schema } from '../src/schema.ts';
import { summaryOf } from './manifest.ts';

if (import.meta.main) process.exitCode = await check(process.argv.slice(2));

/** Returns the exit status. */
export async function check(files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    console.error('Usage: npm run manifest:check -- manifest.json …');
    return 2;
  }
  let hasProblem = false;
  for (const file of files) {
    const { operations, problems } = await checkManifest(file, schema);
    console.log(`${file}: ${operations.size} accepted, ${problems.length} problems`);
    const rows = [...operations].map(([hash, { document }]) => rowOf(hash, document));
    if (rows.length > 0) printTable([['operation', 'hash', 'kind', 'cost', 'credentials'], ...rows]);
    for (const problem of problems) console.error(`  ${problem}`);
    hasProblem ||= problems.length > 0;
  }
  return hasProblem ? 1 : 0;
}

function rowOf(hash: string, text: string): string[] {
  const { name, cost, credentials, writes } = summaryOf(parse(text), schema);
  return [name, hash.slice(0, 12), writes ? 'write' : 'read', `${cost}`, credentials.join(', ') || 'none'];
}

function printTable(rows: readonly string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  }
}
