import type { Locale } from '../texts/texts.ts';
import { builder } from './builder.ts';

const LocaleType = builder.enumType('Locale', {
  description: 'A language of messages.',
  values: {
    EN: { description: 'English.' },
    ES: { description: 'Spanish.' },
    MS: { description: 'Malay.' },
    ZH: { description: 'Simplified Chinese.' },
  } as const satisfies Record<Locale, object>,
});

/** The arguments of a field with a text for users. */
export const localeArgs = builder.args((arg) => ({
  locale: arg.field({
    type: LocaleType,
    defaultValue: 'EN',
    description: 'Language of the text. Null: English.',
  }),
}));
