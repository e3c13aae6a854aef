import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { Panel } from '../shared/Panel.tsx';
import { newDraft } from './draft.ts';
import { InvoiceForm } from './InvoiceForm.tsx';
import { ProblemsContext } from './problems.ts';
import { sampleDraft } from './samples.ts';
import type { Invoice } from './use-invoice.ts';
import { words } from './words.ts';

export function InvoicePanel({ invoice: { draft, check, change } }: { readonly invoice: Invoice }) {
  return (
    <ProblemsContext value={check.problems}>
      <Panel
        title={t(words.invoice)}
        aside={
          <div className="row">
            <Button tone="quiet" onClick={() => change(newDraft())}>
              {t(words.empty)}
            </Button>
            <Button onClick={() => change(sampleDraft())}>{t(words.fillSample)}</Button>
          </div>
        }
      >
        <InvoiceForm draft={draft} onChange={change} />
      </Panel>
    </ProblemsContext>
  );
}
