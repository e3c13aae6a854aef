import { t } from '../language/language.ts';
import { Badge } from '../shared/Badge.tsx';
import type { Problem } from '../shared/problem.ts';
import { words } from './words.ts';

export function CheckBadge({ problems }: { readonly problems: readonly Problem[] }) {
  const errors = problems.filter(({ severity }) => severity === 'ERROR').length;
  const warnings = problems.length - errors;
  return (
    <span className="row" role="status">
      {errors > 0 && (
        <Badge tone="bad">{errors === 1 ? t(words.oneError) : t(words.errors, { count: errors })}</Badge>
      )}
      {warnings > 0 && (
        <Badge tone="warning">
          {warnings === 1 ? t(words.oneWarning) : t(words.warnings, { count: warnings })}
        </Badge>
      )}
      {problems.length === 0 && <Badge tone="good">{t(words.noProblem)}</Badge>}
    </span>
  );
}
