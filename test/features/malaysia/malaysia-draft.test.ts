/** checkMalaysiaInvoiceDraft: an invoice is checked while it is typed, and accepts exactly what the import accepts. */

import { describe, expect, it } from 'vitest';
import { gatewayOfService } from '../../support/lifetimes.ts';

const { service, gateway } = await gatewayOfService();

const selection =
  '{ isValid problems { rule severity path expected actual } totals { amountExclTax taxAmount amountInclTax } }';

async function checkDraft(invoice: object) {
  const query = `query ($invoice: MalaysiaInvoiceDraftInput!) { checkMalaysiaInvoiceDraft(invoice: $invoice) ${selection} }`;
  const { data, errors } = await gateway.ask(query, { invoice }, {});
  expect(errors).toBeUndefined();
  return data.checkMalaysiaInvoiceDraft;
}

/** The result for an invoice that the import would read, or the code of its refusal. */
async function check(invoice: object) {
  const query = `query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) ${selection} }`;
  const { data, errors } = await gateway.ask(query, { invoice }, {});
  return errors ? errors[0]?.extensions['code'] : data.checkMalaysiaInvoice;
}

const isAccepted = async (invoice: object) => (await check(invoice)).isValid === true;

const invoice = (more: object = {}) => ({ docType: 'INVOICE', docNumber: 'INV-1', lines: [], ...more });
const withLine = (line: object) => invoice({ lines: [{ amountExclTax: '1.00', ...line }] });
const withTax = (tax: object) => withLine({ taxes: [{ type: 'SALES_TAX', amount: '10.00', ...tax }] });
const errorsIn = ({ problems }: any): string[] =>
  problems.flatMap(({ severity, rule, path }: any) =>
    severity === 'ERROR' ? `${rule} ${path.join('.')}` : [],
  );
const tooLong = 1e200;

