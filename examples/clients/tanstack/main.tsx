/** TanStack Query and React: imports two invoices; each event of the subscription replaces a cached status. */
import { createRequest, createSession, createSocket, createSubscribe } from '@folio/client';
import {
  ImportMalaysiaInvoicesDocument,
  MalaysiaStatusDocument,
  MalaysiaStatusesChangedDocument,
} from '@folio/client/operations';
import { queryOf, watchInto } from '@folio/client/tanstack';
import { QueryClient, useQuery } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { invoices } from './invoices.ts';

const session = createSession('demo', 'demo-token');
const request = createRequest('/graphql', session);
const queries = new QueryClient();

function Status({ documentId }: { readonly documentId: string }) {
  const { data } = useQuery(queryOf(request, MalaysiaStatusDocument, { documentId }), queries);
  return <li>{`${documentId}: ${data?.malaysiaStatus?.state ?? ''}`}</li>;
}

const { data } = await request(ImportMalaysiaInvoicesDocument, { input: invoices });
const documentIds = (data?.importMalaysiaInvoices ?? []).flatMap((outcome) =>
  outcome?.__typename === 'MalaysiaImport' ? outcome.documentId : [],
);
watchInto(queries, createSubscribe(createSocket('/graphql', session).subscribe), {
  subscription: MalaysiaStatusesChangedDocument,
  variables: { documentIds },
  updates: ({ malaysiaStatusesChanged: malaysiaStatus }) => {
    return [MalaysiaStatusDocument, { documentId: malaysiaStatus.documentId }, { malaysiaStatus }];
  },
});
const list = documentIds.map((documentId) => <Status key={documentId} documentId={documentId} />);
createRoot(document.querySelector('#app') as Element).render(<ul>{list}</ul>);
