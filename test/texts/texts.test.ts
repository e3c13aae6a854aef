/** The texts for users, of the gateway and of `@folio/client`: complete in all languages, and free of names that only programs use. */
import { describe, expect, it } from 'vitest';
import { codes } from '../../packages/client/src/texts/codes.ts';
import { errorCodes } from '../../src/errors.ts';
import { ruleCatalogue } from '../../src/graphql/rule-catalogue.ts';
import '../../src/schema.ts';
import { catalogue, type LocalizedText, locales, text, translated, write } from '../../src/texts/texts.ts';

const textsOf = (locale: keyof typeof codes) => ({ ...catalogue[locale], ...codes[locale] });
const english = textsOf('EN');
const keys = Object.keys(english) as (keyof typeof english)[];
const idsOf = (group: string) =>
  keys.flatMap((key) => (key.startsWith(group) ? [key.slice(group.length)] : []));
const paramsOf = (one: string) => (one.match(/\{\w+\}/g) ?? []).sort();

describe.each(locales)('the texts in %s', (locale) => {
  const texts = textsOf(locale);

  it('translate those of English, with the same parameters', () => {
    expect(Object.keys(texts)).toEqual(keys);
    for (const key of keys) {
      expect(texts[key].trim(), key).toBe(texts[key]);
      expect(texts[key], key).not.toBe('');
      expect([key, paramsOf(texts[key])]).toEqual([key, paramsOf(english[key])]);
      if (locale !== 'EN') expect(texts[key], key).not.toBe(english[key]);
    }
  });

  it('name no member of the schema, except the elements of the XML', () => {
    for (const key of keys) {
      const words = texts[key].replaceAll(/\{\w+\}|EInvoice\w*|SellerAuthentication|Tax\w+/g, '');
      expect([key, words.match(/[a-z]+[A-Z]\w*|\w+_\w+/)?.[0]]).toEqual([key, undefined]);
    }
  });
});

it('every rule and every error code has a text, and no text is left over', () => {
  const rules = ruleCatalogue().map(({ rule }) => rule);
  expect(idsOf('rule.').sort()).toEqual(rules.sort());
  expect(idsOf('code.').sort()).toEqual([...errorCodes, 'other'].sort());
});

describe('a text with parameters', () => {
  const missing = text('problem.address-incomplete', {
    party: text('field.supplier'),
    fields: [text('field.city'), text('field.postcode')],
  });

  it('has the texts of its parameters in the same language, and their lists', () => {
    expect(locales.map((locale) => write(missing, locale))).toEqual([
      'Supplier: the address is not complete. Missing: City, Postcode.',
      'Proveedor: la dirección no está completa. Falta: Ciudad, Código postal.',
      'Pembekal: alamat tidak lengkap. Tiada: Bandar, Poskod.',
      '供应商：地址不完整。缺少：城市、邮政编码。',
    ]);
  });

  it('is the same after it was stored as JSON', () => {
    const stored: LocalizedText = JSON.parse(JSON.stringify(missing));
    for (const locale of locales) expect(write(stored, locale)).toBe(write(missing, locale));
  });

  it('that another version has stored is returned in English when this version does not know it', () => {
    const unknown = { key: 'rule.of-tomorrow' } as unknown as LocalizedText;
    for (const locale of locales) expect(translated(unknown, locale, 'English.')).toBe('English.');
  });
});
