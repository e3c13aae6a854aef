import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { example } from '../../support/example.ts';
import { expectFitsPhone, expectWellMade } from '../../support/well-made.ts';

const views = ['scan', 'outbox', 'groups', 'export', 'mexico', 'fapiao', 'malaysia'];

/** Texts and labels of the page with two English words in a row, except what is marked as English, code or data. */
const englishIn = (page: Page) =>
  page.evaluate(`(() => {
    const found = [];
    const isEnglish = (text) => /\\b[a-z]{2,} [a-z]{2,}\\b/i.test(text.replace(/Folio Fiscal/g, ''));
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest('script, style, .mono, [lang], textarea')) continue;
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data);
      const attributes = ['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? '');
      found.push(...[...own, ...attributes].filter(isEnglish));
    }
    return found;
  })()`);

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');

describe('the languages of the page', () => {
  it('begin with English in a browser of another language, and with that which the user has chosen after a reload', async () => {
    const page = await example.open('groups', 'fr-FR');
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
    expect(await languageOf(page)).toBe('en');
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Bahasa Melayu');
    await page.getByRole('heading', { level: 1, name: 'Kumpulan' }).waitFor();
    expect(await page.getByLabel('Nama', { exact: true }).inputValue()).toBe('Half typed');
    expect(await page.title()).toBe('Kumpulan · Folio');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Kumpulan' }).waitFor();
  });

  it('leave no English in any view', async () => {
    const page = await example.open('scan', 'zh-CN');
    expect(await languageOf(page)).toBe('zh-Hans');
    for (const view of views) {
      await page.locator(`nav a[href="#/${view}"]`).click();
      await page.locator(`[data-view=${view}] h1`).waitFor();
      expect(await englishIn(page), view).toEqual([]);
      await expectFitsPhone(page);
    }
  });

  it('have the gateway’s messages, with the labels of the form, and follow a change', async () => {
    const page = await example.open('malaysia', 'es-ES');
    expect(await languageOf(page)).toBe('es');
    await page.getByLabel('Importe sin impuestos').fill('10.00');
    await page.getByLabel('Tipo de documento').selectOption('Nota de crédito');
    await page.getByText('Los importes de una nota de crédito son negativos').waitFor();
    await page.getByText('Comprador: la dirección no está completa. Falta: Calle, Ciudad').waitFor();
    await page.getByText('Una nota de crédito debe indicar el número de documento').waitFor();
    await expectWellMade(page);
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('简体中文');
    await page.getByText('贷记单的金额为负数').waitFor();
    await page.getByText('买方：地址不完整。缺少：街道、城市').waitFor();
    expect(await englishIn(page)).toEqual([]);
  });

  it('have what a failure means, and mark the gateway’s own words as English', async () => {
    await example.fault('mexicoStatus', 'status-503', null);
    const page = await example.open('mexico', 'ms-MY');
    expect(await languageOf(page)).toBe('ms');
    await page.getByRole('button', { name: '1001' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Perkhidmatan tidak tersedia.').waitFor();
    await alert.getByText('Tiada apa-apa dilakukan. Selamat untuk mencuba lagi.').waitFor();
    expect(await englishIn(page)).toEqual([]);
    await expectWellMade(page);
  });
});
