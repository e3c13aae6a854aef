/** Starts Chromium, if it is installed. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

/** The path of Chromium; undefined when it is not installed. */
export const browserPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Whether tests with a browser can run. With `FOLIO_REQUIRE_BROWSER`, a missing browser is a failure. */
export function hasBrowser(): boolean {
  if (browserPath !== undefined || process.env['FOLIO_REQUIRE_BROWSER']) return true;
  console.warn('Browser tests are skipped: Chromium is not on the PATH.');
  return false;
}

/**
 * Features of Chromium that are off. The first two start a second renderer for the address bar of each new window, which
 * takes half of the processor time of a test. The switch replaces the list that playwright-core sets, so the rest is
 * what these tests need of that list.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

export async function startBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('Chromium is not on the PATH.');
  // Most tests that import this file run without a browser.
  const { chromium } = await import('playwright-core');
  return await chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join()}`,
    ],
  });
}
