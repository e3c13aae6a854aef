/** What is wrong with an input: the problems of an `InvalidInputError`, and warnings. */
import { type LocalizedText, type RuleId, text, write } from './texts/texts.ts';

/** Most problems reported for one input. */
export const maxProblems = 200;
/** Memory of a problem, measured (bytes). */
export const problemBytes = 320;

export interface InputProblem {
  /** Stable, kebab-case, e.g. `credit-note-negative`. */
  readonly rule: string;
  readonly severity: 'ERROR' | 'WARNING';
  /** Path in the field's arguments, e.g. `['invoice', 'lines', '2', 'amountExclTax']`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** `message` and `expected` for other languages. Undefined for the service's own words, and for data. */
  readonly text?: LocalizedText | undefined;
  readonly expectedText?: LocalizedText | undefined;
}

/** The words of a problem. `messageText`: default the text of its rule. `expected`: a text, or data such as a word of the interface. */
export interface ProblemDetails {
  readonly messageText?: LocalizedText;
  readonly expected?: LocalizedText | string | undefined;
  readonly actual?: string | undefined;
}

export function hasErrors(problems: readonly InputProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'ERROR');
}

export function createProblem(
  rule: RuleId,
  severity: InputProblem['severity'],
  path: readonly string[],
  { messageText = text(`rule.${rule}`), expected, actual }: ProblemDetails = {},
): InputProblem {
  const words = typeof expected === 'object' ? write(expected, 'EN') : expected;
  const expectedText = typeof expected === 'object' ? expected : undefined;
  const message = write(messageText, 'EN');
  return { rule, severity, path, message, expected: words, actual, text: messageText, expectedText };
}
