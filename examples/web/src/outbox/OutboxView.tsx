import { OutboxProvider } from '@folio/client/react';
import { useCredentials } from '../credentials/credentials.ts';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { OutboxDesk } from './OutboxDesk.tsx';
import { useOutboxState } from './OutboxGate.tsx';
import './outbox.css';

export function OutboxView() {
  const { credentials } = useCredentials();
  const { outbox, open } = useOutboxState();
  return (
    <>
      <ViewHeader title="Scan without a network">
        Pictures are kept on this device, and sent one after the other when there is a network. Each is
        scanned once.
      </ViewHeader>
      {outbox ? (
        <OutboxProvider value={outbox}>
          <OutboxDesk />
        </OutboxProvider>
      ) : (
        <Panel title="Nothing is kept on this device">
          {credentials.apiKey === '' ? (
            <EmptyState title="Whose pictures?">Enter the credentials first.</EmptyState>
          ) : (
            <EmptyState title="Keep pictures here until they are scanned?">
              <span className="outbox-question">
                Others who use this profile of the browser can read them.
                <Button tone="primary" onClick={open}>
                  Keep pictures on this device
                </Button>
              </span>
            </EmptyState>
          )}
        </Panel>
      )}
    </>
  );
}
