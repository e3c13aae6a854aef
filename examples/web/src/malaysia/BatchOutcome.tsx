import { Badge } from '../shared/Badge.tsx';
import { adviceFor, titleOf } from '../shared/failure-words.ts';
import { Warnings } from '../shared/Warnings.tsx';
import type { RowOutcome } from './use-batch.ts';

export function BatchOutcome({ outcome }: { readonly outcome: RowOutcome | undefined }) {
  switch (outcome?.kind) {
    case 'imported':
      return (
        <>
          <Badge tone="good">Imported</Badge> <span className="hint">as {outcome.documentId}</span>
          <Warnings warnings={outcome.warnings} />
        </>
      );
    case 'refused':
      return (
        <>
          <Badge tone="bad">Not accepted</Badge>
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
      return <Badge tone="neutral">Not sent yet</Badge>;
  }
}
