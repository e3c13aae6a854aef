import type { ProblemFragment } from '../graphql/graphql.ts';

/** What the caller can correct: the gateway's InputProblem, or one found in the page before anything is sent. */
export type Problem = Pick<ProblemFragment, 'rule' | 'severity' | 'path' | 'message' | 'expected' | 'actual'>;

export function localError(rule: string, path: readonly string[], message: string): Problem {
  return { rule, severity: 'ERROR', path: [...path], message, expected: null, actual: null };
}
