/** Builds the bundle from which tests start processes: it starts in half of the time that `src/main.ts` takes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly bundle: string | undefined;
  }
}

/** Without an effect where `FOLIO_ENTRY` names another entry. */
export function setup(project: TestProject): (() => void) | undefined {
  if (process.env['FOLIO_ENTRY']) return;
  const folder = mkdtempSync(join(tmpdir(), 'folio-bundle-'));
  const build = () => {
    execFileSync(process.execPath, ['scripts/build.ts', '--to', folder, '--without-node'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  build();
  process.env['FOLIO_ENTRY'] = join(folder, 'main.js');
  project.provide('bundle', folder);
  project.onTestsRerun(build);
  return () => rmSync(folder, { recursive: true });
}
