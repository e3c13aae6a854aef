import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../examples/web/src/scan/page.ts';
import { example } from '../../support/example.ts';
import { temporaryFolder } from '../../support/lifetimes.ts';
import { aPng } from '../../support/png.ts';
import { expectWellMade, keepScreenshot } from '../../support/well-made.ts';
import { choose, reportWarning, scan } from './actions.ts';

const sample = readFileSync('examples/web/public/sample-card.jpg');

describe('the view of scans', () => {
  it('shows the values next to the picture, each with its box', async () => {
    const page = await example.open('scan');
    await page.getByRole('button', { name: 'Use the sample card' }).click();
    await scan(page);
    const birth = page.getByRole('button', { name: /Date of Birth/ });
    await birth.getByText('9 November 2001').waitFor();
    expect(await birth.textContent()).toContain('printed 09/11/2001');
    const expiry = page.getByRole('listitem').filter({ hasText: 'Expiry Date' });
    expect(await expiry.textContent()).toContain('Not found');
    expect(await page.locator('svg [data-field]').count()).toBe(6);
    expect(await page.locator('svg .lit').count()).toBe(0);

    await birth.hover();
    expect(await page.locator('svg .lit').getAttribute('data-field')).toBe('DOB');
    await keepScreenshot(page, 'scan');
    await keepScreenshot(page, 'scan', 'dark');
    await page.getByRole('button', { name: /NRIC Number/ }).focus();
    expect(await page.locator('svg .lit').getAttribute('data-field')).toBe('NricNumber');

    await page.getByRole('checkbox', { name: 'Show all 15 text boxes' }).check();
    expect(await page.locator('svg .box-text').count()).toBe(15);
    await expectWellMade(page);
  });

  it('shows the result of 20 MB after a reload broke the connection, and sends nothing again', {
    retry: 2,
  }, async () => {
    const page = await example.open('scan');
    const file = join(temporaryFolder(), 'large.png');
    writeFileSync(file, Buffer.concat([sample, Buffer.alloc(20_000_000)]));
    await page.getByLabel('Choose a picture').setInputFiles(file);
    await example.fault('scan', 'slow-2000');
    await scan(page);
    await page.getByText('Sent. The service is reading the card …').waitFor();
    // The browser may still have buffered the last bytes when the page says so.
    await expect.poll(async () => (await example.calls('scan')).length).toBe(1);
    await page.reload();
    const panel = page.getByRole('region', { name: 'The scan of large.png' });
    await panel.getByRole('listitem').first().waitFor();
    expect(await example.calls('scan')).toHaveLength(1);

    await page.reload();
    await page.getByLabel('Choose a picture').waitFor({ state: 'attached' });
    expect(await panel.count()).toBe(0);
  });

  it('remembers a scan for a reload although an earlier one ends meanwhile', async () => {
    const page = await example.open('scan');
    const held: (() => void)[] = [];
    await page.route('**/graphql', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => {});
    });
    await choose(page, 'first.png');
    await scan(page);
    await page.getByRole('button', { name: 'Another picture' }).click();
    await choose(page, 'second.png');
    await scan(page);
    await expect.poll(() => held.length).toBe(2);
    const ended = page.waitForResponse('**/graphql');
    held[0]?.();
    await (await ended).finished();
    await page.reload();
    const panel = page.getByRole('region', { name: 'The scan of second.png' });
    await panel.getByRole('button', { name: 'Close' }).click();
  });

  it('shows the progress of the upload', async () => {
    const page = await example.open('scan');
    const cdp = await page.context().newCDPSession(page);
    const network = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_500_000 };
    await cdp.send('Network.emulateNetworkConditions', network);
    await choose(page, 'large.png', aPng(1012, 638));
    await scan(page);
    const progress = page.getByRole('progressbar', { name: 'Upload' });
    await progress.waitFor();
    await page.getByText(/^Sending [1-9]\d? % of 1\.9 MB$/).waitFor();
    await page.getByRole('heading', { name: 'Values read' }).waitFor();
    expect(await progress.count()).toBe(0);
  });

  it('accepts a picture by drag and drop', async () => {
    const page = await example.open('scan');
    const bytes = sample.toString('base64');
    const data = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob('${bytes}'), (char) => char.charCodeAt(0));
        transfer.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }));
        return transfer;
      })()`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('heading', { name: 'dropped.jpg' }).waitFor();
    await page.getByAltText('The card as chosen').waitFor();
  });

  it('shows values without boxes for a picture of another size or a file that it cannot show, and that a blank one has none', async () => {
    const page = await example.open('scan');
    const another = () => page.getByRole('button', { name: 'Another picture' }).click();
    await choose(page, 'square.png', aPng(200, 200));
    await scan(page);
    await page.getByText('The boxes do not fit this picture').waitFor();
    await page.getByText('NRIC Number').waitFor();
    expect(await page.locator('.card-picture svg').count()).toBe(0);

    await another();
    await choose(page, 'card.pdf', Buffer.from('%PDF-1.4 of no content'));
    await page.getByText('This kind of file cannot be shown here').waitFor();
    await scan(page);
    await page.getByText('NRIC Number').waitFor();

    await another();
    await choose(page, 'blank.png');
    await scan(page);
    await expect.poll(() => page.getByText('Not found').count()).toBe(7);
  });

  it('sends a picture once, however often the button is pressed, and again on request, and shows what the service reports', async () => {
    const page = await example.open('scan');
    await choose(page, 'again.png');
    await page.getByRole('button', { name: 'Scan', exact: true }).dblclick();
    await page.getByText('Scanning again creates another document.').waitFor();
    expect(await example.calls('scan')).toHaveLength(1);
    await page.getByRole('button', { name: 'Scan again' }).click();
    await expect.poll(async () => (await example.calls('scan')).length).toBe(2);
    // The response has arrived too.
    await page.waitForFunction('sessionStorage.length === 0');
    const message = await reportWarning(page, 'scanIdentityCard');
    await page.getByRole('button', { name: 'Scan again' }).click();
    await page.getByText(message).waitFor();
    await page.getByRole('heading', { name: 'Values read' }).waitFor();
    await expectWellMade(page);
  });
});

describe('the page of a scan', () => {
  const size = { first: 1012, second: 638 };
  const box = { left: 10, top: 10, right: 300, bottom: 40 };

  it('has the picture’s ratio, within rounding, and turns when the picture is upright', () => {
    expect(pageOf(size, { width: 506, height: 319 }, [box])).toEqual({ width: 1012, height: 638 });
    expect(pageOf(size, { width: 510, height: 319 }, [box])).toEqual({ width: 1012, height: 638 });
    expect(pageOf(size, { width: 638, height: 1012 }, [box])).toEqual({ width: 638, height: 1012 });
  });

  it('is undefined with another ratio, with a box that lies outside, and when the service returns no size', () => {
    const picture = { width: 1012, height: 638 };
    expect(pageOf(size, { width: 540, height: 319 }, [box])).toBeNull();
    expect(pageOf(size, picture, [box, { ...box, right: 1013 }])).toBeNull();
    expect(pageOf(size, picture, [{ ...box, top: -1 }])).toBeNull();
    expect(pageOf(undefined, picture, [])).toBeNull();
  });
});
