import { t } from '../language/language.ts';
import { Badge } from '../shared/Badge.tsx';
import { localTime } from '../shared/dates.ts';
import { adviceFor, titleOf } from '../shared/failure-words.ts';
import { wordsOf } from '../shared/value-words.ts';
import { words as shared } from '../shared/words.ts';
import { StateSteps } from './StateSteps.tsx';
import { stateWords } from './state-words.ts';
import type { LiveStatus } from './use-live-statuses.ts';
import { WaitBar } from './WaitBar.tsx';
import { words } from './words.ts';

interface LiveDocumentProps {
  readonly documentId: string;
  readonly docNumber: string | null;
  /** undefined: no event has arrived yet. */
  readonly live: LiveStatus | undefined;
}

export function LiveDocument({ documentId, docNumber, live }: LiveDocumentProps) {
  const { status, failure } = live ?? { status: null, failure: null };
  const [tone, word] = status
    ? wordsOf(stateWords, status.state)
    : (['neutral', failure ? words.notWatched : shared.loading] as const);
  const name = docNumber ?? t(shared.document, { id: documentId });
  return (
    <li className="live-document" data-document={documentId}>
      <div className="live-head">
        <span className="live-number">{name}</span>
        {status?.isDelayed && <Badge tone="warning">{t(words.delayed)}</Badge>}
        <Badge tone={tone}>{status?.state === 'UNKNOWN' ? (status.rawState ?? t(word)) : t(word)}</Badge>
      </div>
      <StateSteps state={status?.state ?? null} />
      {status && !status.isFinal && <WaitBar name={name} status={status} />}
      {status?.message != null && <p className="live-message">{status.message}</p>}
      {status?.isDelayed && <p className="live-message">{t(words.lastKnown)}</p>}
      {failure && (
        <p className="live-message problem-error">
          {titleOf(failure)} {adviceFor(failure, false).text} <span lang="en">{failure.message}</span>
        </p>
      )}
      <p className="hint">
        {t(shared.document, { id: documentId })}
        {status && (
          <>
            {t(words.seen)}
            <time dateTime={status.observedAt}>{localTime(status.observedAt)}</time>
          </>
        )}
        {status?.govPortal?.uuid != null && (
          <>
            {t(words.portal)}
            <span className="mono">{status.govPortal.uuid}</span>
          </>
        )}
      </p>
    </li>
  );
}
