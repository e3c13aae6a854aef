import { t } from '../language/language.ts';
import type { Problem } from './problem.ts';
import { words } from './words.ts';

/** Problems in a notice, each with the actual value. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ul className="notice-problems">
      {problems.map(({ rule, severity, path, message, actual }) => (
        <li key={[rule, ...path].join('/')}>
          {severity === 'WARNING' && t(words.warning)}
          {message}
          {actual !== null && t(words.found, { actual })}
        </li>
      ))}
    </ul>
  );
}
