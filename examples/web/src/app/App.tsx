import { useMemo, useState } from 'react';
import { CredentialsContext, noCredentials } from '../credentials/credentials.ts';
import { GatewayProvider } from '../gateway/GatewayProvider.tsx';
import { useLocale } from '../language/language.ts';
import { OutboxGate } from '../outbox/OutboxGate.tsx';
import { type ScannedDocument, ScannedDocumentsContext, withDocument } from '../shared/scanned-documents.ts';
import { Shell } from './Shell.tsx';

/** What all views share: credentials, the client for them, and the scanned documents. */
export function App() {
  useLocale();
  const [credentials, setCredentials] = useState(noCredentials);
  const [documents, setDocuments] = useState<readonly ScannedDocument[]>([]);
  const credentialsState = useMemo(() => ({ credentials, setCredentials }), [credentials]);
  const scanned = useMemo(
    () => ({
      documents,
      add: (document: ScannedDocument) => setDocuments((before) => withDocument(before, document)),
    }),
    [documents],
  );
  return (
    <CredentialsContext value={credentialsState}>
      <GatewayProvider>
        <ScannedDocumentsContext value={scanned}>
          <OutboxGate>
            <Shell />
          </OutboxGate>
        </ScannedDocumentsContext>
      </GatewayProvider>
    </CredentialsContext>
  );
}
