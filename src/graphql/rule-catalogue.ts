/** The rules of all features: each registers its table when its schema is imported. */
import type { RuleTable, ValidationRule } from '../errors.ts';

export interface CatalogueRow extends ValidationRule {
  /** As `InputProblem.rule`. */
  readonly rule: string;
}

const rows: CatalogueRow[] = [];

/** Throws where a rule is in two tables: a front end could not tell which one a problem means. */
export function registerRules(table: RuleTable): void {
  for (const [rule, row] of Object.entries(table)) {
    if (rows.some((known) => known.rule === rule)) throw new TypeError(`The rule ${rule} is in two tables.`);
    rows.push({ rule, ...row });
  }
}

/** Errors first, then by id. */
export function ruleCatalogue(): CatalogueRow[] {
  return rows.toSorted((a, b) => a.severity.localeCompare(b.severity) || a.rule.localeCompare(b.rule));
}
