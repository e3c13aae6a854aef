import { useCallback, useEffect, useState } from 'react';
import { TextField } from '../shared/TextField.tsx';
import { useAddress } from '../shared/use-address.ts';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { BatchPanel } from './BatchPanel.tsx';
import { InvoicePanel } from './InvoicePanel.tsx';
import { InvoiceSummary } from './InvoiceSummary.tsx';
import { LivePanel } from './LivePanel.tsx';
import { Tabs } from './Tabs.tsx';
import { type Tracked, withTracked } from './tracked.ts';
import { useInvoice } from './use-invoice.ts';
import './malaysia.css';
import { t } from '../language/language.ts';
import { words as shared } from '../shared/words.ts';
import { words } from './words.ts';

const invoiceTab = 0;

export function MalaysiaView() {
  const [queueId, setQueueId] = useState('42');
  const [tab, setTab] = useState(invoiceTab);
  const { shown, replace } = useAddress('malaysia');
  const [tracked, setTracked] = useState<readonly Tracked[]>(() =>
    shown.split(',').flatMap((documentId) => (documentId === '' ? [] : { documentId, docNumber: null })),
  );
  // Runs again when the view is shown again.
  useEffect(() => replace(tracked.map(({ documentId }) => documentId).join()), [tracked, replace]);
  const track = useCallback(
    (added: readonly Tracked[]) => setTracked((before) => withTracked(before, added)),
    [],
  );
  const invoice = useInvoice(queueId, track);

  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      <div className="malaysia-desk">
        <div className="stack">
          <Tabs
            tabs={[
              { name: t(words.oneInvoice), content: <InvoicePanel invoice={invoice} /> },
              { name: t(words.batchTab), content: <BatchPanel queueId={queueId} onImported={track} /> },
            ]}
            current={tab}
            onChange={setTab}
            aside={<TextField label={t(shared.queue)} value={queueId} isRequired onChange={setQueueId} />}
          />
        </div>
        <div className="malaysia-side">
          {tab === invoiceTab && <InvoiceSummary invoice={invoice} />}
          <LivePanel tracked={tracked} onTrack={track} onKeep={setTracked} />
        </div>
      </div>
    </>
  );
}
