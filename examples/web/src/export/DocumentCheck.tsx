import type { ScannedDocument } from '../shared/scanned-documents.ts';

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
      <span>{holder ?? 'No name found'}</span>
      <span className="muted">{fileName}</span>
    </label>
  );
}
