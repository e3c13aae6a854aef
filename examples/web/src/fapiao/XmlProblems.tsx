import type { RefusedFragment } from '../graphql/graphql.ts';
import { Button } from '../shared/Button.tsx';
import { positionIn, type XmlPosition } from './xml-position.ts';

interface XmlProblemsProps {
  readonly refusal: RefusedFragment;
  onGoTo(position: XmlPosition): void;
}

/** Problems of XML that was not sent; each links to its position in the text. */
export function XmlProblems({ refusal, onGoTo }: XmlProblemsProps) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">{refusal.message}</p>
      <ul className="xml-problems">
        {refusal.problems.map(({ rule, message, expected, actual }) => {
          const position = positionIn(message);
          return (
            <li key={rule}>
              <p>{message}</p>
              {expected !== null && <p className="hint">Expected: {expected}</p>}
              {actual !== null && <p className="hint">Found: {actual}</p>}
              {position && (
                <Button onClick={() => onGoTo(position)}>
                  Go to line {position.line}, column {position.column}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
