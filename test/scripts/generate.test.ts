/** `npm run generate` was run after the last change, and writes the same files on every machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.each(['module-lists', 'generate'])(
  'scripts/%s.ts writes what the repository has, also on a machine with another locale',
  async (script) => {
    // Czech sorts "ch" behind "h".
    const env = { ...process.env, LC_ALL: 'cs_CZ.UTF-8' };
    const check = promisify(execFile)(process.execPath, [`scripts/${script}.ts`, '--check'], { env });
    expect(await check).toEqual({ stdout: '', stderr: '' });
  },
);
