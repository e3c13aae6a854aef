/** Malaysian e-invoices without problems, except for what a test changes. */
import { checkInvoice } from '../../src/features/malaysia/check-invoice.ts';
import type { MalaysiaInvoice, MalaysiaLine, MalaysiaParty } from '../../src/features/malaysia/invoice.ts';
import type { InputProblem } from '../../src/input-problems.ts';
import { ExactNumber } from '../../src/tools/exact-number.ts';

export function anInvoice(members: Partial<MalaysiaInvoice> = {}): MalaysiaInvoice {
  return {
    docType: 'invoice',
    docNumber: 'INV-1',
    supplier: aParty(),
    buyer: aParty(),
    lines: [aLine('0')],
    ...members,
  };
}

/** A note of any kind, with a reference to its original. */
export function aNote(
  docType: MalaysiaInvoice['docType'],
  members: Partial<MalaysiaInvoice> = {},
): MalaysiaInvoice {
  return anInvoice({ docType, reference: { originalInvoiceCodeNumber: 'INV-0' }, ...members });
}

export function aParty(members: Partial<MalaysiaParty> = {}): MalaysiaParty {
  const address = {
    line1: '1 Jalan Contoh',
    city: 'Kuala Lumpur',
    stateCode: '14',
    postcode: '50000',
    country: 'MYS',
  };
  return { address, contact: { telephone: '+60300000000' }, ...members };
}

/** A line with an amount and the amounts of its taxes. */
export function aLine(amountExclTax: string, ...taxes: string[]): MalaysiaLine {
  return {
    amountExclTax: money(amountExclTax),
    taxes: taxes.map((amount) => ({ type: 'SERVICE_TAX', amount: money(amount) })),
  };
}

export function money(text: string): ExactNumber {
  const number = ExactNumber.parse(text);
  if (number === null) throw new TypeError(`${text} is not a number.`);
  return number;
}

/** The problems of an invoice, each as `SEVERITY rule path`. */
export const found = (invoice = anInvoice()) =>
  checkInvoice(invoice).map(({ severity, rule, path }) => `${severity} ${rule} ${path.join('.')}`);

export const first = (invoice: MalaysiaInvoice) => checkInvoice(invoice)[0] as InputProblem;
