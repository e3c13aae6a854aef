import { useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { Panel } from '../shared/Panel.tsx';
import { type InvoiceDraft, newDraft } from './draft.ts';
import { InvoiceForm } from './InvoiceForm.tsx';
import { InvoiceSummary } from './InvoiceSummary.tsx';
import { ProblemsContext } from './problems.ts';
import { sampleDraft } from './samples.ts';
import type { Tracked } from './tracked.ts';
import { useImport } from './use-import.ts';
import { useInvoiceCheck } from './use-invoice-check.ts';

interface InvoicePanelProps {
  readonly queueId: string;
  onImported(documents: readonly Tracked[]): void;
}

export function InvoicePanel({ queueId, onImported }: InvoicePanelProps) {
  const [draft, setDraft] = useState(newDraft);
  const [isTouched, setTouched] = useState(false);
  const check = useInvoiceCheck(draft, !isTouched);
  const action = useImport(draft, queueId, onImported);

  function change(next: InvoiceDraft) {
    setDraft(next);
    setTouched(true);
  }

  return (
    <ProblemsContext value={check.problems}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setTouched(true);
          if (!check.problems.some(({ rule }) => rule === 'amount')) action.importIt();
        }}
      >
        <Panel
          title="Invoice"
          aside={
            <div className="row">
              <Button tone="quiet" onClick={() => change(newDraft())}>
                Empty
              </Button>
              <Button onClick={() => change(sampleDraft())}>Fill in a sample</Button>
            </div>
          }
        >
          <InvoiceForm draft={draft} onChange={change} />
        </Panel>
        <InvoiceSummary check={check} action={action} isTouched={isTouched} />
      </form>
    </ProblemsContext>
  );
}
