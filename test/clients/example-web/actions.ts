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

/** Adds a warning of the service to the result of the mutation. Returns its message. */
export async function reportWarning(page: Page, field: string): Promise<string> {
  const message = 'The service was not able to do all of it.';
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const reported = { severity: 'WARNING', path: [], message, expected: null, actual: null };
    const warnings = [{ __typename: 'InputProblem', rule: 'reported-by-service', ...reported }];
    await route.fulfill({ response, json: { data: { [field]: { ...data[field], warnings } } } });
  });
  return message;
}
