import { useMemo, useState } from 'react';
import { type Credentials, CredentialsContext, noCredentials } from '../credentials/credentials.ts';
import { GatewayProvider } from '../gateway/GatewayProvider.tsx';
import { useLocale } from '../language/language.ts';
import { OutboxGate } from '../outbox/OutboxGate.tsx';
import { forgetScan } from '../scan/pending-scan.ts';
import { type ScannedDocument, ScannedDocumentsContext, withDocument } from '../shared/scanned-documents.ts';
import { Shell } from './Shell.tsx';
import { viewOfHash } from './views.ts';

/** What the page holds of one caller. With another API key nothing of it is left. */
interface Held {
  readonly caller: number;
  readonly documents: readonly ScannedDocument[];
}

/** What all views share: credentials, the client for them, and the scanned documents. */
export function App() {
  useLocale();
  const [credentials, setCredentials] = useState(noCredentials);
  const [held, setHeld] = useState<Held>({ caller: 0, documents: [] });
  const { caller, documents } = held;
  const credentialsState = useMemo(
    () => ({
      credentials,
      setCredentials(next: Credentials) {
        if (credentials.apiKey !== '' && next.apiKey !== credentials.apiKey) {
          forgetScan();
          history.replaceState(null, '', `#/${viewOfHash(window.location.hash)}`);
          setHeld((before) => ({ caller: before.caller + 1, documents: [] }));
        }
        setCredentials(next);
      },
    }),
    [credentials],
  );
  const scanned = useMemo(
    () => ({
      documents,
      // What the former caller has scanned can arrive after the change.
      add: (document: ScannedDocument) =>
        setHeld((before) =>
          before.caller === caller ? { caller, documents: withDocument(before.documents, document) } : before,
        ),
    }),
    [documents, caller],
  );
  return (
    <CredentialsContext value={credentialsState}>
      <GatewayProvider>
        <ScannedDocumentsContext value={scanned}>
          <OutboxGate>
            <Shell caller={caller} />
          </OutboxGate>
        </ScannedDocumentsContext>
      </GatewayProvider>
    </CredentialsContext>
  );
}
