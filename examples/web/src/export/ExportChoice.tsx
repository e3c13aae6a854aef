import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { EmptyState } from '../shared/EmptyState.tsx';
import type { ScannedDocument } from '../shared/scanned-documents.ts';
import { TextField } from '../shared/TextField.tsx';
import { DocumentCheck } from './DocumentCheck.tsx';
import { words } from './words.ts';

interface ExportChoiceProps {
  readonly documents: readonly ScannedDocument[];
  /** Ids of scanned documents that are not selected. */
  readonly left: ReadonlySet<string>;
  readonly typed: string;
  readonly count: number;
  readonly isExporting: boolean;
  onLeft(left: ReadonlySet<string>): void;
  onTyped(typed: string): void;
  onExport(): void;
}

export function ExportChoice({
  documents,
  left,
  typed,
  count,
  isExporting,
  onLeft,
  onTyped,
  onExport,
}: ExportChoiceProps) {
  function toggle(documentId: string) {
    const next = new Set(left);
    if (!next.delete(documentId)) next.add(documentId);
    onLeft(next);
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onExport();
      }}
    >
      {documents.length === 0 ? (
        <EmptyState title={t(words.noScanned)}>{t(words.selectHere)}</EmptyState>
      ) : (
        <fieldset className="export-documents">
          <legend>{t(words.scannedHere)}</legend>
          {documents.map((document) => (
            <DocumentCheck
              key={document.documentId}
              document={document}
              isChosen={!left.has(document.documentId)}
              onToggle={() => toggle(document.documentId)}
            />
          ))}
        </fieldset>
      )}
      <div className="export-foot">
        <TextField label={t(words.otherIds)} value={typed} placeholder="5001, 5002" onChange={onTyped} />
        <Button type="submit" tone="primary" isBusy={isExporting} disabled={count === 0}>
          {count === 1 ? t(words.exportOne) : t(words.exportMany, { count })}
        </Button>
      </div>
    </form>
  );
}
