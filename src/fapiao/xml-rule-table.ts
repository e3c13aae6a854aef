/** The rules on a Fapiao's XML, one row each: the check, `gatewayInfo.rules` and docs/reference/rules.md read this table. */
import type { InputProblem, RuleTable } from '../errors.ts';

const appliesTo = 'FapiaoDocumentInput';

export const xmlRules = {
  'xml-empty': { severity: 'ERROR', appliesTo, summary: 'The XML is not empty.' },
  'xml-encoding': {
    severity: 'ERROR',
    appliesTo,
    summary: 'XML given as text, and a file that declares no other encoding, is UTF-8.',
  },
  'xml-doctype': {
    severity: 'ERROR',
    appliesTo,
    summary: 'The XML has no document type, and so declares no entity.',
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
      'The root holds Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo and TaxBureauSignature, once each and in this order.',
  },
  'xml-further-child': {
    severity: 'WARNING',
    appliesTo,
    summary: 'The root holds no other element than its five children.',
  },
  'xml-not-checked': {
    severity: 'WARNING',
    appliesTo: 'FapiaoDocumentInput.file',
    summary: 'A file in another declared encoding than UTF-8 is forwarded without a check of its content.',
  },
} as const satisfies RuleTable;

export type XmlRule = keyof typeof xmlRules;

/** A problem of a rule, as severe as its row says. */
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
