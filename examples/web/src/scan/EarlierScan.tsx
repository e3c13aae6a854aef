import { useEffect } from 'react';
import { useQuery } from 'urql';
import { useCredentials } from '../credentials/credentials.ts';
import { ScanOutcomeDocument } from '../graphql/graphql.ts';
import { locale, t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { Button } from '../shared/Button.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Panel } from '../shared/Panel.tsx';
import { useScannedDocuments } from '../shared/scanned-documents.ts';
import { Warnings } from '../shared/Warnings.tsx';
import { holderOf } from './card.ts';
import { FieldList } from './FieldList.tsx';
import { forgetScan, type PendingScan } from './pending-scan.ts';
import { words } from './words.ts';

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
    variables: { idempotencyKey, locale: locale() },
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
    <Panel
      title={t(words.scanOf, { file: fileName })}
      aside={<Button onClick={close}>{t(words.close)}</Button>}
    >
      {error && <ErrorNotice error={error} isKeyed onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {result ? (
        <>
          <p className="hint">{t(words.doneBefore, { id: result.documentId })}</p>
          <Warnings warnings={result.warnings} />
          <FieldList fields={result.card.fields} canLight={false} litKey={null} onLight={() => {}} />
        </>
      ) : (
        <p aria-live="polite">{t(isPaused ? words.enterCredentials : wordsOf(outcome?.state, data))}</p>
      )}
    </Panel>
  );
}

function wordsOf(state: string | undefined, data: object | undefined): Text {
  if (data === undefined) return words.asking;
  if (state === 'IN_PROGRESS') return words.reading;
  return state === undefined ? words.chooseAgain : words.checkFile;
}
