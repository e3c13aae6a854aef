import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';

const fapiao = readFileSync('test/fixtures/fapiao.xml');

describe('the view of Fapiao documents', () => {
  it('shows line and column of a problem, goes there, and sends the XML once it is fixed', async () => {
    const page = await example.open('fapiao');
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
    expect(await example.calls('fapiao')).toHaveLength(0);
    await keepScreenshot(page, 'fapiao');
    await expectWellMade(page);

    await xml.fill(good);
    await page.getByLabel('Name of the document').fill('发票 2026-03');
    await page.getByRole('button', { name: 'Request the PDF' }).click();
    await page.getByText('Accepted, not yet processed').waitFor();
    expect(await page.getByRole('status').locator('.mono').textContent()).toMatch(/^[\da-f-]{36}$/);
    expect(await example.calls('fapiao')).toMatchObject([{ name: '发票 2026-03', qid: null }]);
    await expectWellMade(page);
  });

  it('sends a file byte for byte, and shows the warning of one that was sent unchecked', async () => {
    const page = await example.open('fapiao');
    const declared = `\ufeff${fapiao}`.replace('encoding="UTF-8"', 'encoding="UTF-16"');
    const file = Buffer.from(declared, 'utf16le');
    await page
      .getByLabel('Choose an XML file')
      .setInputFiles({ name: 'a.xml', mimeType: 'text/xml', buffer: file });
    await page.getByText('a.xml is sent unchanged').waitFor();
    await page.getByRole('button', { name: 'Request the PDF' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Accepted, not yet processed' });
    await notice.getByText('Accepted with one warning:').waitFor();
    await notice.getByText('Found: UTF-16.').waitFor();
    const sha256 = createHash('sha256').update(file).digest('hex');
    expect(await example.calls('fapiao')).toMatchObject([{ sha256 }]);
    await expectWellMade(page);
  });
});
