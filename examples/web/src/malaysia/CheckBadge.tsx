import { Badge } from '../shared/Badge.tsx';
import type { Problem } from '../shared/problem.ts';

export function CheckBadge({ problems }: { readonly problems: readonly Problem[] }) {
  const errors = problems.filter(({ severity }) => severity === 'ERROR').length;
  const warnings = problems.length - errors;
  return (
    <span className="row" role="status">
      {errors > 0 && <Badge tone="bad">{errors === 1 ? '1 error' : `${errors} errors`}</Badge>}
      {warnings > 0 && <Badge tone="warning">{warnings === 1 ? '1 warning' : `${warnings} warnings`}</Badge>}
      {problems.length === 0 && <Badge tone="good">No problem</Badge>}
    </span>
  );
}
