import { OutboxFullError } from '@folio/client/outbox';
import { useOutbox } from '@folio/client/react';
import { useEffect, useState } from 'react';
import { KeepScanDocument } from '../graphql/graphql.ts';
import { locale, t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { Badge } from '../shared/Badge.tsx';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { useScannedDocuments } from '../shared/scanned-documents.ts';
import { KeptScan } from './KeptScan.tsx';
import { useOnline } from './use-online.ts';
import { words } from './words.ts';

const queueId = '7';

export function OutboxDesk() {
  const { actions, add, clear } = useOutbox();
  const { documents, add: addDocument } = useScannedDocuments();
  const isOnline = useOnline();
  const [failure, setFailure] = useState<Text | null>(null);
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
    const variables = { input: { file, queueId }, locale: locale() };
    add(KeepScanDocument, variables, { title: file.name }).catch((error) =>
      setFailure(error instanceof OutboxFullError ? words.full : words.notKept),
    );
  }

  return (
    <div className="stack">
      <Panel
        title={t(words.ofCards)}
        aside={
          <Badge tone={isOnline ? 'good' : 'warning'}>{t(isOnline ? words.online : words.offline)}</Badge>
        }
      >
        <FileDrop label={t(words.choose)} accept="image/*,application/pdf" isMultiple onFile={keep}>
          {t(words.orDrop)}
        </FileDrop>
        {failure && (
          <p className="problem problem-error" role="alert">
            {t(failure)}
          </p>
        )}
      </Panel>
      <Panel
        title={t(words.keptHere)}
        aside={
          <span className="outbox-aside">
            <span className="hint" role="status">
              {t(words.progress, { done, all: actions.length })}
            </span>
            <Button tone="quiet" disabled={actions.length === 0} onClick={() => void clear()}>
              {t(words.deleteAll)}
            </Button>
          </span>
        }
      >
        {actions.length === 0 ? (
          <EmptyState title={t(words.none)}>{t(words.chooseSome)}</EmptyState>
        ) : (
          <ol className="outbox-list" aria-label={t(words.pictures)}>
            {actions.map((action) => (
              <KeptScan key={action.id} action={action} />
            ))}
          </ol>
        )}
      </Panel>
    </div>
  );
}
