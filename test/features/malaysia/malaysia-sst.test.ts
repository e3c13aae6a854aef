/** The ambiguous tax type SST is refused wherever a tax type can be, and accepted as a scheme of registrations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInvoice } from '../../../src/features/malaysia/invoice-rules.ts';
import { aLine, anInvoice, aParty } from '../../support/an-invoice.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

type Extra = NonNullable<ReturnType<typeof aParty>['extra']>;
const line = (extra: Extra) => anInvoice({ lines: [{ ...aLine('1'), extra }] });
const sstPaths = (invoice: ReturnType<typeof anInvoice>) =>
  checkInvoice(invoice)
    .filter(({ rule }) => rule === 'tax-type-sst')
    .map(({ path }) => path.join('.'));

/** Every place of an `extra` next to the lines. */
const places: [string, (extra: Extra) => ReturnType<typeof anInvoice>][] = [
  ['invoice.supplier.extra', (extra) => anInvoice({ supplier: aParty({ extra }) })],
  ['invoice.buyer.extra', (extra) => anInvoice({ buyer: aParty({ extra }) })],
  ['invoice.supplier.address.extra', (extra) => anInvoice({ supplier: aParty({ address: { extra } }) })],
  ['invoice.buyer.contact.extra', (extra) => anInvoice({ buyer: aParty({ contact: { extra } }) })],
  ['invoice.reference.extra', (extra) => anInvoice({ reference: { extra } })],
  ['invoice.extra', (extra) => anInvoice({ extra })],
  ['invoice.lines.0.extra', line],
  ['invoice.totals', (totals) => anInvoice({ totals })],
];

describe.each(places)('SST in %s', (place, withExtra) => {
  it.each<[string, Extra]>([
    ['tax', { tax: 'SST' }],
    ['tax.type', { tax: { type: 'sst' } }],
    ['taxType', { taxType: ' SST ' }],
    ['taxTypeCode', { taxTypeCode: 'SST' }],
    ['tax_type_code', { tax_type_code: 'SST' }],
    ['TaxTypes.0', { TaxTypes: ['SST'] }],
    ['taxBreakdown.0.type', { taxBreakdown: [{ type: 'SST' }] }],
  ])('is refused as a tax type: %s', (path, extra) => {
    expect(sstPaths(withExtra(extra))).toEqual([`${place}.${path}`]);
  });

  it.each<[Extra]>([
    [{ scheme: 'SST', id: 'W10-1' }],
    [{ registrations: [{ scheme: 'SST', id: 'W10-1' }] }],
    [{ registration: { type: 'SST', id: 'W10-1' } }],
    [{ taxRegistrations: [{ type: 'SST', id: 'W10-1' }] }],
    [{ taxIdentification: { type: 'SST', id: 'W10-1' } }],
    [{ note: 'SST', sst: 'W10-1' }],
  ])('is accepted as a scheme of registrations: %j', (extra) => {
    expect(sstPaths(withExtra(extra))).toEqual([]);
  });
});

it('SST is refused in a list of taxes of the document or a party', () => {
  expect(sstPaths(anInvoice({ extra: { taxes: ['SST'] } }))).toEqual(['invoice.extra.taxes.0']);
  const buyer = aParty({ extra: { taxes: [{ type: 'SST' }, { type: 'SALES_TAX' }] } });
  expect(sstPaths(anInvoice({ buyer }))).toEqual(['invoice.buyer.extra.taxes.0.type']);
});

it('SST is refused as the type of a line', () => {
  expect(sstPaths(line({ type: 'SST' }))).toEqual(['invoice.lines.0.extra.type']);
});

describe('a draft', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it.each(['SST', 'sst'])('with the tax type %s has the problem tax-type-sst alone', async (type) => {
    const invoice = {
      docType: 'INVOICE',
      docNumber: '1',
      lines: [{ amountExclTax: '1', taxes: [{ type, amount: '1' }] }],
    };
    const { data } = await gateway.ask(
      'query ($invoice: MalaysiaInvoiceDraftInput!) { checkMalaysiaInvoiceDraft(invoice: $invoice) { problems { rule severity path } } }',
      { invoice },
    );
    const errors = data.checkMalaysiaInvoiceDraft.problems.filter(
      ({ severity }: { severity: string }) => severity === 'ERROR',
    );
    expect(errors).toEqual([
      {
        rule: 'tax-type-sst',
        severity: 'ERROR',
        path: ['invoice', 'lines', '0', 'taxes', '0', 'type'],
      },
    ]);
  });
});
