import type { RefusedFragment } from '../graphql/graphql.ts';
import { ruleText } from './rule-text.ts';

/** An InvalidInput: nothing was done, and every problem is told at once. */
export function RefusalNotice({ refusal }: { readonly refusal: RefusedFragment }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">Not accepted: nothing was done</p>
      <p>{refusal.message}</p>
      <ul className="notice-problems">
        {refusal.problems.map(({ rule, severity, path, message, expected, actual }) => (
          <li key={[rule, ...path].join('/')} title={ruleText(rule)}>
            {severity === 'WARNING' && 'Warning: '}
            {message}
            {expected !== null && ` Expected: ${expected}.`}
            {actual !== null && ` Found: ${actual}.`}
          </li>
        ))}
      </ul>
    </div>
  );
}
