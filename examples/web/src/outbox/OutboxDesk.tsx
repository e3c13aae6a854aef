import { OutboxFullError } from '@folio/client/outbox';
import { useOutbox } from '@folio/client/react';
import { useEffect, useState } from 'react';
import { KeepScanDocument } from '../graphql/graphql.ts';
import { Badge } from '../shared/Badge.tsx';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { useScannedDocuments } from '../shared/scanned-documents.ts';
import { KeptScan } from './KeptScan.tsx';
import { useOnline } from './use-online.ts';

const queueId = '7';

export function OutboxDesk() {
  const { actions, add, clear } = useOutbox();
  const { documents, add: addDocument } = useScannedDocuments();
  const isOnline = useOnline();
  const [failure, setFailure] = useState<string | null>(null);
  const done = actions.filter(({ state }) => state === 'done').length;

  // They can be exported.
  useEffect(() => {
    for (const { title, result } of actions) {
      const { documentId } = result ?? {};
      if (documentId === undefined || documents.some((one) => one.documentId === documentId)) continue;
      addDocument({ documentId, fileName: title, holder: null });
    }
  }, [actions, documents, addDocument]);

  function keep(file: File) {
    setFailure(null);
    add(KeepScanDocument, { input: { file, queueId } }, { title: file.name }).catch((error) =>
      setFailure(error instanceof OutboxFullError ? error.message : 'The picture could not be kept.'),
    );
  }

  return (
    <div className="stack">
      <Panel
        title="Pictures of cards"
        aside={<Badge tone={isOnline ? 'good' : 'warning'}>{isOnline ? 'Online' : 'Offline'}</Badge>}
      >
        <FileDrop label="Choose pictures" accept="image/*,application/pdf" isMultiple onFile={keep}>
          or drop them here. They are kept when the page is closed.
        </FileDrop>
        {failure && (
          <p className="problem problem-error" role="alert">
            {failure}
          </p>
        )}
      </Panel>
      <Panel
        title="Kept on this device"
        aside={
          <span className="outbox-aside">
            <span className="hint" role="status">
              {done} of {actions.length} scanned
            </span>
            <Button tone="quiet" disabled={actions.length === 0} onClick={() => void clear()}>
              Delete all
            </Button>
          </span>
        }
      >
        {actions.length === 0 ? (
          <EmptyState title="No pictures">Choose some, with or without a network.</EmptyState>
        ) : (
          <ol className="outbox-list" aria-label="Pictures">
            {actions.map((action) => (
              <KeptScan key={action.id} action={action} />
            ))}
          </ol>
        )}
      </Panel>
    </div>
  );
}
