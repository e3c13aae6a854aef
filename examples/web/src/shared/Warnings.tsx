import { ProblemList } from './ProblemList.tsx';
import type { Problem } from './problem.ts';

/** The warnings of an input that was accepted. */
export function Warnings({ warnings }: { readonly warnings: readonly Problem[] }) {
  if (warnings.length === 0) return null;
  return (
    <>
      <p>
        {warnings.length === 1 ? 'Accepted with one warning:' : `Accepted with ${warnings.length} warnings:`}
      </p>
      <ProblemList problems={warnings} />
    </>
  );
}
