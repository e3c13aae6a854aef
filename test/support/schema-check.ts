import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { check } from '../../scripts/schema-check.ts';
import { temporaryFolder } from './lifetimes.ts';
import { printed } from './printed.ts';

/** Texts by their paths. */
export type Files = Readonly<Record<string, string>>;

const script = resolve('scripts/schema-check.ts');

/** A repository whose HEAD has the files of `before`, and whose working directory has those of `now` in addition. */
function repositoryOf(before: Files, now: Files): string {
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
  return folder;
}

/** What `schema:check` prints and returns in such a repository. */
export async function checkSchema(before: Files, now: Files, parameters: readonly string[]) {
  const folder = repositoryOf(before, now);
  return await printed(() => check(parameters, folder));
}

/** The same in a process, which the kernel ends after 2 seconds of CPU time. `input`: to its standard input. */
export function runSchemaCheck(before: Files, now: Files, parameters: readonly string[], input = '') {
  const command = ['-c', 'ulimit -t 2; exec "$0" "$@"', process.execPath, script, ...parameters];
  const cwd = repositoryOf(before, now);
  const { status, stdout, stderr } = spawnSync('sh', command, { cwd, encoding: 'utf8', input });
  return { status, output: stdout, errors: stderr };
}
