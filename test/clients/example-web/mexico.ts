import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';

describe('the view of Mexican validations', () => {
  it('finds a document by its Folio Fiscal or its id, and shows its validation as a timeline, with the reason in words', async () => {
    const page = await example.open('mexico');
    const field = page.getByLabel('Document id or Folio Fiscal');
    await field.fill('CFDI-1');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('This is neither a document id').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await example.calls('mexicoStatus')).toHaveLength(0);
    // As it is printed.
    await field.fill(' 5F1C0A3E-7B42-4D1A-9C66-0A1B2C3D1001 ');
    await page.keyboard.press('Enter');
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.getByText('11 Feb 2026, 09:30:00').waitFor();
    expect(await field.inputValue()).toBe('5F1C0A3E-7B42-4D1A-9C66-0A1B2C3D1001');
    expect(await field.evaluate((own: any) => own === own.ownerDocument.activeElement), 'focus').toBe(true);

    await field.fill('1002');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Invalid', { exact: true }).waitFor();
    const steps = page.getByRole('list', { name: 'Steps of the validation' }).getByRole('listitem');
    expect(await steps.allTextContents()).toEqual([
      expect.stringContaining('SchemaPassed'),
      expect.stringContaining('Tax authorityFailed'),
      expect.stringContaining('TaxpayersDid not run'),
    ]);
    expect(await page.getByText('The CFDI was cancelled before the tax authority.').count()).toBe(2);
    await keepScreenshot(page, 'mexico');
    await keepScreenshot(page, 'mexico', 'phone');
    await expectWellMade(page);
  });

  it('shows the document of its address, after a reload and with the back button too', async () => {
    const page = await example.open('mexico/1002');
    await page.getByText('Invalid', { exact: true }).waitFor();
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    expect(page.url()).toMatch(/#\/mexico\/1001$/);
    await page.reload();
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('Invalid', { exact: true }).waitFor();
  });

  it('shows that a document was never validated, and does not treat an undocumented result as valid', async () => {
    const page = await example.open('mexico');
    await page.getByRole('button', { name: '1999' }).click();
    await page.getByText('No validation yet').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectWellMade(page);

    await example.fault('mexicoStatus', 'unknown-words');
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByText('Do not treat it as valid').waitFor();
    await expectWellMade(page);
  });

  it('shows a result and a step that only a newer gateway knows, and an address that is malformed', async () => {
    const page = await example.open('mexico/100%25%');
    await page.getByLabel('Document id or Folio Fiscal').waitFor();
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const [step] = data.mexicoValidation.steps;
      const steps = [{ ...step, name: 'SEAL', key: 'Seal', result: 'SKIPPED' }];
      const mexicoValidation = { ...data.mexicoValidation, result: 'SUSPENDED', steps };
      await route.fulfill({ response, json: { data: { mexicoValidation } } });
    });
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByText('SUSPENDED', { exact: true }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Seal' }).textContent()).toContain('SKIPPED');
  });
});
