/** Checks an imported e-invoice against the rules in docs/service.md. */
import { HttpError, isObject, type JsonObject } from './http.ts';

const docTypes = [
  'invoice',
  'credit_note',
  'debit_note',
  'refund_note',
  'self_billed_invoice',
  'self_billed_credit_note',
  'self_billed_debit_note',
  'self_billed_refund_note',
];

/** Throws a 400 for the first broken rule. Members that the service does not state as required may be absent. */
export function checkedInvoice(invoice: JsonObject) {
  const { docType, docNumber, lines = [], totals = {} } = invoice;
  if (typeof docType !== 'string' || !docTypes.includes(docType)) {
    return refuse(`docType must be one of ${docTypes.join(', ')}.`);
  }
  if (typeof docNumber !== 'string') return refuse('docNumber must be a string.');
  checkReference(docType, invoice['reference']);
  for (const member of ['supplier', 'buyer']) {
    if (invoice[member] !== undefined && !isObject(invoice[member])) refuse(`${member} must be an object.`);
  }
  if (!Array.isArray(lines)) return refuse('lines must be an array.');
  if (!isObject(totals)) return refuse('totals must be an object.');
  for (const [index, line] of lines.entries()) checkLine(line, `lines[${index}]`, docType);
  return { docType, docNumber };
}

function refuse(message: string): never {
  throw new HttpError(400, message);
}

function checkReference(docType: string, reference: unknown): void {
  if (!docType.endsWith('_note')) return;
  const original = isObject(reference) ? reference['originalInvoiceCodeNumber'] : undefined;
  if (typeof original === 'string' && original.trim() !== '') return;
  refuse(`reference.originalInvoiceCodeNumber is required for ${docType}.`);
}

function checkLine(line: unknown, path: string, docType: string): void {
  if (!isObject(line)) refuse(`${path} must be an object.`);
  const { amountExclTax, taxes = [] } = line;
  checkAmount(amountExclTax, `${path}.amountExclTax`, docType);
  if (!Array.isArray(taxes)) refuse(`${path}.taxes must be an array.`);
  for (const [index, tax] of taxes.entries()) checkTax(tax, `${path}.taxes[${index}]`, docType);
}

function checkTax(tax: unknown, path: string, docType: string): void {
  if (!isObject(tax)) refuse(`${path} must be an object.`);
  const { type, amount } = tax;
  if (typeof type !== 'string' || type.trim() === '') refuse(`${path}.type must be a string.`);
  if (type.trim().toUpperCase() === 'SST') {
    refuse(`${path}.type SST is ambiguous; use SALES_TAX or SERVICE_TAX.`);
  }
  checkAmount(amount, `${path}.amount`, docType);
}

/**
 * Sign rules are stated for credit and debit notes only: a refund note may be positive. `totals` is not checked, because
 * the service shows none of its members.
 */
function checkAmount(amount: unknown, path: string, docType: string): void {
  if (typeof amount !== 'number') refuse(`${path} must be a number.`);
  if (docType === 'credit_note' && amount > 0) refuse(`${path} must be negative in a credit_note.`);
  if (docType === 'debit_note' && amount < 0) refuse(`${path} must be positive in a debit_note.`);
}
