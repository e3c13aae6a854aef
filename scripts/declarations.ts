/** Type declarations of files whose exports name no type of another package. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';

/** The declarations of a file, for a `.d.ts` next to others in one folder. */
export function declarationsOf(file: string): string {
  const { code, errors } = isolatedDeclarationSync(basename(file), readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(', ')}`);
  return code.replaceAll(/^import ".*";\n/gm, '').replaceAll(/(from "\.\/[\w-]+)\.ts/g, '$1.js');
}
