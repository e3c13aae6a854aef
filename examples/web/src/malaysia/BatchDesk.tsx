import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { TableBox } from '../shared/TableBox.tsx';
import { BatchTableRow } from './BatchTableRow.tsx';
import type { Batch } from './batch-rows.ts';
import type { Tracked } from './tracked.ts';
import { useBatch } from './use-batch.ts';
import { words } from './words.ts';

interface BatchDeskProps {
  readonly batch: Batch;
  readonly queueId: string;
  onImported(documents: readonly Tracked[]): void;
}

export function BatchDesk({ batch, queueId, onImported }: BatchDeskProps) {
  const { outcomes, isImporting, sendableCount, importAll } = useBatch(batch, queueId, onImported);
  const { rows, unusedColumns } = batch;
  if (rows.length === 0) return <EmptyState title={t(words.noRows)}>{t(words.noRowBelow)}</EmptyState>;
  return (
    <>
      {unusedColumns.length > 0 && (
        <p className="hint">{t(words.unusedColumns, { names: unusedColumns.join(', ') })}</p>
      )}
      <TableBox label={t(words.rowsOfBatch)}>
        <thead>
          <tr>
            <th scope="col">{t(words.row)}</th>
            <th scope="col">{t(words.invoice)}</th>
            <th scope="col">{t(words.outcome)}</th>
            <th scope="col" className="batch-amount">
              {t(words.amount)}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BatchTableRow key={row.number} row={row} outcome={outcomes.get(row.number)} />
          ))}
        </tbody>
      </TableBox>
      <div className="row">
        <Button tone="primary" isBusy={isImporting} disabled={sendableCount === 0} onClick={importAll}>
          {sendableCount === 1 ? t(words.importRow) : t(words.importRows, { count: sendableCount })}
        </Button>
        <p className="hint">{t(words.noRowTwice)}</p>
      </div>
    </>
  );
}
