/** The rules of the import. The checks, `gatewayInfo.rules` and docs/reference/rules.md are based on this table. */
import type { InputProblem, RuleTable } from '../../errors.ts';

const everyNote = 'MalaysiaInvoiceInput: credit, debit and refund notes, normal and self-billed';
const parties = 'MalaysiaPartyInput';
const address = 'MalaysiaAddressInput';

export const invoiceRules = {
  'reference-required': {
    severity: 'ERROR',
    appliesTo: everyNote,
    summary: 'A note names the docNumber of its original in reference.originalInvoiceCodeNumber.',
  },
  'credit-note-negative': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceInput: CREDIT_NOTE',
    summary: 'No amount of a line or a tax is above 0 in a credit note.',
  },
  'debit-note-positive': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceInput: DEBIT_NOTE',
    summary: 'No amount of a line or a tax is below 0 in a debit note.',
  },
  'tax-type-one': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaTaxInput',
    summary: 'A tax has either a type or an otherType, not both.',
  },
  'tax-type-sst': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaTaxInput, and taxes in extra of a line',
    summary: 'The ambiguous tax type SST is not used, only SALES_TAX or SERVICE_TAX.',
  },
  'value-required': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceDraftInput',
    summary: 'A value that the schema of the import requires is present.',
  },
  'amount-not-decimal': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceDraftInput',
    summary: 'An amount is a decimal number.',
  },
  'doc-type-unknown': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceDraftInput',
    summary: 'A docType is a member of MalaysiaDocType.',
  },
  'tax-type-unknown': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceDraftInput',
    summary: 'The type of a tax is a member of MalaysiaTaxType; any other is an otherType.',
  },
  'doc-number-empty': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput',
    summary: 'A document has a number in the books of its issuer.',
  },
  'lines-empty': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput',
    summary: 'A document has at least one line.',
  },
  'address-recommended': {
    severity: 'WARNING',
    appliesTo: parties,
    summary: 'A party has an address with line1, city, stateCode, postcode and country.',
  },
  'contact-recommended': {
    severity: 'WARNING',
    appliesTo: parties,
    summary: 'A party has a contact with a telephone number.',
  },
  'state-code': {
    severity: 'WARNING',
    appliesTo: address,
    summary: 'A state code is one of 01 to 17, two digits.',
  },
  postcode: {
    severity: 'WARNING',
    appliesTo: address,
    summary: 'A postcode has five digits.',
  },
  'country-code': {
    severity: 'WARNING',
    appliesTo: address,
    summary: 'A country is an ISO 3166-1 alpha-3 code, such as MYS.',
  },
  telephone: {
    severity: 'WARNING',
    appliesTo: 'MalaysiaContactInput',
    summary: 'A telephone number has 8 to 20 digits, optionally after a +.',
  },
  'refund-note-negative': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput: REFUND_NOTE',
    summary: 'No amount of a line or a tax is above 0 in a refund note that reduces its original.',
  },
  'self-billed-sign': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput: self-billed credit, debit and refund notes',
    summary: 'Amounts have the same sign as in the note of this kind that is not self-billed.',
  },
  'mixed-signs': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput',
    summary: 'All amounts of the lines and taxes of one document have the same sign.',
  },
  'credit-note-totals-negative': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput.totals: CREDIT_NOTE',
    summary: 'No amount is above 0 in the totals of a credit note; rates and counts may be.',
  },
  'debit-note-totals-positive': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput.totals: DEBIT_NOTE',
    summary: 'No amount is below 0 in the totals of a debit note; discounts may be.',
  },
  'tax-at-lines-only': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput.extra',
    summary: 'Tax is stated at the lines. The document itself has no taxes.',
  },
  'extra-names-known-member': {
    severity: 'WARNING',
    appliesTo: 'every extra of MalaysiaInvoiceInput',
    summary:
      'extra contains no member that is a field of the schema: its value is sent instead of the field’s.',
  },
  'not-sent-original-missing': {
    severity: 'ERROR',
    appliesTo: 'importMalaysiaInvoices: credit, debit and refund notes, normal and self-billed',
    summary:
      'A note is sent only after its original of the same batch, and not if that was certainly not imported.',
  },
  'more-problems': {
    severity: 'ERROR',
    appliesTo: 'MalaysiaInvoiceInput',
    summary:
      'More than 200 problems were found: this one counts those that are not listed. A WARNING when none of them is an error.',
  },
} as const satisfies RuleTable;

export type InvoiceRule = keyof typeof invoiceRules;

/** A problem with the severity of its rule. */
export function problem(
  rule: InvoiceRule,
  path: readonly string[],
  message: string,
  expected?: string,
  actual?: string,
): InputProblem {
  return { rule, severity: invoiceRules[rule].severity, path, message, expected, actual };
}
