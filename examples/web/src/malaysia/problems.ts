import { createContext, use } from 'react';
import { localError, type Problem } from '../shared/problem.ts';
import { type InvoiceDraft, isAmount } from './draft.ts';

const none: readonly Problem[] = [];

/** Every problem of the invoice that is being typed. */
export const ProblemsContext = createContext<readonly Problem[]>(none);

/** The problems of one field, by the path that the gateway gives it. */
export function useProblemsAt(path: readonly string[]): readonly Problem[] {
  const problems = use(ProblemsContext);
  const wanted = path.join('/');
  return problems.filter((problem) => problem.path.join('/') === wanted);
}

/** What the page itself has to say: an amount that is none is refused before any rule is looked at. */
export function amountProblems({ lines }: InvoiceDraft): Problem[] {
  return lines.flatMap(({ amountExclTax, taxes }, lineIndex) => {
    const line = ['invoice', 'lines', String(lineIndex)];
    return [
      ...complaint([...line, 'amountExclTax'], amountExclTax),
      ...taxes.flatMap(({ amount }, index) => complaint([...line, 'taxes', String(index), 'amount'], amount)),
    ];
  });
}

function complaint(path: readonly string[], amount: string): Problem[] {
  if (isAmount(amount)) return [];
  const message =
    amount.trim() === '' ? 'An amount is needed.' : 'This is no decimal number such as 1436.50.';
  return [localError('amount', path, message)];
}

/** Paths that stand at a field of the form; a problem anywhere else is listed beside it. */
const fieldPaths =
  /^invoice\/(docNumber|reference\/originalInvoiceCodeNumber|(supplier|buyer)\/(address(\/\w+)?|contact\/telephone)|lines\/\d+\/(amountExclTax|taxes\/\d+\/amount))$/;

export function isAtField({ path }: Problem): boolean {
  return fieldPaths.test(path.join('/'));
}
