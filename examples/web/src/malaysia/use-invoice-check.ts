import { useMemo } from 'react';
import { useQuery } from 'urql';
import { CheckMalaysiaInvoiceDocument } from '../graphql/graphql.ts';
import type { Problem } from '../shared/problem.ts';
import { useSettled } from '../shared/use-settled.ts';
import { type InvoiceDraft, inputOf } from './draft.ts';
import { amountProblems } from './problems.ts';

/** Between the last key and the question (ms). */
const typingPauseMs = 250;

/** Asks `checkMalaysiaInvoice` while the invoice is typed; `isPaused` while nothing was typed yet. */
export function useInvoiceCheck(draft: InvoiceDraft, isPaused: boolean) {
  const settled = useSettled(draft, typingPauseMs);
  const variables = useMemo(() => ({ invoice: inputOf(settled) }), [settled]);
  const [{ data, error }] = useQuery({
    query: CheckMalaysiaInvoiceDocument,
    variables,
    pause: isPaused,
  });
  const check = data?.checkMalaysiaInvoice ?? null;
  const badAmounts = useMemo(() => amountProblems(draft), [draft]);
  const problems = useMemo<readonly Problem[]>(
    () => (isPaused ? [] : [...badAmounts, ...(check?.problems ?? [])]),
    [isPaused, badAmounts, check],
  );
  return {
    problems,
    hasBadAmount: badAmounts.length > 0,
    totals: check?.totals ?? null,
    error,
  };
}
