import { t } from '../language/language.ts';
import type { Problem } from '../shared/problem.ts';
import { Warnings } from '../shared/Warnings.tsx';
import { words } from './words.ts';

interface ImportedNoticeProps {
  readonly documentId: string;
  readonly message: string;
  readonly warnings: readonly Problem[];
}

export function ImportedNotice({ documentId, message, warnings }: ImportedNoticeProps) {
  return (
    <div className="notice notice-good" role="status">
      <p className="notice-title">{t(words.importedAs, { id: documentId })}</p>
      {message !== '' && <p>{message}</p>}
      <Warnings warnings={warnings} />
      <p className="hint">{t(words.seeLive)}</p>
    </div>
  );
}
