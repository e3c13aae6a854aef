/** Starts Chromium, if it is installed. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const executable = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** The path of Chromium; undefined when it is not installed. */
export function browserPath(): string | undefined {
  return executable;
}

/** Whether tests with a browser can run. With `FOLIO_REQUIRE_BROWSER`, a missing browser is a failure. */
export function hasBrowser(): boolean {
  if (executable !== undefined || process.env['FOLIO_REQUIRE_BROWSER']) return true;
  console.warn('Browser tests are skipped: there is no Chromium on the PATH.');
  return false;
}

export async function startBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('There is no Chromium on the PATH.');
  return await chromium.launch({
    executablePath: executable,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
