import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';
import { fill, importIt } from './actions.ts';

const submittedAfterMs = 8_000;
const decidedAfterMs = 10_000;

const live = (page: Page, number: string) => page.locator('.live-document').filter({ hasText: number });

async function chooseRows(page: Page, rows: readonly (string | undefined)[]): Promise<void> {
  const file = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
  await page.getByLabel('Choose a CSV file').setInputFiles(file);
}

/** Watches document 2001, whose statuses are changed on their way from the gateway. */
async function watchChanged(change: (status: any) => object): Promise<Page> {
  const page = await example.open('groups');
  await page.routeWebSocket('**/graphql', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const message = JSON.parse(String(text));
      const status = message.payload?.data?.malaysiaStatusesChanged;
      if (status) Object.assign(status, change(status));
      socket.send(JSON.stringify(message));
    });
  });
  await page.reload();
  await page.locator('.credentials-actions button').last().click();
  await page.getByRole('link', { name: 'Malaysia' }).click();
  await page.getByLabel('Watch another document').fill('2001');
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  return page;
}

describe('the view of Malaysian invoices', () => {
  it('shows every problem at its field while the user types, and the totals', async () => {
    const page = await example.open('malaysia');
    await fill(page, '', '1436.50');
    await page.getByLabel('Document type').selectOption('Credit note');
    await page.getByText('A document should have a document number.').waitFor();
    const amount = page.getByLabel('Amount without tax');
    await page.getByText('The amounts of a credit note are negative').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Number of the original').getAttribute('aria-invalid')).toBe('true');
    const supplier = page.getByRole('group', { name: 'Supplier' });
    await supplier.getByText('Supplier: the address is not complete. Missing: Street, City').waitFor();
    await supplier.getByLabel('Postcode').fill('5000');
    await supplier.getByText('The postcode should have five digits.').waitFor();
    await expectWellMade(page);

    await amount.fill('-0.10');
    await page.getByRole('button', { name: 'Add a tax' }).click();
    await page.getByLabel('Tax amount').fill('-0.20');
    await page.locator('.totals').getByText('-0.30').waitFor();
    await amount.fill('ten');
    await page.getByText('An amount must be a decimal number').waitFor();
    await importIt(page);
    expect(await example.calls('malaysiaImport')).toHaveLength(0);
  });

  it('imports once, however often the button is pressed, and watches the document until it is final', async () => {
    const page = await example.open('malaysia');
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.getByRole('button', { name: 'Fill in a sample' }).click();
    await page.getByText('1706.50').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).dblclick();
    await page.getByText('Imported as document').waitFor();
    await importIt(page);
    await page.getByText('Queued', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Batch from CSV' }).click();
    await page.getByRole('button', { name: 'Use the sample' }).click();
    await page.getByRole('button', { name: 'Import 6 rows' }).click();
    await page.getByText('Submitted', { exact: true }).waitFor();
    await keepScreenshot(page, 'malaysia-batch');
    await expectWellMade(page);
    await page.getByRole('tab', { name: 'One invoice' }).click();
    await page.getByLabel('Document type').selectOption('Credit note');
    await page.getByText('The amounts of a credit note are negative').first().waitFor();
    await keepScreenshot(page, 'malaysia');
    await expectWellMade(page);

    await example.advance(submittedAfterMs);
    await page.getByText('Failed', { exact: true }).waitFor();
    await page.getByText('Submitted', { exact: true }).nth(3).waitFor();
    await example.advance(decidedAfterMs);
    await page.getByText('Rejected', { exact: true }).waitFor();
    await page.getByText('All documents are final').waitFor();
    expect(await page.locator('.live-document').getByText('Validated', { exact: true }).count()).toBe(3);
    const finished = page.getByRole('list', { name: 'Finished documents' });
    expect(await finished.getByRole('listitem').count()).toBe(5);
    expect(sockets).toHaveLength(1);
    expect(await example.calls('malaysiaImport')).toHaveLength(5);
    await expectWellMade(page);

    await page.getByRole('button', { name: 'Remove finished documents' }).click();
    await page.getByText('No documents yet').waitFor();
    expect(await page.getByText('All documents are final').count()).toBe(0);
  });

  it('shows the outcome and the warnings of each row of a batch, and imports no row twice', async () => {
    const page = await example.open('malaysia');
    await page.getByRole('tab', { name: 'One invoice' }).focus();
    await page.keyboard.press('ArrowRight');
    const rows = [
      'docType,docNumber,amountExclTax,taxType,taxAmount,colour',
      'invoice,ROW-1-NOW,10.00,SALES_TAX,1.00,red',
      'credit note,ROW-2,10.00,,,',
      'invoice,ROW-3,1e400,,,',
      'invoice,ROW-4,5,,,',
    ];
    await chooseRows(page, rows);
    await page.getByText('Unused columns: colour.').waitFor();
    await example.fault('malaysiaImport', 'retry-after-1');
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    const outcomes = page.locator('.batch-outcome');
    await page.getByText('There are too many requests').waitFor();
    expect(await outcomes.nth(1).textContent()).toContain('A credit note must name the document number');
    expect(await outcomes.nth(2).textContent()).toContain('amountExclTax is not a decimal number.');

    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('Imported', { exact: true }).nth(1).waitFor();
    expect(await example.calls('malaysiaImport')).toHaveLength(3);
    expect(await outcomes.nth(0).textContent()).toContain('Supplier: the address is not complete.');
    await expectWellMade(page);

    await page.getByRole('button', { name: 'Use 120 rows' }).click();
    await page.getByRole('button', { name: 'Import 120 rows' }).waitFor();
    await chooseRows(page, [rows[0], ...Array.from({ length: 26 }, (_, at) => `invoice,MORE-${at},5,,,`)]);
    // One operation sends 25.
    await page.getByRole('button', { name: 'Import 26 rows' }).click();
    await page.getByText('Imported', { exact: true }).nth(25).waitFor();
    expect(await example.calls('malaysiaImport')).toHaveLength(29);
  });

  it('shows a delayed state as delayed, and updates it when the service is back', async () => {
    const page = await example.open('malaysia');
    await fill(page, 'DELAYED-1');
    await importIt(page);
    await live(page, 'DELAYED-1').getByText('Queued', { exact: true }).waitFor();
    await example.fault('malaysiaStatus', 'status-503', null);
    await live(page, 'DELAYED-1').getByText('Delayed', { exact: true }).waitFor();
    await live(page, 'DELAYED-1').getByText('Queued', { exact: true }).waitFor();
    await expectWellMade(page);

    await example.fault('malaysiaStatus', 'none');
    await example.advance(submittedAfterMs);
    await live(page, 'DELAYED-1').getByText('Submitted', { exact: true }).waitFor();
    await live(page, 'DELAYED-1').getByText('Delayed', { exact: true }).waitFor({ state: 'detached' });
  });

  it('says how long a document usually waits, and that it takes longer', async () => {
    const page = await watchChanged(({ state, since, observedAt }) => {
      const later = (ms: number) => new Date(Date.parse(since ?? observedAt) + ms).toISOString();
      return { expected: { likelyBy: later(1), atLatestBy: later(state === 'QUEUED' ? 3_600_000 : 2) } };
    });
    const document = live(page, '2001');
    const bar = document.getByRole('progressbar');
    await document.getByText(/^Usually submitted within/).waitFor();
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/^Usually submitted/);
    await expectWellMade(page);

    await example.advance(submittedAfterMs);
    await document.getByText('Takes longer than usual: 19 of 20 documents are decided within').waitFor();
    expect(Number(await bar.getAttribute('value'))).toBe(95);
    await example.advance(decidedAfterMs);
    await document.getByText('Validated', { exact: true }).waitFor();
    expect(await bar.count()).toBe(0);
  });

  it('shows why a document cannot be watched, and the warnings of one that was imported, which is watched after a reload too', async () => {
    const page = await example.open('malaysia');
    await page.getByLabel('Watch another document').fill('no/such/id');
    await page.keyboard.press('Enter');
    await page.getByText('The input is not valid').waitFor();
    await fill(page, 'RELOADED-1');
    await importIt(page);
    const notice = page.getByRole('status').filter({ hasText: 'Imported as document' });
    await notice.getByText('Accepted with 4 warnings:').waitFor();
    await notice.getByText('Buyer: the address is not complete. Missing: Street, City').waitFor();
    await expectWellMade(page);
    await live(page, 'RELOADED-1').getByText('Queued', { exact: true }).waitFor();
    await page.reload();
    await page.locator('.live-document').getByText('Queued', { exact: true }).waitFor();
    expect(await example.calls('malaysiaImport')).toHaveLength(1);
  });

  it('shows a state that only a newer gateway knows', async () => {
    const page = await watchChanged(() => ({ state: 'ON_HOLD' }));
    await live(page, '2001').getByText('ON_HOLD', { exact: true }).waitFor();
  });
});
