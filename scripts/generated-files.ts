/** Writes generated files; with the argument `--check` it writes nothing, and exits with 1 when a file is out of date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeGenerated(contents: ReadonlyMap<string, string>): void {
  const stale = [...contents].filter(([file, content]) => current(file) !== content);
  if (process.argv.includes('--check')) {
    for (const [file] of stale) console.error(`${file} is out of date: run npm run generate`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  for (const [file, content] of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`wrote ${file}`);
  }
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
