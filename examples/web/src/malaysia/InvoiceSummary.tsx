import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { FieldProblems } from '../shared/FieldProblems.tsx';
import { Panel } from '../shared/Panel.tsx';
import { RefusalNotice } from '../shared/RefusalNotice.tsx';
import { CheckBadge } from './CheckBadge.tsx';
import { ComputedTotals } from './ComputedTotals.tsx';
import { ImportedNotice } from './ImportedNotice.tsx';
import { isAtField } from './problems.ts';
import type { Invoice } from './use-invoice.ts';
import { words } from './words.ts';

/** The result of the check as a whole, and the import with its outcome. */
export function InvoiceSummary({ invoice }: { readonly invoice: Invoice }) {
  const { isTouched, check, action, importIt } = invoice;
  const { problems, totals } = check;
  const { renewKey, isImporting, error, isUncertain, refusal, imported } = action;
  return (
    <Panel title={t(words.checkAndImport)} aside={isTouched && <CheckBadge problems={problems} />}>
      <div className="stack">
        <ComputedTotals totals={totals} />
        <FieldProblems id="invoice-problems" problems={problems.filter((problem) => !isAtField(problem))} />
        {check.error && <ErrorNotice error={check.error} />}
        <div className="import-row">
          <Button tone="primary" isBusy={isImporting} onClick={importIt}>
            {t(words.import)}
          </Button>
          <p className="hint">{t(words.importedOnce)}</p>
        </div>
        {error && <ErrorNotice error={error} isKeyed onRetry={importIt} />}
        {isUncertain && (
          <div className="import-row">
            <Button onClick={renewKey}>{t(words.allowAnother)}</Button>
            <p className="hint">{t(words.onlyAfterCheck)}</p>
          </div>
        )}
        {refusal && <RefusalNotice refusal={refusal} />}
        {imported && (
          <ImportedNotice
            documentId={imported.documentId}
            message={imported.message}
            warnings={imported.warnings}
          />
        )}
      </div>
    </Panel>
  );
}
