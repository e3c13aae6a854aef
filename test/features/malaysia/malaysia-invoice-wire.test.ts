/** The computed totals of an invoice, and the JSON that the service receives. */
import { describe, expect, it } from 'vitest';
import { computeTotals, toWire } from '../../../src/features/malaysia/invoice.ts';
import { type JsonObject, writeJson } from '../../../src/upstream/exact-json.ts';
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
    const { amountExclTax, taxAmount, amountInclTax } = computeTotals(anInvoice({ lines }));
    expect([amountExclTax.text, taxAmount.text, amountInclTax.text].join(' ')).toBe(totals);
  },
);

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

  it('has no absent or null member at any level', () => {
    const absent = anInvoice({
      ...{ reference: { originalInvoiceCodeNumber: null }, totals: null, extra: null, buyer: undefined },
      supplier: { address: { line1: null, city: undefined, postcode: '50000', extra: null }, contact: {} },
      lines: [
        {
          ...aLine('1'),
          taxes: [{ type: null, otherType: 'TOURISM_TAX', amount: money('2.50') }],
          extra: null,
        },
      ],
    });
    expect(sent(absent)).toBe(
      '{"docType":"invoice","docNumber":"INV-1","reference":{},' +
        '"supplier":{"address":{"postcode":"50000"},"contact":{}},' +
        '"lines":[{"amountExclTax":1,"taxes":[{"type":"TOURISM_TAX","amount":2.50}]}]}',
    );
    const parties = { supplier: null, buyer: { address: null, contact: null, extra: undefined } };
    const { supplier, buyer } = JSON.parse(sent(anInvoice({ ...parties, reference: null })));
    expect([supplier, buyer]).toEqual([undefined, {}]);
  });

  it('keeps empty strings, empty totals and an empty list of lines', () => {
    const empty = anInvoice({ docNumber: '', supplier: { address: { city: '' } }, totals: {}, lines: [] });
    expect(JSON.parse(sent({ ...empty, buyer: {} }))).toEqual({
      ...{ docType: 'invoice', docNumber: '', supplier: { address: { city: '' } }, buyer: {} },
      ...{ totals: {}, lines: [] },
    });
  });

  it('has the extra members merged in at their level, including null', () => {
    const extra = (level: string) => ({ level, nothing: null, rate: money('4.70') });
    const merged = (level: string) => ({ level, nothing: null, rate: 4.7 });
    const invoice = anInvoice({
      extra: extra('invoice'),
      reference: { originalInvoiceCodeNumber: 'INV-0', extra: extra('reference') },
      supplier: { extra: extra('supplier') },
      buyer: { address: { extra: extra('address') }, contact: { extra: extra('contact') } },
      lines: [
        {
          amountExclTax: money('1'),
          taxes: [{ type: 'SALES_TAX', amount: money('0'), extra: extra('tax') }],
          extra: extra('line'),
        },
      ],
    });
    expect(JSON.parse(sent(invoice))).toEqual({
      ...{ docType: 'invoice', docNumber: 'INV-1' },
      ...merged('invoice'),
      reference: { originalInvoiceCodeNumber: 'INV-0', ...merged('reference') },
      supplier: merged('supplier'),
      buyer: { address: merged('address'), contact: merged('contact') },
      lines: [
        {
          amountExclTax: 1,
          taxes: [{ type: 'SALES_TAX', amount: 0, ...merged('tax') }],
          ...merged('line'),
        },
      ],
    });
    expect(sent(invoice).match(/"rate":4\.70/g)).toHaveLength(7);
    expect(invoice.extra).toEqual(extra('invoice'));
  });

  it('has an extra member named __proto__ as a member like any other', () => {
    const extra = JSON.parse('{"__proto__":{"docNumber":"INV-2"}}') as JsonObject;
    const wire = toWire(anInvoice({ extra }));
    expect(wire['docNumber']).toBe('INV-1');
    expect(Object.getPrototypeOf(wire)).toBe(Object.prototype);
    expect(writeJson(wire)).toContain('"__proto__":{"docNumber":"INV-2"}');
  });
});
