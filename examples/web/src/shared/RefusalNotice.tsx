import type { RefusedFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { ProblemList } from './ProblemList.tsx';
import { words } from './words.ts';

/** An `InvalidInput`: nothing was done. Lists all problems. */
export function RefusalNotice({ refusal }: { readonly refusal: RefusedFragment }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">{t(words.notAccepted)}</p>
      <ProblemList problems={refusal.problems} />
    </div>
  );
}
