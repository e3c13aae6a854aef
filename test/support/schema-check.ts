import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from './lifetimes.ts';

/** Texts by their paths. */
export type Files = Readonly<Record<string, string>>;

const script = resolve('scripts/schema-check.ts');

/**
 * Runs `schema:check` in a repository whose HEAD has the files of `before`, and whose working directory has those of
 * `now` in addition. The kernel ends it after 2 seconds of CPU time.
 */
export function checkSchema(before: Files, now: Files, parameters: readonly string[], input = '') {
  const folder = temporaryFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write(before);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'Begin');
  write(now);
  const command = ['-c', 'ulimit -t 2; exec "$0" "$@"', process.execPath, script, ...parameters];
  const { status, stdout, stderr } = spawnSync('sh', command, { cwd: folder, encoding: 'utf8', input });
  return { status, output: stdout, errors: stderr };
}
