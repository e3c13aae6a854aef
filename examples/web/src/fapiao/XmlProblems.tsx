import type { RefusedFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { words } from './words.ts';
import { positionIn, type XmlPosition } from './xml-position.ts';

interface XmlProblemsProps {
  readonly refusal: RefusedFragment;
  onGoTo(position: XmlPosition): void;
}

/** Problems of XML that was not sent; each links to its position in the text. */
export function XmlProblems({ refusal, onGoTo }: XmlProblemsProps) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">{t(words.invalid)}</p>
      <ul className="xml-problems">
        {refusal.problems.map(({ rule, message, expected, actual }) => {
          const position = positionIn(message);
          return (
            <li key={rule}>
              <p>{message}</p>
              {expected !== null && <p className="hint">{t(words.expected, { expected })}</p>}
              {actual !== null && <p className="hint">{t(words.found, { actual })}</p>}
              {position && <Button onClick={() => onGoTo(position)}>{t(words.goTo, { ...position })}</Button>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
