import { useMutation } from 'urql';
import { ImportMalaysiaInvoiceDocument } from '../graphql/graphql.ts';
import { useIdempotencyKey } from '../shared/use-idempotency-key.ts';
import { type InvoiceDraft, inputOf } from './draft.ts';
import type { Tracked } from './tracked.ts';

/** Imports the invoice under a key that changes with what is typed: pressing twice is one import. */
export function useImport(
  draft: InvoiceDraft,
  queueId: string,
  onImported: (documents: readonly Tracked[]) => void,
) {
  const [{ fetching, data, error }, mutate] = useMutation(ImportMalaysiaInvoiceDocument);
  const invoice = inputOf(draft);
  const { key: idempotencyKey, renew } = useIdempotencyKey(JSON.stringify([queueId, invoice]));
  const outcome = data?.importMalaysiaInvoice;

  async function importIt() {
    const result = await mutate({ input: { queueId, invoice, idempotencyKey } });
    const made = result.data?.importMalaysiaInvoice;
    if (made?.__typename === 'MalaysiaImport')
      onImported([{ documentId: made.documentId, docNumber: made.docNumber }]);
  }

  return {
    importIt: () => void importIt(),
    idempotencyKey,
    renewKey: renew,
    isImporting: fetching,
    error: fetching ? undefined : error,
    refusal: outcome?.__typename === 'InvalidInput' ? outcome : null,
    imported: outcome?.__typename === 'MalaysiaImport' ? outcome : null,
  };
}
