import type { LiveStatus } from './follow-document.ts';
import { stateWords } from './state-words.ts';
import type { Tracked } from './tracked.ts';

interface LiveNewsProps {
  /** Those that have come to their end. */
  readonly documents: readonly Tracked[];
  readonly statuses: ReadonlyMap<string, LiveStatus>;
}

/** For screen readers: each end is said once, when it is added. */
export function LiveNews({ documents, statuses }: LiveNewsProps) {
  return (
    <ul className="visually-hidden" aria-live="polite" aria-label="News">
      {documents.map(({ documentId, docNumber }) => {
        const state = statuses.get(documentId)?.status?.state ?? 'UNKNOWN';
        return (
          <li key={documentId}>
            {docNumber ?? `Document ${documentId}`}: {stateWords[state][1]}
          </li>
        );
      })}
    </ul>
  );
}
