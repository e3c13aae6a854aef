/** The language of the page: the user's choice, or else the first of the browser's languages that the page has. */
import { type Locale, localeOf } from '@folio/client';
import texts from '@folio/client/texts.json';
import { useSyncExternalStore } from 'react';
import { storedText } from '../shared/stored-text.ts';
import type { Text } from './text.ts';

export const languages = [
  ['EN', 'English', 'en'],
  ['ES', 'Español', 'es'],
  ['MS', 'Bahasa Melayu', 'ms'],
  ['ZH', '简体中文', 'zh-Hans'],
] as const satisfies readonly (readonly [Locale, name: string, tag: string])[];

const chosen = storedText(() => localStorage, 'folio-language');
const listeners = new Set<() => void>();
let current = languages.findIndex(([locale]) => locale === (stored() ?? localeOf(navigator.languages)));

function stored(): string | undefined {
  const choice = chosen.get();
  return languages.find(([locale]) => locale === choice)?.[0];
}

/** Only the root of the page uses it: when the language changes, everything is rendered again. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, locale);
}

export function locale(): Locale {
  return (languages[current] ?? languages[0])[0];
}

/** A language tag (BCP 47), for screen readers. */
export function languageTag(): string {
  return (languages[current] ?? languages[0])[2];
}

/** The language for dates: as the browser's region writes them, if it is one of this language. */
export function dateLocale(): string {
  const [language = 'en'] = languageTag().split('-');
  return navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? languageTag();
}

export function chooseLanguage(locale: Locale): void {
  chosen.set(locale);
  current = languages.findIndex(([one]) => one === locale);
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** The text in the language of the page. */
export function t(text: Text, params: Readonly<Record<string, string | number>> = {}): string {
  const [english] = text;
  return (text[current] ?? english).replaceAll(/\{(\w+)\}/g, (_braces, name) => String(params[name]));
}

/** A text that the gateway's messages use too: the label of a field, or what a code means. */
export function sharedText(key: keyof typeof texts.EN): string {
  return texts[locale()][key];
}

/** What a code of the gateway means. */
export function codeText(code: string): string {
  const own: Readonly<Record<string, string>> = texts[locale()];
  return own[`code.${code}`] ?? sharedText('code.other');
}
