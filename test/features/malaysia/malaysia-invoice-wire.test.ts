/** The computed totals of an invoice, and the JSON that the service receives. */
import { describe, expect, it } from 'vitest';
import { toWire } from '../../../src/features/malaysia/invoice.ts';
import { computeTotals } from '../../../src/features/malaysia/invoice-totals.ts';
import { type JsonObject, writeJson } from '../../../src/tools/exact-number.ts';
import { aLine, aNote, anInvoice, aParty, money } from '../../support/an-invoice.ts';

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

describe('an invoice on the wire', () => {
  const sent = (invoice: ReturnType<typeof anInvoice>) => writeJson(toWire(invoice));

  it('has the members of the service’s document, and numbers as they were written', () => {
    const invoice = aNote('credit_note', {
      supplier: aParty({ contact: null }),
      buyer: {},
      lines: [aLine('-1436.50', '-86.190'), aLine('-0.00')],
      totals: { payable: money('-1522.690'), asFloat: money('1.0e2') },
    });
    expect(sent(invoice)).toBe(
      '{"docType":"credit_note","docNumber":"INV-1","totals":{"payable":-1522.690,"asFloat":1.0e2},' +
        '"reference":{"originalInvoiceCodeNumber":"INV-0"},' +
        '"supplier":{"address":{"line1":"1 Jalan Contoh","city":"Kuala Lumpur","stateCode":"14",' +
        '"postcode":"50000","country":"MYS"}},"buyer":{},' +
        '"lines":[{"amountExclTax":-1436.50,"taxes":[{"type":"SERVICE_TAX","amount":-86.190}]},' +
        '{"amountExclTax":-0.00,"taxes":[]}]}',
    );
  });

  it('has no absent or null member at any level, and keeps what is empty', () => {
    const absent = anInvoice({
      ...{ docNumber: '', reference: { originalInvoiceCodeNumber: null }, totals: {}, extra: null },
      supplier: { address: { line1: null, city: '', postcode: '50000', extra: null }, contact: {} },
      buyer: undefined,
      lines: [{ ...aLine('1', '2.50'), extra: null }],
    });
    expect(sent(absent)).toBe(
      '{"docType":"invoice","docNumber":"","totals":{},"reference":{},' +
        '"supplier":{"address":{"city":"","postcode":"50000"},"contact":{}},' +
        '"lines":[{"amountExclTax":1,"taxes":[{"type":"SERVICE_TAX","amount":2.50}]}]}',
    );
    const parties = { supplier: null, buyer: { address: null, contact: null, extra: undefined } };
    expect(sent(anInvoice({ ...parties, reference: null, totals: null, lines: [] }))).toBe(
      '{"docType":"invoice","docNumber":"INV-1","buyer":{},"lines":[]}',
    );
  });

  it('has another type of a tax as its type', () => {
    const taxes = [{ type: null, otherType: 'TOURISM_TAX', amount: money('2.50') }];
    expect(sent(anInvoice({ lines: [{ ...aLine('1'), taxes }] }))).toContain(
      '"taxes":[{"type":"TOURISM_TAX","amount":2.50}]',
    );
  });

  it('has the extra members merged in at their level, including null', () => {
    const extra = { nothing: null, rate: money('4.70') };
    const invoice = anInvoice({
      extra,
      reference: { originalInvoiceCodeNumber: 'INV-0', extra },
      supplier: { extra },
      buyer: { address: { extra }, contact: { extra } },
      lines: [
        { amountExclTax: money('1'), taxes: [{ type: 'SALES_TAX', amount: money('0'), extra }], extra },
      ],
    });
    const merged = '"nothing":null,"rate":4.70';
    expect(sent(invoice)).toBe(
      `{"docType":"invoice","docNumber":"INV-1","reference":{"originalInvoiceCodeNumber":"INV-0",${merged}},` +
        `"supplier":{${merged}},"buyer":{"address":{${merged}},"contact":{${merged}}},` +
        `"lines":[{"amountExclTax":1,"taxes":[{"type":"SALES_TAX","amount":0,${merged}}],${merged}}],${merged}}`,
    );
    expect(invoice.extra).toEqual(extra);
  });

  it('has an extra member named __proto__ as a member like any other', () => {
    const extra = JSON.parse('{"__proto__":{"docNumber":"INV-2"}}') as JsonObject;
    const wire = toWire(anInvoice({ extra }));
    expect(wire['docNumber']).toBe('INV-1');
    expect(Object.getPrototypeOf(wire)).toBe(Object.prototype);
    expect(writeJson(wire)).toContain('"__proto__":{"docNumber":"INV-2"}');
  });
});
