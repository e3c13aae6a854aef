/** The rules for the XML of a Fapiao. The check, `gatewayInfo.rules` and docs/reference/rules.md read this table. */
import { createProblem, type InputProblem, type ProblemDetails, type RuleTable } from '../../errors.ts';

const appliesTo = 'FapiaoDocumentInput';
const error = { severity: 'ERROR', appliesTo } as const;
const warning = { severity: 'WARNING', appliesTo } as const;

export const xmlRules = {
  'xml-empty': error,
  'xml-encoding': error,
  'xml-doctype': error,
  'xml-malformed': error,
  'xml-too-deep': error,
  'xml-root': error,
  'xml-children': error,
  'xml-further-child': warning,
  'xml-not-checked': warning,
} as const satisfies RuleTable;

export type XmlRule = keyof typeof xmlRules;

/** Creates a problem with the severity of its rule. */
export function xmlProblem(rule: XmlRule, path: readonly string[], details?: ProblemDetails): InputProblem {
  return createProblem(rule, xmlRules[rule].severity, path, details);
}
