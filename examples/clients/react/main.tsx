/** React with the hooks of the package: imports two invoices and shows their states. */
import { createFolio, createSession } from '@folio/client';
import { FolioProvider, useImport, useLiveStatuses } from '@folio/client/react';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { invoices } from './invoices.ts';

function LiveList() {
  const { run, outcome = [] } = useImport();
  useEffect(() => void run(invoices), [run]);
  const documentIds = outcome.flatMap((one) => (one.kind === 'done' ? one.result.documentId : []));
  const statuses = useLiveStatuses(documentIds);
  return (
    <ul>
      {documentIds.map((id) => (
        <li key={id}>
          {id}: {statuses.get(id)?.state}
        </li>
      ))}
    </ul>
  );
}

const folio = createFolio('/graphql', createSession('demo', 'demo-token'));
createRoot(document.querySelector('#app') as Element).render(
  <FolioProvider value={folio}>
    <LiveList />
  </FolioProvider>,
);
