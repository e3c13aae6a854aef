import { OutboxProvider } from '@folio/client/react';
import { useCredentials } from '../credentials/credentials.ts';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { OutboxDesk } from './OutboxDesk.tsx';
import { useOutboxState } from './OutboxGate.tsx';
import './outbox.css';
import { t } from '../language/language.ts';
import { words } from './words.ts';

export function OutboxView() {
  const { credentials } = useCredentials();
  const { outbox, open } = useOutboxState();
  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      {outbox ? (
        <OutboxProvider value={outbox}>
          <OutboxDesk />
        </OutboxProvider>
      ) : (
        <Panel title={t(words.nothingKept)}>
          {credentials.apiKey === '' ? (
            <EmptyState title={t(words.whose)}>{t(words.credentialsFirst)}</EmptyState>
          ) : (
            <EmptyState title={t(words.keepHere)}>
              <span className="outbox-question">
                {t(words.othersCanRead)}
                <Button tone="primary" onClick={open}>
                  {t(words.keep)}
                </Button>
              </span>
            </EmptyState>
          )}
        </Panel>
      )}
    </>
  );
}
