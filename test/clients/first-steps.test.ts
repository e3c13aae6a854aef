/** The program on the page of the recipes, from an empty folder, shows documents until they are final. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { controlSandbox } from '../support/sandbox-controls.ts';

it('the program of the page prints the states of its documents until they are final', async () => {
  const gateway = await startTestGateway({ MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '40' });
  const page = readFileSync('examples/clients/README.md', 'utf8');
  const program = /```ts\n\/\/ src\/main\.ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const recipes = pathToFileURL(`${resolve('examples/clients')}/`).href;
  const folder = mkdtempSync(resolve('node_modules/.first-steps-'));
  const file = join(folder, 'main.ts');
  writeFileSync(
    file,
    program.replaceAll(`from './`, `from '${recipes}`).replace('http://127.0.0.1:4000/graphql', gateway.url),
  );
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(pathToFileURL(file).href);
    const last = () => printed.mock.calls.at(-1);
    await expect.poll(last).toEqual(['', { 5001: 'SUBMITTED', 5002: 'QUEUED' }]);
    await controlSandbox(gateway, 'clock', { advanceMs: 18_000 });
    await expect.poll(last).toEqual(['', { 5001: 'VALIDATED', 5002: 'FAILED' }]);
  } finally {
    printed.mockRestore();
    rmSync(folder, { recursive: true });
    await gateway.close();
  }
});
