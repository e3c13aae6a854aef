import { useCallback, useState } from 'react';
import { TextField } from '../shared/TextField.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { BatchPanel } from './BatchPanel.tsx';
import { InvoicePanel } from './InvoicePanel.tsx';
import { LivePanel } from './LivePanel.tsx';
import { Tabs } from './Tabs.tsx';
import { type Tracked, withTracked } from './tracked.ts';
import './malaysia.css';

export function MalaysiaView() {
  const [queueId, setQueueId] = useState('42');
  const [tracked, setTracked] = useState<readonly Tracked[]>([]);
  const track = useCallback(
    (added: readonly Tracked[]) => setTracked((before) => withTracked(before, added)),
    [],
  );

  return (
    <>
      <ViewHeader title="Malaysia: e-invoices">
        Checked while you type, imported once, and followed to the tax portal’s decision.
      </ViewHeader>
      <div className="malaysia-desk">
        <div className="stack">
          <div className="malaysia-queue">
            <TextField label="Queue" value={queueId} isRequired onChange={setQueueId} />
          </div>
          <Tabs
            tabs={[
              { name: 'One invoice', content: <InvoicePanel queueId={queueId} onImported={track} /> },
              { name: 'Batch from CSV', content: <BatchPanel queueId={queueId} onImported={track} /> },
            ]}
          />
        </div>
        <LivePanel tracked={tracked} onTrack={track} onKeep={setTracked} />
      </div>
    </>
  );
}
