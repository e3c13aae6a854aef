import { useMemo } from 'react';
import { useSocketWord } from '../gateway/GatewayProvider.tsx';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ScrollBox } from '../shared/ScrollBox.tsx';
import { LiveDocument } from './LiveDocument.tsx';
import { LiveNews } from './LiveNews.tsx';
import { SocketBadge } from './SocketBadge.tsx';
import type { Tracked } from './tracked.ts';
import { useLiveStatuses } from './use-live-statuses.ts';
import { WatchForm } from './WatchForm.tsx';
import { words } from './words.ts';

interface LivePanelProps {
  readonly tracked: readonly Tracked[];
  onTrack(added: readonly Tracked[]): void;
  /** Replaces the list. */
  onKeep(kept: readonly Tracked[]): void;
}

export function LivePanel({ tracked, onTrack, onKeep }: LivePanelProps) {
  const documentIds = useMemo(() => tracked.map(({ documentId }) => documentId), [tracked]);
  const statuses = useLiveStatuses(documentIds);
  const socket = useSocketWord();
  const isOver = ({ documentId }: Tracked) => {
    const live = statuses.get(documentId);
    return live?.status?.isFinal === true || live?.failure?.retryable === false;
  };
  const overCount = tracked.filter(isOver).length;
  return (
    <Panel
      title={t(words.liveStatus)}
      aside={tracked.length > 0 && <SocketBadge word={socket} isNeeded={overCount < tracked.length} />}
    >
      <div className="stack">
        {socket === 'lost' && <p className="notice notice-warning">{t(words.connectionLost)}</p>}
        {tracked.length === 0 ? (
          <EmptyState title={t(words.noDocuments)}>{t(words.appearHere)}</EmptyState>
        ) : (
          <ScrollBox label={t(words.documents)} className="live-box">
            <ul className="live-list">
              {tracked.map(({ documentId, docNumber }) => (
                <LiveDocument
                  key={documentId}
                  documentId={documentId}
                  docNumber={docNumber}
                  live={statuses.get(documentId)}
                />
              ))}
            </ul>
          </ScrollBox>
        )}
        <LiveNews documents={tracked.filter(isOver)} statuses={statuses} />
        {overCount > 0 && (
          <div>
            <Button onClick={() => onKeep(tracked.filter((document) => !isOver(document)))}>
              {t(words.removeFinished)}
            </Button>
          </div>
        )}
        <WatchForm onWatch={(documentId) => onTrack([{ documentId, docNumber: null }])} />
      </div>
    </Panel>
  );
}
