/** The rules for the XML of a Fapiao. The check, `gatewayInfo.rules` and docs/reference/rules.md read this table. */
import { registerRules } from '../../graphql/rule-catalogue.ts';

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
};

export type XmlRule = keyof typeof xmlRules;

export const xmlProblem = registerRules(xmlRules);
