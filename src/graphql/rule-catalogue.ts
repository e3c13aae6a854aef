/** The rules of all features. Each feature registers its table when its schema file is imported. */
import type { RuleTable, ValidationRule } from '../errors.ts';
import type { RuleId } from '../texts/texts.ts';

export interface CatalogueRow extends ValidationRule {
  /** The value of `InputProblem.rule`. */
  readonly rule: RuleId;
}

const rows: CatalogueRow[] = [];

/** Adds a table of rules. Throws when two tables have the same rule id. */
export function registerRules(table: RuleTable): void {
  for (const [rule, row] of Object.entries(table) as [RuleId, ValidationRule][]) {
    if (rows.some((known) => known.rule === rule)) throw new TypeError(`The rule ${rule} is in two tables.`);
    rows.push({ rule, ...row });
  }
}

/** All rules: errors before warnings, both by id. */
export function ruleCatalogue(): CatalogueRow[] {
  return rows.toSorted((a, b) => a.severity.localeCompare(b.severity) || a.rule.localeCompare(b.rule));
}
