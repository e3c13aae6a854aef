/** `docs/reference/rules.md`: the rule tables, and the text of each rule in all languages. */
import '../src/schema.ts';
import { type CatalogueRow, ruleCatalogue } from '../src/graphql/rule-catalogue.ts';
import { locales, type RuleId, text, write } from '../src/texts/texts.ts';

export function rulesPage(): string {
  const rows = ruleCatalogue();
  const table = (severity: CatalogueRow['severity']) =>
    rows
      .filter((row) => row.severity === severity)
      .map(({ rule, appliesTo }) => `| \`${rule}\` | ${appliesTo} | ${textOf(rule)} |`)
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

## In other languages

\`message(locale: ES)\`, \`MS\` and \`ZH\` return a problem in Spanish, Malay and simplified Chinese, and so do \`expected\` and \`summary\`. Texts of the service are not translated. No native speaker has checked these texts.

| rule | ES | MS | ZH |
| --- | --- | --- | --- |
${rows.map(({ rule }) => `| \`${rule}\` | ${others.map((locale) => textOf(rule, locale)).join(' | ')} |`).join('\n')}
`;
}

const others = locales.filter((locale) => locale !== 'EN');

function textOf(rule: RuleId, locale = locales[0] as (typeof locales)[number]): string {
  return write(text(`rule.${rule}`), locale);
}

const introduction = `# Rules

Generated from the tables that the checks read: \`npm run generate\`. \`InputProblem.rule\` is one of these ids; they are stable. \`gatewayInfo { rules { rule severity appliesTo summary } }\` returns the same rows. A problem may say it more exactly, with the names of its fields.
`;
