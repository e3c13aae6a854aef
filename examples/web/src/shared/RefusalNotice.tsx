import type { RefusedFragment } from '../graphql/graphql.ts';
import { ProblemList } from './ProblemList.tsx';

/** An `InvalidInput`: nothing was done. Lists all problems. */
export function RefusalNotice({ refusal }: { readonly refusal: RefusedFragment }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">Not accepted: nothing was done</p>
      <p>{refusal.message}</p>
      <ProblemList problems={refusal.problems} />
    </div>
  );
}
