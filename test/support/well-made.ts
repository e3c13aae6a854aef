/** Requirements of every view in every state: accessible, in both colour schemes, and on a phone. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const phone = { width: 375, height: 760 };
const gallery = 'examples/web/screenshots';

/** Checks that axe finds nothing serious in a light window and on a dark phone, and that the page fits the width of a phone. */
export async function expectWellMade(page: Page): Promise<void> {
  if (await page.evaluate("typeof axe === 'undefined'"))
    await page.addScriptTag({ path: 'examples/web/node_modules/axe-core/axe.min.js' });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await seriousFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectFitsPhone(page, async () => expect(await seriousFindings(page)).toEqual([]));
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks that the page fits the width of a phone, and what else must hold there. */
export async function expectFitsPhone(page: Page, check = async () => {}): Promise<void> {
  const desktop = page.viewportSize();
  await page.setViewportSize(phone);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
  await check();
  if (desktop) await page.setViewportSize(desktop);
}

async function seriousFindings(page: Page): Promise<string[]> {
  return await page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}

type Look = 'dark' | 'phone';

/** Saves a screenshot of the view if `FOLIO_SCREENSHOTS` is set. */
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
