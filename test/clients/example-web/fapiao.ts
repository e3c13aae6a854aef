import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';

const fapiao = readFileSync('test/fixtures/fapiao.xml');

async function send(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Choose an XML file').setInputFiles({ name, mimeType: 'text/xml', buffer });
  await page.getByText(`${name} is sent unchanged`).waitFor();
  await page.getByRole('button', { name: 'Request the PDF' }).click();
}

export function fapiaoTests(the: () => Example): void {
  describe('the view of Fapiao documents', () => {
    it('shows line and column of a problem, goes there, and sends the XML once it is fixed', async () => {
      const page = await the().open('fapiao');
      await page.getByRole('button', { name: 'Use the sample' }).click();
      const xml = page.getByLabel('XML', { exact: true });
      const good = await xml.inputValue();
      await xml.fill(good.replace('</SignatureTime>', '</SignatureTim>'));
      await page.getByRole('button', { name: 'Request the PDF' }).click();
      await page.getByText('The XML must be well-formed. See line 100, column 53.').waitFor();
      await page.getByRole('button', { name: 'Go to line 100, column 53' }).click();
      const selected = await page.evaluate(
        '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart - 14, selectionEnd))(document.activeElement)',
      );
      expect(selected).toBe('</SignatureTim>');
      expect(await xml.getAttribute('aria-invalid')).toBe('true');
      expect(await the().calls('fapiao')).toHaveLength(0);
      await keepScreenshot(page, 'fapiao');
      await expectWellMade(page);

      await xml.fill(good);
      await page.getByLabel('Name of the document').fill('发票 2026-03');
      await page.getByRole('button', { name: 'Request the PDF' }).click();
      await page.getByText('Accepted, not yet processed').waitFor();
      expect(await page.getByRole('status').locator('.mono').textContent()).toMatch(/^[\da-f-]{36}$/);
      expect(await the().calls('fapiao')).toMatchObject([{ name: '发票 2026-03', qid: null }]);
      await expectWellMade(page);
    });

    it('sends a file byte for byte', async () => {
      const page = await the().open('fapiao');
      const windows = Buffer.from(String(fapiao).replaceAll('\n', '\r\n'));
      await send(page, 'fapiao.xml', windows);
      await page.getByText('Accepted, not yet processed').waitFor();
      const [call] = await the().calls('fapiao');
      expect(String(windows).startsWith(call?.['body'])).toBe(true);
      expect(call?.['body']).toContain('\r\n');
      expect(await page.getByRole('status').getByText('warning').count()).toBe(0);
    });

    it('shows the warning of a file that was sent unchecked', async () => {
      const page = await the().open('fapiao');
      const declared = `\ufeff${fapiao}`.replace('encoding="UTF-8"', 'encoding="UTF-16"');
      await send(page, 'utf16.xml', Buffer.from(declared, 'utf16le'));
      const notice = page.getByRole('status').filter({ hasText: 'Accepted, not yet processed' });
      await notice.getByText('Accepted with one warning:').waitFor();
      await notice.getByText('Found: UTF-16.').waitFor();
      await expectWellMade(page);
    });
  });
}
