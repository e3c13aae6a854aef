/** The rules of all features, of which each registers its table, and those of the service. */
import { createProblem, type InputProblem, type ProblemDetails } from '../input-problems.ts';
import type { RuleId } from '../texts/texts.ts';

/** One row of a table. Its text is in `texts/`. */
export interface CatalogueRow {
  readonly rule: RuleId;
  readonly severity: InputProblem['severity'];
  /** The schema elements that the rule checks. */
  readonly appliesTo: string;
}

const rows: CatalogueRow[] = [];

/**
 * Adds a table of rules, and returns a function that creates a problem with the severity of its rule. Throws when two tables
 * have the same rule id.
 */
export function registerRules<Rule extends RuleId>(
  table: Readonly<Record<Rule, Omit<CatalogueRow, 'rule'>>>,
) {
  for (const rule of Object.keys(table) as Rule[]) {
    if (rows.some((known) => known.rule === rule)) throw new TypeError(`The rule ${rule} is in two tables.`);
    rows.push({ rule, ...table[rule] });
  }
  return (rule: Rule, path: readonly string[], details?: ProblemDetails): InputProblem =>
    createProblem(rule, table[rule].severity, path, details);
}

// The rules of the service itself: any mutation can return their problems.
registerRules({
  'refused-by-service': {
    severity: 'ERROR',
    appliesTo: 'every mutation: one problem for each reason that the service gives (400 or 422)',
  },
  'reported-by-service': {
    severity: 'WARNING',
    appliesTo:
      'every mutation: what the service reports together with a result, and rows and cells that an export lacks',
  },
});

/** All rules: errors before warnings, both by id, by code units so that the order does not depend on the locale. */
export function ruleCatalogue(): CatalogueRow[] {
  const place = ({ severity, rule }: CatalogueRow) => `${severity} ${rule}`;
  return rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}
