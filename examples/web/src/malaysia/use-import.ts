import { useState } from 'react';
import { failureOf } from '../gateway/failure.ts';
import { ImportMalaysiaInvoiceDocument } from '../graphql/graphql.ts';
import { locale } from '../language/language.ts';
import { useIdempotencyKey } from '../shared/use-idempotency-key.ts';
import { useWrite } from '../shared/use-write.ts';
import { type InvoiceDraft, inputOf } from './draft.ts';
import type { Tracked } from './tracked.ts';

/** Imports the invoice with an idempotency key that depends on the input: pressing the button twice causes one import. */
export function useImport(
  draft: InvoiceDraft,
  queueId: string,
  onImported: (documents: readonly Tracked[]) => void,
) {
  const [{ fetching, data, error }, mutate] = useWrite(ImportMalaysiaInvoiceDocument);
  const invoice = inputOf(draft);
  const { key: idempotencyKey, take, renew } = useIdempotencyKey(JSON.stringify([queueId, invoice]));
  const [sentKey, setSentKey] = useState<string | null>(null);
  /** The outcome of the invoice as it was sent; null when the input has changed since. */
  const outcome = sentKey === idempotencyKey ? data?.importMalaysiaInvoice : null;

  async function importIt() {
    setSentKey(idempotencyKey);
    const result = await mutate({ input: { queueId, invoice, idempotencyKey: take() }, locale: locale() });
    const made = result.data?.importMalaysiaInvoice;
    if (made?.__typename === 'MalaysiaImport') {
      onImported([{ documentId: made.documentId, docNumber: made.docNumber }]);
    }
  }

  return {
    importIt: () => void importIt(),
    idempotencyKey,
    renewKey: () => void renew(),
    isImporting: fetching,
    // Shown even after the input has changed: the import may have been done.
    error: fetching ? undefined : error,
    isUncertain: !fetching && error !== undefined && failureOf(error).sideEffect !== 'NONE',
    refusal: outcome?.__typename === 'InvalidInput' ? outcome : null,
    imported: outcome?.__typename === 'MalaysiaImport' ? outcome : null,
  };
}
