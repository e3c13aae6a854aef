import { t } from '../language/language.ts';
import { wordsOf } from '../shared/value-words.ts';
import { words as shared } from '../shared/words.ts';
import { stateWords } from './state-words.ts';
import type { Tracked } from './tracked.ts';
import type { LiveStatus } from './use-live-statuses.ts';
import { words } from './words.ts';

interface LiveNewsProps {
  /** Documents with a final state or a final failure. */
  readonly documents: readonly Tracked[];
  readonly statuses: ReadonlyMap<string, LiveStatus>;
}

/** For screen readers: each document is announced once, when it is finished. */
export function LiveNews({ documents, statuses }: LiveNewsProps) {
  return (
    <ul className="visually-hidden" aria-live="polite" aria-label={t(words.finished)}>
      {documents.map(({ documentId, docNumber }) => {
        const state = statuses.get(documentId)?.status?.state ?? 'UNKNOWN';
        return (
          <li key={documentId}>
            {docNumber ?? t(shared.document, { id: documentId })}: {t(wordsOf(stateWords, state)[1])}
          </li>
        );
      })}
    </ul>
  );
}
