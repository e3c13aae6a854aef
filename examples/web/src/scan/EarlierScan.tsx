import { useEffect } from 'react';
import { useQuery } from 'urql';
import { useCredentials } from '../credentials/credentials.ts';
import { ScanOutcomeDocument } from '../graphql/graphql.ts';
import { Button } from '../shared/Button.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Panel } from '../shared/Panel.tsx';
import { useScannedDocuments } from '../shared/scanned-documents.ts';
import { holderOf } from './card.ts';
import { FieldList } from './FieldList.tsx';
import { forgetScan, type PendingScan } from './pending-scan.ts';

interface EarlierScanProps {
  readonly scan: PendingScan;
  onClose(): void;
}

const askAgainMs = 1_000;

/** What became of a scan that was sent before the page was reloaded: the file is not sent again. */
export function EarlierScan({ scan: { idempotencyKey, fileName }, onClose }: EarlierScanProps) {
  const { credentials } = useCredentials();
  const { documents, add } = useScannedDocuments();
  const isPaused = credentials.apiKey === '';
  const [{ data, error }, ask] = useQuery({
    query: ScanOutcomeDocument,
    variables: { idempotencyKey },
    pause: isPaused,
  });
  const outcome = data?.writeOutcome;
  const result = outcome?.result?.__typename === 'ScanResult' ? outcome.result : null;

  useEffect(() => {
    if (outcome?.state !== 'IN_PROGRESS') return;
    const timer = setTimeout(() => ask({ requestPolicy: 'network-only' }), askAgainMs);
    return () => clearTimeout(timer);
  }, [outcome, ask]);

  useEffect(() => {
    if (result === null || documents.some(({ documentId }) => documentId === result.documentId)) return;
    forgetScan();
    add({ documentId: result.documentId, fileName, holder: holderOf(result.card) });
  }, [result, documents, add, fileName]);

  const close = () => {
    forgetScan();
    onClose();
  };
  return (
    <Panel title={`The scan of ${fileName}`} aside={<Button onClick={close}>Close</Button>}>
      {error && <ErrorNotice error={error} isKeyed onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {result ? (
        <>
          <p className="hint">It was done before the page was loaded again: document {result.documentId}.</p>
          <FieldList fields={result.card.fields} canLight={false} litKey={null} onLight={() => {}} />
        </>
      ) : (
        <p aria-live="polite">{isPaused ? waitingForCredentials : words(data?.writeOutcome?.state, data)}</p>
      )}
    </Panel>
  );
}

const waitingForCredentials = 'Enter the credentials to see what became of it.';

function words(state: string | undefined, data: object | undefined): string {
  if (data === undefined) return 'Asking the gateway …';
  if (state === 'IN_PROGRESS') return 'The service is reading the card …';
  if (state === undefined) return 'Nothing was done. Choose the file to send it again.';
  return 'It may have been done: check at the service before you send the file again.';
}
