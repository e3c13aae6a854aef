/** Variables whose values may be in files, as secrets are mounted: read at the start, and again when they change. */
import { constants, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ConfigurationProblem, Environment } from './variables.ts';

/** Each may be set by the variable of this name with `_FILE`. */
const names = ['LANE_SECRET', 'REDIS_URL'] as const;

/** A file, and its content that is in use. */
interface SecretFile {
  readonly path: string;
  readonly content: string;
}
type SecretFiles = Readonly<Partial<Record<(typeof names)[number], SecretFile>>>;

/** A named pipe, for which the read would wait without end, is empty. */
const withoutWaiting = { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK } as const;

/** Time between two reads of a file (ms). */
const rereadMs = 5_000;

/** The environment with the contents of the files, these files by the variable, and the problems with them. */
export function withFiles(env: Environment) {
  const values: Record<string, string | undefined> = { ...env };
  const files: Record<string, SecretFile> = {};
  const problems: ConfigurationProblem[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const problem = (message: string) => problems.push({ variable: `${name}_FILE`, message });
    if (env[name]) problem(`must not be set together with ${name}`);
    try {
      // Editors and `echo` end a file with a line break.
      const content = readFileSync(path, withoutWaiting).trim();
      // An empty variable counts as unset. Without Redis each gateway of a fleet would send the same write.
      if (content === '') problem('must be the path of a file that is not empty');
      values[name] = content;
      files[name] = { path, content };
    } catch {
      problem('must be the path of a file that can be read');
    }
  }
  return { env: values as Environment, files: files as SecretFiles, problems };
}

/**
 * Calls `onChange` with the content of a file when it changes, also since the configuration was read. `file`: undefined for
 * none. Returns a function that stops it. A file that cannot be read or is empty has the content ''.
 */
export function followFile(file: SecretFile | undefined, onChange: (content: string) => void): () => void {
  if (file === undefined) return () => {};
  const { path } = file;
  let last = file.content;
  const read = async () => {
    const content = (await readFile(path, withoutWaiting).catch(() => '')).trim();
    if (content === last) return;
    last = content;
    onChange(content);
  };
  const timer = setInterval(() => void read().catch(() => {}), rereadMs);
  return () => clearInterval(timer);
}
