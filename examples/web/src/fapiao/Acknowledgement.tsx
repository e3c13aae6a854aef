import type { Problem } from '../shared/problem.ts';
import { Warnings } from '../shared/Warnings.tsx';

interface AcknowledgementProps {
  readonly requestId: string;
  readonly message: string;
  readonly warnings: readonly Problem[];
}

export function Acknowledgement({ requestId, message, warnings }: AcknowledgementProps) {
  return (
    <div className="notice notice-good" role="status">
      <p className="notice-title">Accepted, not yet processed</p>
      {message !== '' && <p>{message}</p>}
      <Warnings warnings={warnings} />
      <dl className="facts">
        <div>
          <dt>Request</dt>
          <dd className="mono">{requestId}</dd>
        </div>
      </dl>
      <p className="hint">The service has no call that returns the outcome: keep this id to ask for it.</p>
    </div>
  );
}
