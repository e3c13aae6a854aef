import type { ProblemFragment } from '../graphql/graphql.ts';

/** A problem that the user can correct: the gateway's `InputProblem`, or one that the page found itself. */
export type Problem = Pick<ProblemFragment, 'rule' | 'severity' | 'path' | 'message' | 'expected' | 'actual'>;

export function localError(rule: string, path: readonly string[], message: string): Problem {
  return { rule, severity: 'ERROR', path: [...path], message, expected: null, actual: null };
}
