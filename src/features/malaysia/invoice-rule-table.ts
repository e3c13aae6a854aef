/** The rules of the import. The checks, `gatewayInfo.rules` and docs/reference/rules.md read this table. */
import { createProblem, type InputProblem, type ProblemDetails, type RuleTable } from '../../errors.ts';

const everyNote = 'MalaysiaInvoiceInput: credit, debit and refund notes, normal and self-billed';
const parties = 'MalaysiaPartyInput';
const address = 'MalaysiaAddressInput';

export const invoiceRules = {
  'reference-required': {
    severity: 'ERROR',
    appliesTo: `reference.originalInvoiceCodeNumber of ${everyNote}`,
  },
  'credit-note-negative': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceInput: CREDIT_NOTE' },
  'debit-note-positive': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceInput: DEBIT_NOTE' },
  'tax-type-one': { severity: 'ERROR', appliesTo: 'MalaysiaTaxInput: type and otherType' },
  'tax-type-sst': { severity: 'ERROR', appliesTo: 'MalaysiaTaxInput, and taxes in extra of a line' },
  'value-required': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceDraftInput' },
  'amount-not-decimal': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceDraftInput' },
  'doc-type-unknown': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceDraftInput: docType' },
  'tax-type-unknown': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceDraftInput: type of a tax' },
  'doc-number-empty': { severity: 'WARNING', appliesTo: 'MalaysiaInvoiceInput: docNumber' },
  'lines-empty': { severity: 'WARNING', appliesTo: 'MalaysiaInvoiceInput: lines' },
  'address-recommended': { severity: 'WARNING', appliesTo: `${parties}: address` },
  'contact-recommended': { severity: 'WARNING', appliesTo: `${parties}: contact.telephone` },
  'state-code': { severity: 'WARNING', appliesTo: `${address}: stateCode` },
  postcode: { severity: 'WARNING', appliesTo: `${address}: postcode` },
  'country-code': { severity: 'WARNING', appliesTo: `${address}: country` },
  telephone: { severity: 'WARNING', appliesTo: 'MalaysiaContactInput' },
  'refund-note-negative': { severity: 'WARNING', appliesTo: 'MalaysiaInvoiceInput: REFUND_NOTE' },
  'self-billed-sign': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput: self-billed credit, debit and refund notes',
  },
  'mixed-signs': { severity: 'WARNING', appliesTo: 'MalaysiaInvoiceInput' },
  'credit-note-totals-negative': {
    severity: 'WARNING',
    appliesTo: 'MalaysiaInvoiceInput.totals: CREDIT_NOTE',
  },
  'debit-note-totals-positive': { severity: 'WARNING', appliesTo: 'MalaysiaInvoiceInput.totals: DEBIT_NOTE' },
  'tax-at-lines-only': { severity: 'WARNING', appliesTo: 'MalaysiaInvoiceInput.extra' },
  'extra-names-known-member': { severity: 'WARNING', appliesTo: 'every extra of MalaysiaInvoiceInput' },
  'not-sent-original-missing': {
    severity: 'ERROR',
    appliesTo: 'importMalaysiaInvoices: credit, debit and refund notes, normal and self-billed',
  },
  'more-problems': { severity: 'ERROR', appliesTo: 'MalaysiaInvoiceInput' },
} as const satisfies RuleTable;

export type InvoiceRule = keyof typeof invoiceRules;

/** A problem with the severity of its rule. */
export function problem(rule: InvoiceRule, path: readonly string[], details?: ProblemDetails): InputProblem {
  return createProblem(rule, invoiceRules[rule].severity, path, details);
}
