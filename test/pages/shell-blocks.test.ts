/** The shell blocks of all pages work as printed, in one gateway: twice, and whatever page was read before. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quickPolls, startTestGateway } from '../support/gateway.ts';
import { forFile, temporaryFolder } from '../support/lifetimes.ts';
import { readPage, runShell, shellRuns } from '../support/markdown.ts';

const pages = globSync('{*.md,docs/**/*.md,examples/**/*.md}', { exclude: ['**/node_modules/**'] })
  .sort()
  .map((file) => ({ file, page: readPage(readFileSync(file, 'utf8')) }));
const pagesWithRuns = pages.filter(({ page }) => shellRuns(page).length > 0);

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('Tests of the shell blocks are skipped: curl is not on the PATH.');

const gateway = forFile(await startTestGateway(quickPolls));

it('each block that sends a request is run here', () => {
  const sending = pages.flatMap(({ page }) =>
    page.blocks.filter(({ kind, text }) => /^(sh|bash|shell)\b/.test(kind) && text.includes('curl')),
  );
  const run = pages.flatMap(({ page }) => shellRuns(page));
  expect(run.map(({ command }) => command)).toEqual(sending.map(({ text }) => text));
  expect(run.length).toBeGreaterThan(10);
});

describe.skipIf(!hasCurl).each([
  ['in the order of their names', pagesWithRuns],
  ['again, in the reverse order', pagesWithRuns.toReversed()],
])('the pages, read %s', (_order, inOrder) => {
  it.each(inOrder)('$file: its shell blocks print the blocks below them', async ({ page }) => {
    const variables = join(temporaryFolder(), 'variables');
    for (const run of shellRuns(page)) {
      const { actual, expected } = await runShell(run, gateway, variables);
      expect(actual).toEqual(expected);
    }
  });
});
