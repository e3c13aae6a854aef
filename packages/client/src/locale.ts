/** The languages of the gateway's texts. */
import type { codes } from './texts/codes.ts';

export type Locale = keyof typeof codes;

/** What is between two sentences. */
export const separators: Readonly<Record<Locale, string>> = { EN: ' ', ES: ' ', MS: ' ', ZH: '' };

/** The first of the user's languages that the gateway has, otherwise English. `languages`: `navigator.languages`. */
export function localeOf(languages: readonly string[]): Locale {
  for (const language of languages) {
    const locale = language.slice(0, 2).toUpperCase();
    if (Object.hasOwn(separators, locale)) return locale as Locale;
  }
  return 'EN';
}
