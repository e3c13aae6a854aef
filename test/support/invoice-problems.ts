import { checkInvoice } from '../../src/features/malaysia/check-invoice.ts';
import type { InputProblem } from '../../src/input-problems.ts';
import { anInvoice } from './an-invoice.ts';

/** The problems of an invoice, each as `SEVERITY rule path`. */
export const found = (invoice = anInvoice()) =>
  checkInvoice(invoice).map(({ severity, rule, path }) => `${severity} ${rule} ${path.join('.')}`);

export const first = (invoice: ReturnType<typeof anInvoice>) => checkInvoice(invoice)[0] as InputProblem;
