import { t } from '../language/language.ts';
import type { Problem } from './problem.ts';
import { words } from './words.ts';

interface FieldProblemsProps {
  readonly id: string;
  readonly problems: readonly Problem[];
}

/** The problems of one field, shown below it. */
export function FieldProblems({ id, problems }: FieldProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className="problems">
      {problems.map(({ rule, severity, message }) => (
        <li key={rule} className={severity === 'ERROR' ? 'problem problem-error' : 'problem problem-warning'}>
          <span className="visually-hidden">{t(severity === 'ERROR' ? words.error : words.warning)}</span>
          {message}
        </li>
      ))}
    </ul>
  );
}