describe('a draft', () => {
  it('without lines has one problem there', async () => {
    const { problems } = await checkDraft(invoice({ lines: undefined }));
    const ofLines = problems.filter(({ path }: { path: string[] }) => path.join('.') === 'invoice.lines');
    expect(ofLines).toMatchObject([{ rule: 'value-required', severity: 'ERROR' }]);
  });

  it.each(['-', '12.', '.5', '1,000.00', '1e999', '0x10', ' 12.50'])(
    'with the amount "%s" has a problem there, and its other amounts are checked and summed',
    async (typed) => {
      const lines = [
        { amountExclTax: '100.00' },
        { amountExclTax: typed, taxes: [{ type: 'SERVICE_TAX', amount: '6.00' }] },
      ];
      const draft = await checkDraft(invoice({ lines }));
      expect(draft.isValid).toBe(false);
      expect(errorsIn(draft)).toEqual(['amount-not-decimal invoice.lines.1.amountExclTax']);
      expect(draft.problems[0]).toMatchObject({ actual: typed, expected: 'e.g. 1436.50' });
      expect(draft.totals).toEqual({ amountExclTax: '100.00', taxAmount: '6.00', amountInclTax: '106.00' });
      expect(await check(invoice({ lines }))).toBe('BAD_USER_INPUT');
    },
  );

  it.each<[object, string[]]>([
    [{}, ['value-required docType', 'value-required docNumber', 'value-required lines']],
    [
      invoice({ lines: [{ taxes: [{}] }] }),
      ['amountExclTax', 'taxes.0.type', 'taxes.0.amount'].map((field) => `value-required lines.0.${field}`),
    ],
    [withLine({ taxes: null }), ['value-required lines.0.taxes']],
    ...['invoice', '__proto__', 'constructor'].map((docType): [object, string[]] => [
      invoice({ docType }),
      ['doc-type-unknown docType'],
    ]),
    [withTax({ type: 'VAT' }), ['tax-type-unknown lines.0.taxes.0.type']],
    [withTax({ type: '', otherType: 'TOURISM' }), ['tax-type-unknown lines.0.taxes.0.type']],
    [withTax({ type: '', extra: { type: 'TOURISM' } }), ['value-required lines.0.taxes.0.type']],
    [withTax({ otherType: 'TOURISM' }), ['tax-type-one lines.0.taxes.0']],
    [withTax({ type: 'SST' }), ['tax-type-sst lines.0.taxes.0.type']],
    [withLine({ amountExclTax: tooLong }), ['amount-not-decimal lines.0.amountExclTax']],
    [invoice({ totals: { sum: [1, tooLong] } }), ['amount-not-decimal totals.sum.1']],
    [withLine({ extra: { rate: tooLong } }), ['amount-not-decimal lines.0.extra.rate']],
    [
      invoice({ buyer: { address: { extra: { floor: tooLong } } } }),
      ['amount-not-decimal buyer.address.extra.floor'],
    ],
    [invoice({ reference: { extra: { n: tooLong } } }), ['amount-not-decimal reference.extra.n']],
  ])('that the import refuses has a problem at each place: %j', async (draft, problems) => {
    expect(await isAccepted(draft)).toBe(false);
    expect(errorsIn(await checkDraft(draft))).toEqual(
      problems.map((problem) => problem.replace(' ', ' invoice.')),
    );
  });

  it('has the problems of amounts in a literal of the query', async () => {
    const { data, errors } = await gateway.ask(
      `{ checkMalaysiaInvoiceDraft(invoice: { docType: "INVOICE", docNumber: "1", lines: [{ amountExclTax: 1e999 }], totals: { sum: 1e999 } }) ${selection} }`,
    );
    expect(errors).toBeUndefined();
    expect(errorsIn(data.checkMalaysiaInvoiceDraft)).toEqual([
      'amount-not-decimal invoice.lines.0.amountExclTax',
      'amount-not-decimal invoice.totals.sum',
    ]);
  });

  it('is checked by the rules of the import as far as it can be read', async () => {
    const lines = [{ amountExclTax: '5.00' }, { amountExclTax: '-' }];
    const reference = { originalInvoiceCodeNumber: 'INV-0' };
    expect(errorsIn(await checkDraft(invoice({ docType: 'CREDIT_NOTE', reference, lines })))).toEqual([
      'credit-note-negative invoice.lines.0.amountExclTax',
      'amount-not-decimal invoice.lines.1.amountExclTax',
    ]);
  });

  const untyped = { taxes: [{ amount: '1.00' }] };
  it.each([
    ['type of a tax is', withTax({ type: undefined, extra: { type: 'TOURISM' } })],
    ['taxes are', withLine({ ...untyped, extra: { taxes: [] } })],
    ['lines are', { ...withLine(untyped), extra: { lines: null } }],
  ])('has the result of checkMalaysiaInvoice, which is valid, when the %s in extra', async (_what, whole) => {
    const checked = await checkDraft(whole);
    expect(checked).toEqual(await check(whole));
    expect(checked.isValid).toBe(true);
  });

  it('lists at most 200 problems, and quotes at most 60 characters of a text', async () => {
    const lines = Array.from({ length: 201 }, () => ({ amountExclTax: 'x'.repeat(100) }));
    const { problems } = await checkDraft(invoice({ lines }));
    expect(problems).toHaveLength(200);
    expect(problems[0]).toMatchObject({ rule: 'amount-not-decimal' });
    expect(problems[0].actual.length).toBeLessThanOrEqual(60);
    expect(problems.at(-1)).toMatchObject({ rule: 'more-problems', severity: 'ERROR' });
  });

  it('causes no call to the service', async () => {
    expect((await checkDraft(withTax({}))).isValid).toBe(true);
    expect(service.received).toEqual([]);
  });
});

it.each([
  ['amount', { lines: [{ amountExclTax: '12.', taxes: [] }] }],
  ['docType', { docType: 'RECEIPT' }],
])(
  'a batch of 100 imports of which one has a bad %s fails as a whole before anything is sent',
  async (_what, more) => {
    const input = Array.from({ length: 100 }, (_, index) => ({
      queueId: '1',
      invoice: invoice(index === 57 ? more : {}),
    }));
    const { data, errors } = await gateway.ask(
      'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { __typename } }',
      { input },
    );
    expect(data).toBeUndefined();
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('57'),
      extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE', retryable: false },
    });
    expect(service.received).toEqual([]);
  },
);
