/** The rules for the XML of a Fapiao. The check, `gatewayInfo.rules` and docs/reference/rules.md read this table. */
import type { InputProblem, RuleTable } from '../../errors.ts';

const appliesTo = 'FapiaoDocumentInput';

export const xmlRules = {
  'xml-empty': { severity: 'ERROR', appliesTo, summary: 'The XML is not empty.' },
  'xml-encoding': {
    severity: 'ERROR',
    appliesTo,
    summary: 'The XML is UTF-8, unless it is a file that declares another encoding.',
  },
  'xml-doctype': {
    severity: 'ERROR',
    appliesTo,
    summary: 'The XML has no DOCTYPE, and therefore no entities.',
  },
  'xml-malformed': { severity: 'ERROR', appliesTo, summary: 'The XML is well-formed.' },
  'xml-too-deep': { severity: 'ERROR', appliesTo, summary: 'Elements are nested at most 64 levels deep.' },
  'xml-root': {
    severity: 'ERROR',
    appliesTo,
    summary: 'The root element is EInvoice, with any namespace prefix.',
  },
  'xml-children': {
    severity: 'ERROR',
    appliesTo,
    summary:
      'The root contains Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo and TaxBureauSignature, once each and in this order.',
  },
  'xml-further-child': {
    severity: 'WARNING',
    appliesTo,
    summary: 'The root contains no elements other than its five children.',
  },
  'xml-not-checked': {
    severity: 'WARNING',
    appliesTo,
    summary:
      'XML that declares an encoding other than UTF-8 is forwarded: a file without a check of its content, text as UTF-8.',
  },
} as const satisfies RuleTable;

export type XmlRule = keyof typeof xmlRules;

/** Creates a problem with the severity of its rule. */
export function xmlProblem(
  rule: XmlRule,
  path: readonly string[],
  message: string,
  { expected, actual }: { expected?: string; actual?: string } = {},
): InputProblem {
  const { severity } = xmlRules[rule];
  return {
    ...{ rule, severity, path, message },
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  };
}
