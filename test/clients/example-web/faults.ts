import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade } from '../../support/well-made.ts';
import { fill, importIt } from './actions.ts';

describe('a failure on a page', () => {
  it('of a service that is down, or does not respond in time, says that trying again is safe, and a retry succeeds later', async () => {
    await example.fault('mexicoStatus', 'status-503', null);
    const page = await example.open('mexico');
    await page.getByRole('button', { name: '1001' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The service is not available').waitFor();
    await alert.getByText('Nothing was done. Trying again is safe.').waitFor();
    await expectWellMade(page);

    await example.fault('mexicoStatus', 'none');
    await example.fault('mexicoStatus', 'hang', null);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Loading …').waitFor();
    await alert.getByText('The service did not respond in time').waitFor();
    await page.getByText(/UPSTREAM_TIMEOUT · side effect NONE · request \w+/).waitFor();

    await example.fault('mexicoStatus', 'none');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
  });

  it('of too many requests enables the button again when the service allows it', async () => {
    await example.fault('createGroup', 'retry-after-3');
    const page = await example.open('groups');
    await page.getByLabel('Name', { exact: true }).fill('Later');
    await page.getByRole('button', { name: 'Create group' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('There are too many requests at the moment.', { exact: true }).waitFor();
    // Where a change is not read aloud.
    const quiet = alert.locator('[aria-live="off"]');
    expect(await quiet.getByRole('button', { name: /Try again in \d s/ }).isDisabled()).toBe(true);
    await expectWellMade(page);
    await alert.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Later' }).waitFor();
  });

  it('with an unknown outcome sends the write again only with a new key', async () => {
    await example.fault('malaysiaImport', 'reset');
    const page = await example.open('malaysia');
    await fill(page, 'UNKNOWN-1');
    await importIt(page);
    const alert = page.getByRole('alert');
    await alert.getByText('The response of the service was lost.').waitFor();
    await alert.getByText('It may have been done: check at the service.').waitFor();
    expect(await alert.getByRole('button').count()).toBe(0);
    await expectWellMade(page);

    await importIt(page);
    await page.locator('button[aria-busy="false"]', { hasText: /^Import$/ }).waitFor();
    await alert.getByText('The response of the service was lost.').waitFor();
    expect(await example.calls('malaysiaImport')).toHaveLength(1);
    await page.getByRole('button', { name: 'Allow another import' }).click();
    await importIt(page);
    await page.getByText('Imported as document').waitFor();
    expect(await example.calls('malaysiaImport')).toHaveLength(2);
  });
});
