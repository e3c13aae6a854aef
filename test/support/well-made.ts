/** What holds for every view in every state: for screen readers, in the dark, and on a phone. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const phone = { width: 375, height: 760 };
const gallery = 'examples/web/screenshots';

/** No serious finding of axe in either colour scheme, and nothing wider than a phone. */
export async function expectWellMade(page: Page): Promise<void> {
  await page.addScriptTag({ path: 'examples/web/node_modules/axe-core/axe.min.js' });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await seriousFindings(page)).toEqual([]);
  }
  const desktop = page.viewportSize();
  await page.setViewportSize(phone);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
  expect(await seriousFindings(page)).toEqual([]);
  if (desktop) await page.setViewportSize(desktop);
}

async function seriousFindings(page: Page): Promise<string[]> {
  return await page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}

type Look = 'dark' | 'phone';

/** Keeps the view's picture for the gallery, where that is asked for (`FOLIO_SCREENSHOTS`). */
export async function keepScreenshot(page: Page, name: string, look?: Look): Promise<void> {
  if (!process.env['FOLIO_SCREENSHOTS']) return;
  const desktop = page.viewportSize();
  if (look === 'dark') await page.emulateMedia({ colorScheme: 'dark' });
  if (look === 'phone') await page.setViewportSize(phone);
  await page.evaluate('window.scrollTo(0, 0)');
  mkdirSync(gallery, { recursive: true });
  const file = look ? `${name}-${look}` : name;
  await page.screenshot({ path: `${gallery}/${file}.png`, animations: 'disabled' });
  await page.emulateMedia({ colorScheme: 'light' });
  if (look === 'phone' && desktop) await page.setViewportSize(desktop);
}
