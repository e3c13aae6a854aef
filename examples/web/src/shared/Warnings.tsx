import { t } from '../language/language.ts';
import { ProblemList } from './ProblemList.tsx';
import type { Problem } from './problem.ts';
import { words } from './words.ts';

/** The warnings of an input that was accepted. */
export function Warnings({ warnings }: { readonly warnings: readonly Problem[] }) {
  if (warnings.length === 0) return null;
  return (
    <>
      <p>{warnings.length === 1 ? t(words.oneWarning) : t(words.warnings, { count: warnings.length })}</p>
      <ProblemList problems={warnings} />
    </>
  );
}
