import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';
import { reportWarning } from './actions.ts';

describe('the view of groups', () => {
  it('creates a group once, however often the button is pressed, and without a name, and shows what the service reports', async () => {
    const page = await example.open('groups');
    for (const name of ['Accounts payable', 'Identity checks']) {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Create group' }).dblclick();
      await page.getByRole('rowheader', { name }).waitFor();
    }
    expect(await example.calls('createGroup')).toHaveLength(2);
    expect(await page.getByRole('row').count()).toBe(3);
    await keepScreenshot(page, 'groups');

    await page.getByLabel('Name', { exact: true }).fill('');
    for (const at of [0, 1]) {
      await page.getByRole('button', { name: 'Create group' }).click();
      await page.getByRole('rowheader', { name: 'without a name' }).nth(at).waitFor();
    }
    expect(await example.calls('createGroup')).toHaveLength(4);
    const message = await reportWarning(page, 'createGroup');
    await page.getByLabel('Name', { exact: true }).fill('With a warning');
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByText(message).waitFor();
    await page.getByRole('rowheader', { name: 'With a warning' }).waitFor();
    await expectWellMade(page);
  });
});
