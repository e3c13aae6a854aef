import { InvalidInputError, maxProblems } from '../errors.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';
import { builder } from './builder.ts';

export const ProblemSeverity = builder.enumType('ProblemSeverity', {
  description: 'Whether a problem stops the call.',
  values: {
    ERROR: { description: 'Nothing was sent, or the service refused the content.' },
    WARNING: { description: 'Unusual or only recommended; never stops a call.' },
  } as const,
});

export const InputProblem = builder
  .objectRef<InvalidInputError['problems'][number]>('InputProblem')
  .implement({
    description: 'One thing that is wrong or unusual about an input.',
    fields: (t) => ({
      rule: t.exposeString('rule', {
        nullable: false,
        description:
          'Stable, kebab-case, e.g. `credit-note-negative`; `refused-by-service` when the service said so.',
      }),
      severity: t.expose('severity', {
        type: ProblemSeverity,
        nullable: false,
        description: 'ERROR stops the call, WARNING does not.',
      }),
      path: t.stringList({
        nullable: false,
        description:
          'Into the input, e.g. `["invoice", "lines", "2", "amountExclTax"]`; empty: the input as a whole.',
        resolve: ({ path }) => [...path],
      }),
      message: t.exposeString('message', {
        nullable: false,
        description: 'What the rule is and what to do.',
      }),
      expected: t.exposeString('expected', {
        description: 'What would be accepted; null where the message says all.',
      }),
      actual: t.exposeString('actual', {
        description: 'What was given; null where it is absent or personal.',
      }),
    }),
  });

/** Of the field `warnings` of what a mutation accepted. */
export const warningsDescription =
  'What the rules found unusual about the input, severity WARNING alone: it was sent all the same. Empty when nothing was found, ' +
  'and when the outcome is read later under its idempotency key.';

/** Unions name the class: thrown or returned, it becomes this type. */
builder.objectType(InvalidInputError, {
  name: 'InvalidInput',
  description: 'Nothing was sent, or the service refused the content (400, 422): nothing was done.',
  fields: (t) => ({
    message: t.exposeString('message', { nullable: false, description: 'The problems in one sentence.' }),
    problems: t.field({
      type: [InputProblem],
      nullable: false,
      description: 'All problems at once, errors before warnings, each in the order of the input.',
      extensions: { maxMembers: maxProblems } satisfies UpstreamCallsExtension,
      resolve: ({ problems }) => [...problems],
    }),
  }),
});
