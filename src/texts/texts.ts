/** Texts for users in four languages: rules, problems and labels of fields. Each language has a file with all of them. */
import { en, type TextKey, type Translation } from './en.ts';
import { es } from './es.ts';
import { ms } from './ms.ts';
import { zh } from './zh.ts';

export const catalogue = { EN: en, ES: es, MS: ms, ZH: zh } as const satisfies Record<string, Translation>;

export type Locale = keyof typeof catalogue;
export const locales = Object.keys(catalogue) as readonly Locale[];

/** The ids of the rules that have a text. */
export type RuleId = { [Key in TextKey]: Key extends `rule.${infer Rule}` ? Rule : never }[TextKey];

/** A text with its parameters. Plain data: it is stored with the outcome of a write. */
export interface LocalizedText {
  readonly key: TextKey;
  readonly params?: Readonly<Record<string, TextParam>>;
}

type TextParam = string | number | LocalizedText | readonly LocalizedText[];

/** The names in braces in a text. */
type ParamIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamIn<Rest>
  : never;
type ParamsOf<Key extends TextKey> = [ParamIn<(typeof en)[Key]>] extends [never]
  ? []
  : [Readonly<Record<ParamIn<(typeof en)[Key]>, TextParam>>];

/** A text of the catalogue with exactly the parameters that it has. */
export function text<Key extends TextKey>(key: Key, ...[params]: ParamsOf<Key>): LocalizedText {
  return params ? { key, params } : { key };
}

export function write({ key, params }: LocalizedText, locale: Locale): string {
  const texts: Translation = catalogue[locale];
  if (!params) return texts[key];
  return texts[key].replaceAll(/\{(\w+)\}/g, (_braces, name) => writeParam(params[name] ?? '', locale));
}

function writeParam(param: TextParam, locale: Locale): string {
  if (typeof param !== 'object') return String(param);
  if ('key' in param) return write(param, locale);
  return param.map((one) => write(one, locale)).join(locale === 'ZH' ? '、' : ', ');
}

/** The text in another language. `english`: for a text that has no translations, or one that another version stored. */
export function translated(text: LocalizedText | undefined, locale: Locale, english: string): string {
  return locale === 'EN' || !text || !Object.hasOwn(en, text.key) ? english : write(text, locale);
}
