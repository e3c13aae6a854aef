import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';

const buffer = readFileSync('examples/web/public/sample-card.jpg');
const tenCards = Array.from({ length: 10 }, (_, index) => `card-${index + 1}.jpg`);

async function openOutbox(): Promise<Page> {
  const page = await example.open('outbox');
  await page.getByRole('button', { name: 'Keep pictures on this device' }).click();
  return page;
}

async function choose(page: Page, ...names: string[]): Promise<void> {
  const files = names.map((name) => ({ name, mimeType: 'image/jpeg', buffer }));
  await page.getByLabel('Choose pictures').setInputFiles(files);
}

const kept = (page: Page) => page.getByRole('list', { name: 'Pictures' }).getByRole('listitem');
const waiting = (page: Page) => kept(page).filter({ hasText: 'Waiting' });
const scanned = (page: Page) => kept(page).filter({ hasText: /Scanned.*Document \d+/ });

async function scannedNames(): Promise<string[]> {
  return (await example.calls('scan')).map(({ file }) => file.name);
}

describe('the view of the outbox', () => {
  it('stores nothing before the user has agreed', async () => {
    const page = await example.open('outbox');
    await page.getByRole('button', { name: 'Keep pictures on this device' }).waitFor();
    await expectWellMade(page);
    expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
  });

  it('keeps ten cards in a tunnel, and scans each once and in order when it ends', async () => {
    const page = await openOutbox();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.context().setOffline(true);
    await choose(page, ...tenCards);
    await expect.poll(() => waiting(page).count()).toBe(10);
    await page.getByText('Offline').waitFor();
    await keepScreenshot(page, 'outbox', 'phone');
    await page.getByRole('link', { name: 'Mexico' }).click();
    expect(await scannedNames()).toEqual([]);

    await page.context().setOffline(false);
    await expect.poll(async () => (await example.calls('scan')).length, { timeout: 20_000 }).toBe(10);
    await page.getByRole('link', { name: 'Outbox' }).click();
    await page.getByText('10 of 10 scanned').waitFor();
    expect(await scanned(page).count()).toBe(10);
    expect(await scannedNames()).toEqual(tenCards);
    await expectWellMade(page);
    await page.setViewportSize({ width: 1280, height: 860 });
    await keepScreenshot(page, 'outbox');
    await page.getByRole('link', { name: 'Export' }).click();
    await page.locator('[data-view=export]').getByText('card-10.jpg').waitFor();
  });

  it('shows what was refused and what is not known, and lets the user decide', async () => {
    const page = await openOutbox();
    await example.fault('scan', 'reset');
    await choose(page, 'lost.jpg', 'corrupt.jpg', 'fine.jpg');
    await page.getByText('1 of 3 scanned').waitFor();
    await expectWellMade(page);
    const unknown = kept(page).filter({ hasText: 'lost.jpg' });
    expect(await unknown.textContent()).toContain('It may have been done: check before you try again.');
    await page.getByRole('button', { name: 'Delete corrupt.jpg' }).click();
    await unknown.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('2 of 2 scanned').waitFor();
    expect(await scannedNames()).toEqual(['lost.jpg', 'corrupt.jpg', 'fine.jpg', 'lost.jpg']);
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No pictures').waitFor();
  });
});
