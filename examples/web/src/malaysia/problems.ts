import { createContext, use } from 'react';
import type { Problem } from '../shared/problem.ts';

const none: readonly Problem[] = [];

/** All problems of the invoice in the form. */
export const ProblemsContext = createContext<readonly Problem[]>(none);

/** The problems of one field, found by the gateway's path. */
export function useProblemsAt(path: readonly string[]): readonly Problem[] {
  const problems = use(ProblemsContext);
  const wanted = path.join('/');
  return problems.filter((problem) => problem.path.join('/') === wanted);
}

/** Paths that have a field in the form; problems at other paths are listed next to it. */
const fieldPaths =
  /^invoice\/(docNumber|reference\/originalInvoiceCodeNumber|(supplier|buyer)\/(address(\/\w+)?|contact\/telephone)|lines\/\d+\/(amountExclTax|taxes\/\d+\/amount))$/;

export function isAtField({ path }: Problem): boolean {
  return fieldPaths.test(path.join('/'));
}
