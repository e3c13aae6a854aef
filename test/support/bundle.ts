/** Builds the bundle from which tests start processes: it starts in half of the time that `src/main.ts` takes. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly bundle: string | undefined;
  }
}

/** Files in the folder of the bundle that other scripts write, and one of an earlier bundle. */
export const packedElsewhere = ['folio-client-0.1.0.tgz', 'client/index.js', 'test-kit/index.js'];
export const ofEarlierBundle = 'old.js';

/** Builds it in a folder without node_modules, in it or above it. Returns the folder. */
export function buildBundle(folder = mkdtempSync(join(tmpdir(), 'folio-bundle-'))): string {
  // A temporary folder is its owner's alone.
  chmodSync(folder, 0o755);
  for (const path of [...packedElsewhere, ofEarlierBundle]) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  execFileSync(process.execPath, ['scripts/build.ts', '--to', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

/** Without an effect where `FOLIO_ENTRY` names another entry. */
export function setup(project: TestProject): (() => void) | undefined {
  if (process.env['FOLIO_ENTRY']) return;
  const folder = buildBundle();
  process.env['FOLIO_ENTRY'] = join(folder, 'main.js');
  project.provide('bundle', folder);
  project.onTestsRerun(() => void buildBundle(folder));
  return () => rmSync(folder, { recursive: true });
}
