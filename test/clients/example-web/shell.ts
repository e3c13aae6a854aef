import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectWellMade } from '../../support/well-made.ts';
import { choose, scan } from './actions.ts';

describe('the page of the example', () => {
  it('has seven views that work by keyboard, announces the current view, and keeps what was typed', async () => {
    const page = await example.open('groups');
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    for (const title of ['Scan', 'Outbox', 'Export', 'Mexico', 'Fapiao', 'Malaysia', 'Groups']) {
      await page.getByRole('link', { name: title }).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(`document.title.startsWith('${title}')`);
      expect(await page.getByRole('link', { name: title }).getAttribute('aria-current')).toBe('page');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    }
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
    await page.getByRole('button', { name: 'Skip to the content' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('needs no typing with the sandbox, and less than a sixth of a phone for its header', async () => {
    const page = await example.open('mexico');
    await page.reload();
    await page.waitForFunction("document.querySelector('#api-key').value === 'demo-key'");
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = await page.locator('.shell-bar').boundingBox();
    expect(bar?.height).toBeLessThan(844 / 6);
  });

  it('shows credentials only on request, and sends none that a header cannot contain', async () => {
    const page = await example.open('mexico');
    const authorization = page.getByLabel('Authorization');
    const style = 'getComputedStyle(document.getElementById("authorization"))';
    const security = () => page.evaluate(`${style}.getPropertyValue("-webkit-text-security")`);
    expect(await security()).toBe('disc');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await security()).toBe('none');
    await authorization.fill('Bearer 密');
    await authorization.press('Enter');
    await page.getByText('Only printable ASCII').waitFor();
    await expectWellMade(page);
    await page.getByRole('button', { name: '1001' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    expect(await example.calls('mexicoStatus')).toMatchObject([{ status: 200 }]);
  });

  it('shows nothing of one caller to the next', async () => {
    const page = await example.open('groups');
    await page.getByLabel('Name', { exact: true }).fill('Of the first');
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('rowheader', { name: 'Of the first' }).waitFor();
    await page.getByRole('link', { name: 'Scan' }).click();
    await choose(page, 'of-the-first.png');
    await scan(page);
    await page.getByRole('heading', { name: 'Values read' }).waitFor();
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('checkbox', { name: /of-the-first/ }).waitFor();

    await page.locator('#api-key').fill('key-of-the-next');
    await page.locator('#api-key').blur();
    await expect.poll(() => page.getByRole('checkbox', { name: /of-the-first/ }).count()).toBe(0);
    for (const view of ['Groups', 'Scan']) {
      await page.getByRole('link', { name: view }).click();
      await page.waitForFunction(`document.title.startsWith('${view}')`);
      expect(await page.content()).not.toMatch(/of.the.first|Values read/i);
    }
  });
});
