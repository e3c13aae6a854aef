/** `docs/reference/rules.md`, and the keys by which the example front end translates problems: from the rule tables. */
import '../src/schema.ts';
import { type CatalogueRow, ruleCatalogue } from '../src/graphql/rule-catalogue.ts';

export function rulesPage(): string {
  const rows = ruleCatalogue();
  const table = (severity: CatalogueRow['severity']) =>
    rows
      .filter((row) => row.severity === severity)
      .map(({ rule, appliesTo, summary }) => `| \`${rule}\` | ${appliesTo} | ${summary} |`)
      .join('\n');
  return `${introduction}
## Errors

An ERROR stops the call: nothing is sent, and the mutation returns \`InvalidInput\`.

| rule | applies to | what it says |
| --- | --- | --- |
${table('ERROR')}

## Warnings

A WARNING never stops a call. It is listed after the errors of an \`InvalidInput\`, in \`checkMalaysiaInvoice\`, and in \`warnings\` of what a mutation accepted.

| rule | applies to | what it says |
| --- | --- | --- |
${table('WARNING')}
`;
}

/** A `Record` of a translation is complete when it has these keys. */
export function ruleKeys(): string {
  const entries = ruleCatalogue().map(({ rule, summary }) => `  '${rule}': ${JSON.stringify(summary)},`);
  return `/** Generated from the rule tables (npm run generate): each rule with its English summary. */
export const ruleSummaries = {
${entries.join('\n')}
} as const;

/** The keys of a translation. */
export type Rule = keyof typeof ruleSummaries;
`;
}

const introduction = `# Rules

Generated from the tables that the checks read: \`npm run generate\`. \`InputProblem.rule\` is one of these ids; they are stable. \`gatewayInfo { rules { rule severity appliesTo summary } }\` returns the same rows.
`;
