import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade } from '../../support/well-made.ts';
import { fill, importIt } from './actions.ts';

describe('the drawer of the sandbox', () => {
  it('sets faults: refused credentials until it is reset, and the rejection of the next import only', async () => {
    const page = await example.open('mexico');
    const drawer = page.locator('.sandbox-drawer');
    await drawer.getByText('Sandbox', { exact: true }).click();
    await drawer.getByText('No fault is active.').waitFor();
    await drawer.getByRole('button', { name: 'Refuse credentials' }).click();
    await drawer.getByText('status-401 at all endpoints, until it is reset').waitFor();
    await expectWellMade(page);
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByRole('alert').getByText('You are not signed in, or no longer.').waitFor();
    await drawer.getByRole('button', { name: 'Reset' }).click();
    await drawer.getByText('No fault is active.').waitFor();

    await drawer.getByRole('button', { name: 'Reject the next import' }).click();
    await drawer.getByText('status-422 at malaysiaImport, for 1 call').waitFor();
    await page.getByRole('link', { name: 'Malaysia' }).click();
    await fill(page, 'REJECTED-1');
    await importIt(page);
    await page.getByRole('alert').getByText('Not accepted: nothing was done').waitFor();
    await importIt(page);
    await page.getByText('Imported as document').waitFor();
    expect(await example.calls('malaysiaImport')).toMatchObject([{ status: 422 }, { status: 200 }]);
  });

  it('is not shown when the page has no sandbox', async () => {
    const page = await example.openWithoutSandbox('mexico');
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    expect(await page.locator('.sandbox-drawer').count()).toBe(0);
  });
});
