import { t } from '../language/language.ts';
import type { Problem } from '../shared/problem.ts';
import { Warnings } from '../shared/Warnings.tsx';
import { words } from './words.ts';

interface AcknowledgementProps {
  readonly requestId: string;
  readonly message: string;
  readonly warnings: readonly Problem[];
}

export function Acknowledgement({ requestId, message, warnings }: AcknowledgementProps) {
  return (
    <div className="notice notice-good" role="status">
      <p className="notice-title">{t(words.accepted)}</p>
      {message !== '' && <p>{message}</p>}
      <Warnings warnings={warnings} />
      <dl className="facts">
        <div>
          <dt>{t(words.request)}</dt>
          <dd className="mono">{requestId}</dd>
        </div>
      </dl>
      <p className="hint">{t(words.keepId)}</p>
    </div>
  );
}
