import { useMemo } from 'react';
import { useQuery } from 'urql';
import { CheckMalaysiaInvoiceDraftDocument } from '../graphql/graphql.ts';
import { locale } from '../language/language.ts';
import type { Problem } from '../shared/problem.ts';
import { useSettled } from '../shared/use-settled.ts';
import { hasBadAmount, type InvoiceDraft, inputOf } from './draft.ts';

/** Time between the last key press and the check (ms). */
const typingPauseMs = 250;

/** Sends `checkMalaysiaInvoiceDraft` while the invoice is typed. `isPaused`: nothing has been typed yet. */
export function useInvoiceCheck(draft: InvoiceDraft, isPaused: boolean) {
  const settled = useSettled(draft, typingPauseMs);
  const language = locale();
  const variables = useMemo(() => ({ invoice: inputOf(settled), locale: language }), [settled, language]);
  const [{ data, error }] = useQuery({
    query: CheckMalaysiaInvoiceDraftDocument,
    variables,
    pause: isPaused,
  });
  const check = data?.checkMalaysiaInvoiceDraft ?? null;
  const problems = useMemo<readonly Problem[]>(
    () => (isPaused ? [] : (check?.problems ?? [])),
    [isPaused, check],
  );
  return {
    problems,
    hasBadAmount: hasBadAmount(draft),
    totals: check?.totals ?? null,
    error,
  };
}
