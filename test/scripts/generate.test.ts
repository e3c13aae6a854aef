/** `npm run generate` writes the same files on every machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the generated files do not depend on the locale of the machine', async () => {
  // Czech sorts "ch" behind "h".
  const env = { ...process.env, LC_ALL: 'cs_CZ.UTF-8' };
  const check = promisify(execFile)(process.execPath, ['scripts/generate.ts', '--check'], { env });
  expect(await check).toEqual({ stdout: '', stderr: '' });
});
