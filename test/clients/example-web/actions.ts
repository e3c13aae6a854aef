/** What users do in several tests of the example. */
import type { Page } from 'playwright-core';
import { aPng } from '../../support/png.ts';

export async function choose(page: Page, name: string, buffer = aPng(506, 319)): Promise<void> {
  await page.getByLabel('Choose a picture').setInputFiles({ name, mimeType: 'image/png', buffer });
}

export async function scan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Scan', exact: true }).click();
}

export async function fill(page: Page, docNumber: string, amount = '100.00'): Promise<void> {
  await page.getByLabel('Document number', { exact: true }).fill(docNumber);
  await page.getByLabel('Amount without tax').fill(amount);
}

export async function importIt(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
}
