/** The problems of an input, as fields of the results that have them. */
import { InvalidInputError } from '../errors.ts';
import { maxProblems, type InputProblem as Problem } from '../input-problems.ts';
import { type Locale, translated } from '../texts/texts.ts';
import { maxTexts } from '../upstream/texts/text-search.ts';
import { builder } from './builder.ts';
import type { UpstreamCallsExtension } from './service-field.ts';

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

export const ProblemSeverity = builder.enumType('ProblemSeverity', {
  description: 'Whether a problem stops the call.',
  values: {
    ERROR: { description: 'Stops the call: nothing was sent, or the service refused the content.' },
    WARNING: { description: 'Unusual, or against a recommendation. Never stops a call.' },
  } as const,
});

export const InputProblem = builder.objectRef<Problem>('InputProblem').implement({
  description: 'One problem of an input.',
  fields: (t) => ({
    rule: t.exposeString('rule', {
      nullable: false,
      description:
        'Stable id of the rule in kebab-case, e.g. `credit-note-negative`; `refused-by-service` when the service refused the input, `reported-by-service` when it did not do all of it.',
    }),
    severity: t.expose('severity', {
      type: ProblemSeverity,
      nullable: false,
      description: 'An ERROR stops the call, a WARNING does not.',
    }),
    path: t.exposeStringList('path', {
      nullable: false,
      description:
        'Path into the input, e.g. `["invoice", "lines", "2", "amountExclTax"]`. Empty: the input as a whole.',
    }),
    message: t.string({
      nullable: false,
      args: localeArgs,
      description:
        'The rule, and what to send instead. A text of the service (`refused-by-service`, `reported-by-service`) is not translated.',
      resolve: ({ message, text }, { locale }) => translated(text, locale ?? 'EN', message),
    }),
    expected: t.string({
      args: localeArgs,
      description: 'What would be accepted; null where the message is enough.',
      resolve: ({ expected, expectedText }, { locale }) =>
        expected && translated(expectedText, locale ?? 'EN', expected),
    }),
    actual: t.exposeString('actual', {
      description: 'What was sent; null where it is absent or may be personal data.',
    }),
  }),
});

/** The field `warnings` of the result of a mutation. Results that an earlier version stored have none. */
export const reportedWarnings = {
  type: [InputProblem] as [typeof InputProblem],
  nullable: false as const,
  description:
    'What the service reported together with its result (`reported-by-service`). Empty when it reported nothing.',
  extensions: { maxMembers: maxTexts } satisfies UpstreamCallsExtension,
  resolve: ({ warnings = [] }: { readonly warnings?: readonly Problem[] }) => warnings,
};

/** The field `warnings` of the result of a mutation whose input is checked. */
export const inputWarnings = {
  ...reportedWarnings,
  description:
    'Problems of severity WARNING of the input, which was sent nevertheless, and what the service reported together with its ' +
    'result (`reported-by-service`).',
  extensions: { maxMembers: maxProblems } satisfies UpstreamCallsExtension,
  resolve: ({ warnings = [], problems = [] }: Checked) => [...warnings, ...problems].slice(0, maxProblems),
};

/** A result with the problems of its input, which are absent in an outcome that the idempotency ledger kept. */
export interface Checked {
  readonly warnings?: readonly Problem[];
  readonly problems?: readonly Problem[];
}

/**
 * Runs the write of an input with these warnings. If the service refuses the input, they follow its reasons: one of them may say
 * what to change.
 */
export async function withWarnings<T>(
  warnings: readonly Problem[],
  write: () => Promise<T>,
): Promise<T & Checked> {
  try {
    return { ...(await write()), problems: warnings };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError(error.message, [...error.problems, ...warnings].slice(0, maxProblems));
  }
}

/** A thrown or returned `InvalidInputError` becomes this type, because the result unions name the class. */
builder.objectType(InvalidInputError, {
  name: 'InvalidInput',
  description:
    'The input is invalid: nothing was sent, or the service refused it (400, 422). Nothing was done.',
  fields: (t) => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'Why nothing was done, in English; `problems` has the details.',
    }),
    problems: t.expose('problems', {
      type: [InputProblem],
      nullable: false,
      description:
        'The problems: errors before warnings, both in the order of the input; of an invoice at most 200, of the XML of a Fapiao the first.',
      extensions: { maxMembers: maxProblems } satisfies UpstreamCallsExtension,
    }),
  }),
});
