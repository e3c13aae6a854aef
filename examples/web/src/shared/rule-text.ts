import { ruleSummaries } from '../graphql/rules.ts';

/** Describes a rule in the user's language; a translation is another record with the same keys. */
export function ruleText(rule: string): string | undefined {
  const texts: Readonly<Record<string, string>> = ruleSummaries;
  return Object.hasOwn(texts, rule) ? texts[rule] : undefined;
}
