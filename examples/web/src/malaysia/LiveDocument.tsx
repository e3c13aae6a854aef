import { Badge } from '../shared/Badge.tsx';
import { localTime } from '../shared/dates.ts';
import { adviceFor, titleOf } from '../shared/failure-words.ts';
import { StateSteps } from './StateSteps.tsx';
import { stateWords } from './state-words.ts';
import type { LiveStatus } from './use-live-statuses.ts';
import { WaitBar } from './WaitBar.tsx';

interface LiveDocumentProps {
  readonly documentId: string;
  readonly docNumber: string | null;
  /** undefined: no event has arrived yet. */
  readonly live: LiveStatus | undefined;
}

export function LiveDocument({ documentId, docNumber, live }: LiveDocumentProps) {
  const { status, failure } = live ?? { status: null, failure: null };
  const [tone, word] = status
    ? stateWords[status.state]
    : (['neutral', failure ? 'Not watched' : 'Loading …'] as const);
  const name = docNumber ?? `Document ${documentId}`;
  return (
    <li className="live-document" data-document={documentId}>
      <div className="live-head">
        <span className="live-number">{name}</span>
        {status?.isDelayed && <Badge tone="warning">Delayed</Badge>}
        <Badge tone={tone}>{status?.state === 'UNKNOWN' ? (status.rawState ?? word) : word}</Badge>
      </div>
      <StateSteps state={status?.state ?? null} />
      {status && !status.isFinal && <WaitBar name={name} status={status} />}
      {status?.message != null && <p className="live-message">{status.message}</p>}
      {status?.isDelayed && (
        <p className="live-message">The service does not respond at present. This is the last known state.</p>
      )}
      {failure && (
        <p className="live-message problem-error">
          {titleOf(failure)}. {failure.message} {adviceFor(failure, false).text}
        </p>
      )}
      <p className="hint">
        Document {documentId}
        {status && (
          <>
            {' · seen '}
            <time dateTime={status.observedAt}>{localTime(status.observedAt)}</time>
          </>
        )}
        {status?.govPortal?.uuid != null && (
          <>
            {' · portal '}
            <span className="mono">{status.govPortal.uuid}</span>
          </>
        )}
      </p>
    </li>
  );
}
