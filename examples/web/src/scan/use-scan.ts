import { fetchWithProgress } from '@folio/client';
import { useState } from 'react';
import { ScanIdentityCardDocument } from '../graphql/graphql.ts';
import { locale } from '../language/language.ts';
import { useScannedDocuments } from '../shared/scanned-documents.ts';
import { useIdempotencyKey } from '../shared/use-idempotency-key.ts';
import { useWrite } from '../shared/use-write.ts';
import { holderOf } from './card.ts';
import { forgetScan, rememberScan } from './pending-scan.ts';

export interface ScanSettings {
  readonly queueId: string;
  readonly handwritten: boolean;
}

/** One scan of one file. `sent`: the part of the file that was sent (0 to 1). */
export function useScan(file: File, settings: ScanSettings) {
  const [sent, setSent] = useState(0);
  const [sentKey, setSentKey] = useState<string | null>(null);
  const [{ fetching, data, error }, mutate] = useWrite(ScanIdentityCardDocument);
  const { add } = useScannedDocuments();
  const { key, take, renew } = useIdempotencyKey(JSON.stringify(settings));
  const outcome = data?.scanIdentityCard;

  /** A picture that was scanned is scanned again on purpose: as another document. */
  const isAgain = sentKey === key && outcome?.__typename === 'ScanResult';

  async function scan() {
    const idempotencyKey = isAgain ? renew() : take();
    setSentKey(idempotencyKey);
    setSent(0);
    rememberScan({ idempotencyKey, fileName: file.name });
    const result = await mutate(
      { input: { file, ...settings, idempotencyKey }, locale: locale() },
      { fetch: fetchWithProgress((sentBytes, totalBytes) => setSent(sentBytes / totalBytes)) },
    );
    // Without a response, a reload can find out what became of it.
    if (!result.error?.networkError) forgetScan(idempotencyKey);
    const scanned = result.data?.scanIdentityCard;
    if (scanned?.__typename !== 'ScanResult') return;
    const { documentId, card } = scanned;
    // Empty when the service sent the card without a document, which is an error next to it.
    if (documentId !== '') add({ documentId, fileName: file.name, holder: holderOf(card) });
  }

  return {
    scan: () => void scan(),
    sent,
    isAgain,
    isScanning: fetching,
    error: fetching ? undefined : error,
    refusal: outcome?.__typename === 'InvalidInput' ? outcome : null,
    result: outcome?.__typename === 'ScanResult' ? outcome : null,
  };
}
