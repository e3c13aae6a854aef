import { stateWords } from './state-words.ts';
import type { Tracked } from './tracked.ts';
import type { LiveStatus } from './use-live-statuses.ts';

interface LiveNewsProps {
  /** Documents with a final state or a final failure. */
  readonly documents: readonly Tracked[];
  readonly statuses: ReadonlyMap<string, LiveStatus>;
}

/** For screen readers: each document is announced once, when it is finished. */
export function LiveNews({ documents, statuses }: LiveNewsProps) {
  return (
    <ul className="visually-hidden" aria-live="polite" aria-label="Finished documents">
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
