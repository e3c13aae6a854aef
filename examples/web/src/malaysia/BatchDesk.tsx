import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { TableBox } from '../shared/TableBox.tsx';
import { BatchTableRow } from './BatchTableRow.tsx';
import type { Batch } from './batch-rows.ts';
import type { Tracked } from './tracked.ts';
import { useBatch } from './use-batch.ts';

interface BatchDeskProps {
  readonly batch: Batch;
  readonly queueId: string;
  onImported(documents: readonly Tracked[]): void;
}

export function BatchDesk({ batch, queueId, onImported }: BatchDeskProps) {
  const { outcomes, isImporting, sendableCount, importAll } = useBatch(batch, queueId, onImported);
  const { rows, unusedColumns } = batch;
  if (rows.length === 0)
    return <EmptyState title="No rows">The file has no row below the column names.</EmptyState>;
  return (
    <>
      {unusedColumns.length > 0 && <p className="hint">Unused columns: {unusedColumns.join(', ')}.</p>}
      <TableBox label="Rows of the batch">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Invoice</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="batch-amount">
              Amount
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
          {sendableCount === 1 ? 'Import 1 row' : `Import ${sendableCount} rows`}
        </Button>
        <p className="hint">Pressing Import again imports no row twice.</p>
      </div>
    </>
  );
}
