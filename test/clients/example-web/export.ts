import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';
import { choose, reportWarning, scan } from './actions.ts';

describe('the view of exports', () => {
  it('shows the selected documents without empty columns and what is lacking, and saves a file without formulas', async () => {
    const page = await example.open('scan');
    for (const name of ['=HYPERLINK("x").png', 'left-out.png', 'card.png']) {
      await choose(page, name);
      await scan(page);
      await page.getByRole('heading', { name: 'Values read' }).waitFor();
      await page.getByRole('button', { name: 'Another picture' }).click();
    }
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('checkbox', { name: /left-out\.png/ }).uncheck();
    await page.getByRole('button', { name: 'Export 2 documents' }).click();
    await page.getByRole('cell', { name: 'card.png' }).waitFor();
    expect(await page.getByText('left-out.png').count()).toBe(1);
    const columns = ['Name', 'Address', 'ID Number', 'File Name', 'Other Date'];
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(columns);
    await keepScreenshot(page, 'export');
    await expectWellMade(page);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const file = readFileSync(await download.path(), 'utf8');
    expect(file).toContain(`"'=HYPERLINK(""x"").png"`);
    expect(file.split('\r\n')[0]?.split(',')).toHaveLength(37);

    await page.getByRole('button', { name: 'Show 32 empty columns' }).click();
    expect(await page.getByRole('columnheader').count()).toBe(37);
    const message = await reportWarning(page, 'exportDocuments');
    await page.getByRole('button', { name: 'Export 2 documents' }).click();
    await page.getByText(message).waitFor();
    await page.getByRole('cell', { name: 'card.png' }).waitFor();
    await expectWellMade(page);
  });

  it('exports documents by their ids, and shows what the service refuses', async () => {
    const page = await example.open('export');
    await page.getByText('No scanned documents yet').waitFor();
    await page.getByLabel('Other document ids').fill('999999, 999999');
    await page.getByRole('button', { name: 'Export 1 document' }).click();
    await page.getByRole('alert').getByText('Only documents in the tabs').waitFor();
    await expectWellMade(page);
  });
});
