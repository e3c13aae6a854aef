import type { Problem } from './problem.ts';

interface FieldProblemsProps {
  readonly id: string;
  readonly problems: readonly Problem[];
}

/** The problems of one field, shown below it. */
export function FieldProblems({ id, problems }: FieldProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className="problems">
      {problems.map(({ rule, severity, message, expected }) => (
        <li key={rule} className={severity === 'ERROR' ? 'problem problem-error' : 'problem problem-warning'}>
          <span className="visually-hidden">{severity === 'ERROR' ? 'Error: ' : 'Warning: '}</span>
          {message}
          {expected !== null && ` Expected: ${expected}.`}
        </li>
      ))}
    </ul>
  );
}
