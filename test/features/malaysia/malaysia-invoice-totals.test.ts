/** The computed totals of an invoice. `inputs.test.ts` has the JSON that the service receives. */
import { expect, it } from 'vitest';
import { toWire } from '../../../src/features/malaysia/invoice.ts';
import { computeTotals } from '../../../src/features/malaysia/invoice-totals.ts';
import type { JsonObject } from '../../../src/tools/exact-number.ts';
import { aLine, anInvoice } from '../../support/an-invoice.ts';

it.each<[string, ...ReturnType<typeof aLine>[]]>([
  ['0.3 0.03 0.33', aLine('0.1', '0.01'), aLine('0.2', '0.02')],
  ['9007199254740993.01 0.01 9007199254740993.02', aLine('9007199254740993'), aLine('0.01', '0.01')],
  ['3.50 0.120 3.620', aLine('1.50', '0.120'), aLine('2')],
  ['0.00 0 0.00', aLine('1.50'), aLine('-1.50')],
  ['5 0.06 5.06', aLine('5', '0.02', '0.04')],
  ['0 0 0'],
])(
  'the totals %s are exact, with the maximum number of decimal places of the amounts',
  (totals, ...lines) => {
    const { amountExclTax, taxAmount, amountInclTax } = computeTotals(toWire(anInvoice({ lines })));
    expect([amountExclTax.text, taxAmount.text, amountInclTax.text].join(' ')).toBe(totals);
  },
);

it('the totals are those of the lines and taxes that are sent in place of the fields', () => {
  const extra = (members: JsonObject) => ({ extra: members });
  const taxes = [{ amount: 5 }, { type: 'SST' }, { amount: '0.50' }, 'none'];
  const sums = (invoice: ReturnType<typeof anInvoice>) =>
    Object.values(computeTotals(toWire(invoice))).map(({ text }) => text);
  const line = aLine('1', '2');
  expect(sums(anInvoice({ lines: [{ ...line, ...extra({ taxes }) }] }))).toEqual(['1', '5.50', '6.50']);
  expect(sums(anInvoice({ lines: [{ ...line, ...extra({ taxes: 'none' }) }] }))).toEqual(['1', '0', '1']);
  const lines = [{ amountExclTax: 7, taxes }, { amountExclTax: 'x' }, null];
  expect(sums(anInvoice({ lines: [line], ...extra({ lines }) }))).toEqual(['7', '5.50', '12.50']);
});
