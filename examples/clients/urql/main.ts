/** urql without a framework: imports two invoices and shows their states. */
import { createSession } from '@folio/client';
import { ImportMalaysiaInvoicesDocument, MalaysiaStatusesChangedDocument } from '@folio/client/operations';
import { createUrqlClient } from '@folio/client/urql';
import { invoices } from './invoices.ts';

const client = createUrqlClient('/graphql', createSession('demo', 'demo-token'));
const imported = await client.mutation(ImportMalaysiaInvoicesDocument, { input: invoices }).toPromise();
const documentIds = (imported.data?.importMalaysiaInvoices ?? []).flatMap((outcome) =>
  outcome?.__typename === 'MalaysiaImport' ? outcome.documentId : [],
);

const states = new Map<string, string>();
client
  .subscription(MalaysiaStatusesChangedDocument, { documentIds })
  .subscribe(({ data, error, hasNext }) => {
    // At its end urql repeats the last result.
    if (!hasNext) return;
    const status = data?.malaysiaStatusesChanged;
    if (status) states.set(status.documentId, status.state);
    const lines = [...states].map(([id, state]) => `${id}: ${state}`);
    (document.querySelector('#app') as Element).textContent = error?.message ?? lines.join(', ');
  });
