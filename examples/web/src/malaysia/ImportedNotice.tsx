import type { Problem } from '../shared/problem.ts';
import { Warnings } from '../shared/Warnings.tsx';

interface ImportedNoticeProps {
  readonly documentId: string;
  readonly message: string;
  readonly warnings: readonly Problem[];
}

export function ImportedNotice({ documentId, message, warnings }: ImportedNoticeProps) {
  return (
    <div className="notice notice-good" role="status">
      <p className="notice-title">Imported as document {documentId}</p>
      {message !== '' && <p>{message}</p>}
      <Warnings warnings={warnings} />
      <p className="hint">
        The service processes it: see its live status. Pressing Import again returns this import.
      </p>
    </div>
  );
}
