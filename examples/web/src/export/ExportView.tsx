import { useState } from 'react';
import { ExportDocumentsDocument } from '../graphql/graphql.ts';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Panel } from '../shared/Panel.tsx';
import { RefusalNotice } from '../shared/RefusalNotice.tsx';
import { useScannedDocuments } from '../shared/scanned-documents.ts';
import { useWrite } from '../shared/use-write.ts';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { documentIdsOf } from './document-ids.ts';
import { ExportChoice } from './ExportChoice.tsx';
import { ExportedTable } from './ExportedTable.tsx';
import './export.css';
import { locale, t } from '../language/language.ts';
import { words } from './words.ts';

export function ExportView() {
  const { documents } = useScannedDocuments();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState('');
  const [{ fetching, data, error }, mutate] = useWrite(ExportDocumentsDocument);
  const outcome = data?.exportDocuments;

  /** Scanned documents are selected by default. */
  const chosen = documents.map(({ documentId }) => documentId).filter((documentId) => !left.has(documentId));
  const documentIds = [...new Set([...chosen, ...documentIdsOf(typed)])];

  const exportThem = () => void mutate({ input: { documentIds }, locale: locale() });

  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      <div className="stack">
        <Panel title={t(words.which)}>
          <ExportChoice
            documents={documents}
            left={left}
            typed={typed}
            count={documentIds.length}
            isExporting={fetching}
            onLeft={setLeft}
            onTyped={setTyped}
            onExport={exportThem}
          />
        </Panel>
        {error && !fetching && <ErrorNotice error={error} onRetry={exportThem} />}
        {outcome?.__typename === 'InvalidInput' && <RefusalNotice refusal={outcome} />}
        {outcome?.__typename === 'ExportResult' && (
          <ExportedTable csv={outcome.csv} message={outcome.message} warnings={outcome.warnings} />
        )}
      </div>
    </>
  );
}
