import { Button } from '../shared/Button.tsx';
import { Panel } from '../shared/Panel.tsx';
import { newDraft } from './draft.ts';
import { InvoiceForm } from './InvoiceForm.tsx';
import { ProblemsContext } from './problems.ts';
import { sampleDraft } from './samples.ts';
import type { Invoice } from './use-invoice.ts';

export function InvoicePanel({ invoice: { draft, check, change } }: { readonly invoice: Invoice }) {
  return (
    <ProblemsContext value={check.problems}>
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
    </ProblemsContext>
  );
}
