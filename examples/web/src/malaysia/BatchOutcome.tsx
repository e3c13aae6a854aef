import { t } from '../language/language.ts';
import { Badge } from '../shared/Badge.tsx';
import { adviceFor, titleOf } from '../shared/failure-words.ts';
import { Warnings } from '../shared/Warnings.tsx';
import type { RowOutcome } from './use-batch.ts';
import { words } from './words.ts';

export function BatchOutcome({ outcome }: { readonly outcome: RowOutcome | undefined }) {
  switch (outcome?.kind) {
    case 'imported':
      return (
        <>
          <Badge tone="good">{t(words.imported)}</Badge>{' '}
          <span className="hint">{t(words.asDocument, { id: outcome.documentId })}</span>
          <Warnings warnings={outcome.warnings} />
        </>
      );
    case 'refused':
      return (
        <>
          <Badge tone="bad">{t(words.notAccepted)}</Badge>
          <ul className="problems">
            {outcome.problems
              .filter(({ severity }) => severity === 'ERROR')
              .map(({ rule, path, message }) => (
                <li key={[rule, ...path].join('/')} className="problem">
                  {message}
                </li>
              ))}
          </ul>
        </>
      );
    case 'failed':
      return (
        <>
          <Badge tone="bad">{titleOf(outcome.failure)}</Badge>
          <p className="problem">{adviceFor(outcome.failure, true).text}</p>
        </>
      );
    default:
      return <Badge tone="neutral">{t(words.notSentYet)}</Badge>;
  }
}
