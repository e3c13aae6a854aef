/** The packages of a bundle, and their licenses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages that the modules belong to, e.g. `…/node_modules/@pothos/core`. */
export function packagesOf(modules: readonly string[]): string[] {
  return [...new Set(modules.flatMap(packageFolder))].sort();
}

/** None for files of Folio. */
function packageFolder(module: string): string[] {
  const path = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
  return path ? [path] : [];
}

/** The license of each package, for `LICENSES.txt`. */
export function licensesOf(packages: readonly string[]): string {
  return packages.map(licenseOf).join('\n\n');
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n${'-'.repeat(60)}\n${text}`;
}
