/** Each client from an empty folder, with packages of a registry: only where FOLIO_REQUIRE_REGISTRY allows it. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { killProcesses } from '../support/process.ts';
import { clients, measure } from './from-empty-folder.ts';

const mayInstall = Boolean(process.env['FOLIO_REQUIRE_REGISTRY']) && hasBrowser();

describe.skipIf(!mayInstall)(
  'from an empty folder, with the packed package alone',
  { timeout: 300_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'folio-client-'));
    let browser: Browser;
    let tarball: string;
    beforeAll(async () => {
      execFileSync(process.execPath, ['scripts/client.ts', '--to', join(folder, 'client')]);
      tarball = join(folder, String(globSync('*.tgz', { cwd: folder })[0]));
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      killProcesses();
      rmSync(folder, { recursive: true });
    });

    it.each(Object.keys(clients))('%s shows a live list within two minutes and 40 lines', async (name) => {
      const { installMs, startMs, listMs, lines } = await measure(name, tarball, browser);
      expect(installMs + startMs + listMs).toBeLessThan(120_000);
      expect(lines).toBeLessThanOrEqual(40);
    });
  },
);
