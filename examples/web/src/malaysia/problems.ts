import { createContext, use } from 'react';
import type { Problem } from '../shared/problem.ts';

const none: readonly Problem[] = [];

/** Every problem of the invoice that is being typed. */
export const ProblemsContext = createContext<readonly Problem[]>(none);

/** The problems of one field, by the path that the gateway gives it. */
export function useProblemsAt(path: readonly string[]): readonly Problem[] {
  const problems = use(ProblemsContext);
  const wanted = path.join('/');
  return problems.filter((problem) => problem.path.join('/') === wanted);
}

/** Paths that stand at a field of the form; a problem anywhere else is listed beside it. */
const fieldPaths =
  /^invoice\/(docNumber|reference\/originalInvoiceCodeNumber|(supplier|buyer)\/(address(\/\w+)?|contact\/telephone)|lines\/\d+\/(amountExclTax|taxes\/\d+\/amount))$/;

export function isAtField({ path }: Problem): boolean {
  return fieldPaths.test(path.join('/'));
}
