import { useState } from 'react';
import { type InvoiceDraft, newDraft } from './draft.ts';
import type { Tracked } from './tracked.ts';
import { useImport } from './use-import.ts';
import { useInvoiceCheck } from './use-invoice-check.ts';

/** The invoice of the form: typed, checked and imported. */
export function useInvoice(queueId: string, onImported: (documents: readonly Tracked[]) => void) {
  const [draft, setDraft] = useState(newDraft);
  const [isTouched, setTouched] = useState(false);
  const check = useInvoiceCheck(draft, !isTouched);
  const action = useImport(draft, queueId, onImported);

  return {
    draft,
    isTouched,
    check,
    action,
    change(next: InvoiceDraft) {
      setDraft(next);
      setTouched(true);
    },
    /** Sends only amounts that the schema accepts; the gateway checks everything else. */
    importIt() {
      setTouched(true);
      if (!check.hasBadAmount) action.importIt();
    },
  };
}

export type Invoice = ReturnType<typeof useInvoice>;
