import { t } from '../language/language.ts';
import type { ScannedDocument } from '../shared/scanned-documents.ts';
import { words } from './words.ts';

interface DocumentCheckProps {
  readonly document: ScannedDocument;
  readonly isChosen: boolean;
  onToggle(): void;
}

export function DocumentCheck({
  document: { documentId, fileName, holder },
  isChosen,
  onToggle,
}: DocumentCheckProps) {
  return (
    <label className="export-document">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span className="mono">{documentId}</span>
      <span>{holder ?? t(words.noName)}</span>
      <span className="muted">{fileName}</span>
    </label>
  );
}
