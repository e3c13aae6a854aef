import type { Problem } from './problem.ts';
import { ruleText } from './rule-text.ts';

interface FieldProblemsProps {
  readonly id: string;
  readonly problems: readonly Problem[];
  /** Replaces the member's name at the beginning of a message. */
  readonly label?: string;
}

/** The problems of one field, shown below it. */
export function FieldProblems({ id, problems, label }: FieldProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className="problems">
      {problems.map(({ rule, severity, path, message, expected }) => (
        <li
          key={rule}
          title={ruleText(rule)}
          className={severity === 'ERROR' ? 'problem problem-error' : 'problem problem-warning'}
        >
          <span className="visually-hidden">{severity === 'ERROR' ? 'Error: ' : 'Warning: '}</span>
          {withLabel(message, path.at(-1), label)}
          {expected !== null && ` Expected: ${expected}.`}
        </li>
      ))}
    </ul>
  );
}

function withLabel(message: string, member: string | undefined, label: string | undefined): string {
  const isNamed = label !== undefined && member !== undefined && message.startsWith(`${member} `);
  return isNamed ? label + message.slice(member.length) : message;
}
