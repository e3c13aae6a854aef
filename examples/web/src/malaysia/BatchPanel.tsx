import { useState } from 'react';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { download } from '../shared/download.ts';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { words as shared } from '../shared/words.ts';
import { BatchDesk } from './BatchDesk.tsx';
import { type Batch, batchColumns, readBatch } from './batch-rows.ts';
import { largeBatch, sampleBatch } from './samples.ts';
import type { Tracked } from './tracked.ts';
import { words } from './words.ts';

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
      title={t(words.batch)}
      aside={
        <div className="row">
          <Button
            tone="quiet"
            onClick={() => download('folio-batch.csv', 'text/csv;charset=utf-8', batchColumns.join(','))}
          >
            {t(words.emptyFile)}
          </Button>
          <Button onClick={() => take(sampleBatch())}>{t(shared.useSample)}</Button>
          <Button onClick={() => take(largeBatch())}>{t(words.use120)}</Button>
        </div>
      }
    >
      <div className="stack">
        <FileDrop
          label={t(words.chooseCsv)}
          accept=".csv,text/csv"
          onFile={async (file) => take(await file.text())}
        >
          {t(words.orDrop)}
        </FileDrop>
        {batch && <BatchDesk key={turn} batch={batch} queueId={queueId} onImported={onImported} />}
      </div>
    </Panel>
  );
}
