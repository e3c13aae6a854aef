import { useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { download } from '../shared/download.ts';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { BatchDesk } from './BatchDesk.tsx';
import { type Batch, batchColumns, readBatch } from './batch-rows.ts';
import { largeBatch, sampleBatch } from './samples.ts';
import type { Tracked } from './tracked.ts';

interface BatchPanelProps {
  readonly queueId: string;
  onImported(documents: readonly Tracked[]): void;
}

export function BatchPanel({ queueId, onImported }: BatchPanelProps) {
  const [batch, setBatch] = useState<Batch | null>(null);
  /** Reading a file again starts another batch, with new idempotency keys. */
  const [turn, setTurn] = useState(0);

  function take(csv: string) {
    setBatch(readBatch(csv));
    setTurn(turn + 1);
  }

  return (
    <Panel
      title="Batch"
      aside={
        <div className="row">
          <Button
            tone="quiet"
            onClick={() => download('folio-batch.csv', 'text/csv;charset=utf-8', batchColumns.join(','))}
          >
            Empty file
          </Button>
          <Button onClick={() => take(sampleBatch())}>Use the sample</Button>
          <Button onClick={() => take(largeBatch())}>Use 120 rows</Button>
        </div>
      }
    >
      <div className="stack">
        <FileDrop
          label="Choose a CSV file"
          accept=".csv,text/csv"
          onFile={async (file) => take(await file.text())}
        >
          or drop one here. The first row names the columns; each other row is an invoice with one line.
        </FileDrop>
        {batch && <BatchDesk key={turn} batch={batch} queueId={queueId} onImported={onImported} />}
      </div>
    </Panel>
  );
}
