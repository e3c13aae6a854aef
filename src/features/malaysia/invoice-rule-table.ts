/** The rules of the import. The checks, `gatewayInfo.rules` and docs/reference/rules.md read this table. */
import { registerRules } from '../../graphql/rule-catalogue.ts';

const everyNote = 'MalaysiaInvoiceInput: credit, debit and refund notes, normal and self-billed';
const parties = 'MalaysiaPartyInput';
const address = 'MalaysiaAddressInput';

const error = (appliesTo: string) => ({ severity: 'ERROR', appliesTo }) as const;
const warning = (appliesTo: string) => ({ severity: 'WARNING', appliesTo }) as const;

export const invoiceRules = {
  'reference-required': error(`reference.originalInvoiceCodeNumber of ${everyNote}`),
  'credit-note-negative': error('MalaysiaInvoiceInput: CREDIT_NOTE'),
  'debit-note-positive': error('MalaysiaInvoiceInput: DEBIT_NOTE'),
  'tax-type-one': error('MalaysiaTaxInput: type and otherType'),
  'tax-type-sst': error('MalaysiaTaxInput, and taxes in extra of a line'),
  'value-required': error('MalaysiaInvoiceDraftInput'),
  'amount-not-decimal': error('MalaysiaInvoiceDraftInput'),
  'doc-type-unknown': error('MalaysiaInvoiceDraftInput: docType'),
  'tax-type-unknown': error('MalaysiaInvoiceDraftInput: type of a tax'),
  'doc-number-empty': warning('MalaysiaInvoiceInput: docNumber'),
  'lines-empty': warning('MalaysiaInvoiceInput: lines'),
  'address-recommended': warning(`${parties}: address`),
  'contact-recommended': warning(`${parties}: contact.telephone`),
  'state-code': warning(`${address}: stateCode`),
  postcode: warning(`${address}: postcode`),
  'country-code': warning(`${address}: country`),
  telephone: warning('MalaysiaContactInput'),
  'refund-note-negative': warning('MalaysiaInvoiceInput: REFUND_NOTE'),
  'self-billed-sign': warning('MalaysiaInvoiceInput: self-billed credit, debit and refund notes'),
  'mixed-signs': warning('MalaysiaInvoiceInput'),
  'credit-note-totals-negative': warning('MalaysiaInvoiceInput.totals: CREDIT_NOTE'),
  'debit-note-totals-positive': warning('MalaysiaInvoiceInput.totals: DEBIT_NOTE'),
  'tax-at-lines-only': warning('MalaysiaInvoiceInput.extra'),
  'extra-names-known-member': warning('every extra of MalaysiaInvoiceInput'),
  'not-sent-original-missing': error(
    'importMalaysiaInvoices: credit, debit and refund notes, normal and self-billed',
  ),
  'more-problems': error('MalaysiaInvoiceInput; a WARNING if those that are not listed are all warnings'),
};

export type InvoiceRule = keyof typeof invoiceRules;

export const invoiceProblem = registerRules(invoiceRules);
