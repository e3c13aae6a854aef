/** The texts that `@folio/client` contains, by language: those of the gateway for rules and labels, and its own for codes. */
import { codes } from '../packages/client/src/texts/codes.ts';
import { catalogue, locales } from '../src/texts/texts.ts';

export function clientTexts(): [file: string, content: string] {
  const all = Object.fromEntries(
    locales.map((locale) => [locale, { ...forUsers(locale), ...codes[locale] }]),
  );
  return ['packages/client/src/texts/texts.json', `${JSON.stringify(all, null, 2)}\n`];
}

/** `{ "rule.postcode": "…", … }` */
function forUsers(locale: (typeof locales)[number]): object {
  const texts = Object.entries(catalogue[locale]);
  return Object.fromEntries(texts.filter(([key]) => /^(document|field|rule)\./.test(key)));
}
