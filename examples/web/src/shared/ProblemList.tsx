import type { Problem } from './problem.ts';

/** Problems in a notice, each with the expected and the actual value. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ul className="notice-problems">
      {problems.map(({ rule, severity, path, message, expected, actual }) => (
        <li key={[rule, ...path].join('/')}>
          {severity === 'WARNING' && 'Warning: '}
          {message}
          {expected !== null && ` Expected: ${expected}.`}
          {actual !== null && ` Found: ${actual}.`}
        </li>
      ))}
    </ul>
  );
}
