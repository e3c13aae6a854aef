/** Relay without a framework: imports two invoices and shows their states. Sends hashes only. */
import { createSession } from '@folio/client';
import { createEnvironment } from '@folio/client/relay';
import { commitMutation, requestSubscription } from 'relay-runtime';
import importInvoices, {
  type operationsImportMutation,
} from './__generated__/operationsImportMutation.graphql.ts';
import watch, {
  type operationsWatchSubscription,
} from './__generated__/operationsWatchSubscription.graphql.ts';
import { invoices } from './invoices.ts';

const environment = createEnvironment('/graphql', createSession('demo', 'demo-token'));
const states = new Map<string, string>();

function show(data: operationsWatchSubscription['response'] | null | undefined): void {
  if (data) states.set(data.malaysiaStatusesChanged.documentId, data.malaysiaStatusesChanged.state);
  const lines = [...states].map(([id, state]) => `${id}: ${state}`);
  (document.querySelector('#app') as Element).textContent = lines.join(', ');
}

commitMutation<operationsImportMutation>(environment, {
  mutation: importInvoices,
  variables: { input: invoices },
  onCompleted({ importMalaysiaInvoices: outcomes }) {
    const documentIds = (outcomes ?? []).flatMap((outcome) =>
      outcome?.__typename === 'MalaysiaImport' ? outcome.documentId : [],
    );
    requestSubscription<operationsWatchSubscription>(environment, {
      subscription: watch,
      variables: { documentIds },
      onNext: show,
    });
  },
});
