/** Variables whose values may be in files, as secrets are mounted: read at the start, and again when they change. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ConfigurationProblem, Environment } from './read-variables.ts';

/** Each may be set by the variable of this name with `_FILE`. */
const names = ['LANE_SECRET', 'REDIS_URL'] as const;
/** Time between two reads of a file (ms). */
const rereadMs = 5_000;

/** The environment with the contents of the files, and the problems with them. */
export function withFiles(env: Environment): { env: Environment; problems: ConfigurationProblem[] } {
  const values: Record<string, string | undefined> = { ...env };
  const problems: ConfigurationProblem[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const problem = (message: string) => problems.push({ variable: `${name}_FILE`, message });
    if (env[name]) problem(`must not be set together with ${name}`);
    try {
      const content = contentOf(readFileSync(path, 'utf8'));
      // An empty variable counts as unset. Without Redis each gateway of a fleet would send the same write.
      if (content === '') problem('must be the path of a file that is not empty');
      values[name] = content;
    } catch {
      problem('must be the path of a file that can be read');
    }
  }
  return { env: values, problems };
}

/**
 * Calls `onChange` with the content of a file whenever it is another one. `path`: undefined for none. Returns a function
 * that stops it. While a file cannot be read, e.g. because it is being replaced, the last content counts.
 */
export function followFile(path: string | undefined, onChange: (content: string) => void): () => void {
  if (path === undefined) return () => {};
  let last = contentOf(readFileSync(path, 'utf8'));
  const read = async () => {
    const content = contentOf(await readFile(path, 'utf8'));
    if (content === last || content === '') return;
    last = content;
    onChange(content);
  };
  const timer = setInterval(() => void read().catch(() => {}), rereadMs);
  return () => clearInterval(timer);
}

/** Editors and `echo` end a file with a line break. */
function contentOf(text: string): string {
  return text.trim();
}
