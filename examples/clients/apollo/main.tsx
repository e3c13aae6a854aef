/** Apollo Client and React: imports two invoices and shows their states, from the normalised cache. */
import { ApolloProvider, useMutation, useSubscription } from '@apollo/client/react';
import { createSession } from '@folio/client';
import { createApolloClient } from '@folio/client/apollo';
import { ImportMalaysiaInvoicesDocument, MalaysiaStatusesChangedDocument } from '@folio/client/operations';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { invoices } from './invoices.ts';

function LiveList() {
  const [importInvoices, { data }] = useMutation(ImportMalaysiaInvoicesDocument);
  useEffect(() => void importInvoices({ variables: { input: invoices } }), [importInvoices]);
  const documentIds = (data?.importMalaysiaInvoices ?? []).flatMap((outcome) =>
    outcome?.__typename === 'MalaysiaImport' ? outcome.documentId : [],
  );
  const [states, setStates] = useState<Record<string, string>>({});
  useSubscription(MalaysiaStatusesChangedDocument, {
    variables: { documentIds },
    skip: documentIds.length === 0,
    onData({ data: { data } }) {
      const { documentId = '', state = '' } = data?.malaysiaStatusesChanged ?? {};
      setStates((before) => ({ ...before, [documentId]: state }));
    },
  });
  return (
    <ul>
      {documentIds.map((id) => (
        <li key={id}>
          {id}: {states[id]}
        </li>
      ))}
    </ul>
  );
}

createRoot(document.querySelector('#app') as Element).render(
  <ApolloProvider client={createApolloClient('/graphql', createSession('demo', 'demo-token'))}>
    <LiveList />
  </ApolloProvider>,
);
