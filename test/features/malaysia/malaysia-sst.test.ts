/** The ambiguous tax type SST is refused as the type of a tax, and accepted everywhere else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInvoice } from '../../../src/features/malaysia/invoice-rules.ts';
import { aLine, anInvoice, aParty, money } from '../../support/an-invoice.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

type Extra = NonNullable<ReturnType<typeof aParty>['extra']>;
const line = (extra: Extra) => anInvoice({ lines: [{ ...aLine('1'), extra }] });
const sstPaths = (invoice: ReturnType<typeof anInvoice>) =>
  checkInvoice(invoice)
    .filter(({ rule }) => rule === 'tax-type-sst')
    .map(({ path }) => path.join('.'));

describe('SST as the type of a tax of a line', () => {
  const tax = { amount: money('1') };
  it.each<[string, ReturnType<typeof anInvoice>]>([
    [
      'invoice.lines.0.taxes.0.otherType',
      anInvoice({ lines: [{ ...aLine('1'), taxes: [{ ...tax, otherType: ' sst ' }] }] }),
    ],
    [
      'invoice.lines.0.taxes.0.extra.type',
      anInvoice({
        lines: [{ ...aLine('1'), taxes: [{ ...tax, type: 'SALES_TAX', extra: { type: 'SST' } }] }],
      }),
    ],
    ['invoice.lines.0.extra.taxes.1.type', line({ taxes: [{ type: 'SALES_TAX' }, { type: 'SST' }] })],
    ['invoice.extra.lines.0.taxes.0.type', anInvoice({ extra: { lines: [{ taxes: [{ type: 'SST' }] }] } })],
  ])('is refused wherever it is sent from: %s', (path, invoice) => {
    expect(sstPaths(invoice)).toEqual([path]);
  });
});

/** Every place of an `extra` next to the taxes. */
const places: [string, (extra: Extra) => ReturnType<typeof anInvoice>][] = [
  ['supplier', (extra) => anInvoice({ supplier: aParty({ extra }) })],
  ['buyer', (extra) => anInvoice({ buyer: aParty({ extra }) })],
  ['the address of the supplier', (extra) => anInvoice({ supplier: aParty({ address: { extra } }) })],
  ['the contact of the buyer', (extra) => anInvoice({ buyer: aParty({ contact: { extra } }) })],
  ['reference', (extra) => anInvoice({ reference: { extra } })],
  ['extra of the document', (extra) => anInvoice({ extra })],
  ['extra of a line', line],
  ['totals', (totals) => anInvoice({ totals })],
];

describe.each(places)('SST in %s', (_place, withExtra) => {
  it.each<[Extra]>([
    [{ taxInfo: { type: 'SST', registrationNumber: 'W10-1808-32000059' } }],
    [{ taxDetails: [{ type: 'SST', value: 'W10-1' }] }],
    [{ taxProfile: { types: ['SST', 'TTX'] } }],
    [{ type: 'SST' }],
    [{ taxType: 'SST' }],
    [{ registrations: [{ scheme: 'SST', id: 'W10-1' }] }],
    [{ taxRegistrations: [{ type: 'SST', id: 'W10-1' }] }],
    [{ note: 'SST', sst: 'W10-1' }],
  ])('is accepted, since it may be a registration: %j', (extra) => {
    expect(sstPaths(withExtra(extra))).toEqual([]);
  });
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
