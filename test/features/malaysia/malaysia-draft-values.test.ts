/** checkMalaysiaInvoiceDraft accepts exactly the values that importMalaysiaInvoice accepts. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const selection = '{ isValid problems { rule severity path actual } totals { amountInclTax } }';

async function checkDraft(invoice: object) {
  const query = `query ($invoice: MalaysiaInvoiceDraftInput!) { checkMalaysiaInvoiceDraft(invoice: $invoice) ${selection} }`;
  const { data, errors } = await gateway.ask(query, { invoice }, {});
  expect(errors).toBeUndefined();
  return data.checkMalaysiaInvoiceDraft;
}

/** Whether the import would send the invoice. */
async function isAccepted(invoice: object): Promise<boolean> {
  const query =
    'query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) { isValid } }';
  const { data, errors } = await gateway.ask(query, { invoice }, {});
  return errors === undefined && data.checkMalaysiaInvoice.isValid;
}

const invoice = (more: object = {}) => ({ docType: 'INVOICE', docNumber: 'INV-1', lines: [], ...more });
const lines = (line: object) => invoice({ lines: [{ amountExclTax: '1.00', ...line }] });
const errorsIn = ({ problems }: { problems: { severity: string; rule: string; path: string[] }[] }) =>
  problems.filter(({ severity }) => severity === 'ERROR').map(({ rule, path }) => [rule, path.join('.')]);
const tooLong = 1e200;

describe('a value of a draft that the import refuses', () => {
  it.each<[string, object, string, string]>([
    ['taxes: null', lines({ taxes: null }), 'value-required', 'lines.0.taxes'],
    [
      'an empty type next to an otherType',
      lines({ taxes: [{ type: '', otherType: 'TOURISM', amount: '1' }] }),
      'tax-type-unknown',
      'lines.0.taxes.0.type',
    ],
    ['a too long amount', lines({ amountExclTax: tooLong }), 'amount-not-decimal', 'lines.0.amountExclTax'],
    [
      'a too long tax',
      lines({ taxes: [{ type: 'SALES_TAX', amount: 1e120 }] }),
      'amount-not-decimal',
      'lines.0.taxes.0.amount',
    ],
    ['a too long total', invoice({ totals: { sum: [1, tooLong] } }), 'amount-not-decimal', 'totals.sum.1'],
    ['extra', invoice({ extra: { rate: tooLong } }), 'amount-not-decimal', 'extra.rate'],
    ['extra of a line', lines({ extra: { rate: tooLong } }), 'amount-not-decimal', 'lines.0.extra.rate'],
    [
      'extra of an address',
      invoice({ buyer: { address: { extra: { floor: tooLong } } } }),
      'amount-not-decimal',
      'buyer.address.extra.floor',
    ],
    [
      'extra of a reference',
      invoice({ reference: { extra: { n: tooLong } } }),
      'amount-not-decimal',
      'reference.extra.n',
    ],
  ])('is a problem at its path: %s', async (_what, draft, rule, path) => {
    expect(await isAccepted(draft)).toBe(false);
    expect(errorsIn(await checkDraft(draft))).toEqual([[rule, `invoice.${path}`]]);
  });

  it('is a problem in a literal of the query', async () => {
    const { data, errors } = await gateway.ask(
      `{ checkMalaysiaInvoiceDraft(invoice: { docType: "INVOICE", docNumber: "1", lines: [{ amountExclTax: 1e999 }], totals: { sum: 1e999 } }) ${selection} }`,
    );
    expect(errors).toBeUndefined();
    expect(errorsIn(data.checkMalaysiaInvoiceDraft)).toEqual([
      ['amount-not-decimal', 'invoice.lines.0.amountExclTax'],
      ['amount-not-decimal', 'invoice.totals.sum'],
    ]);
  });
});

describe('a value of a draft that the import accepts', () => {
  it('is accepted as a JSON number and counts in the totals', async () => {
    const draft = lines({ amountExclTax: 100.25, taxes: [{ type: 'SALES_TAX', amount: 10 }] });
    expect(await isAccepted(draft)).toBe(true);
    expect(await checkDraft(draft)).toMatchObject({ isValid: true, totals: { amountInclTax: '110.25' } });
  });

  it.each([lines({}), lines({ taxes: [] }), invoice({ totals: { sum: 1.5 }, extra: { year: 2031 } })])(
    'is valid in the draft: %j',
    async (draft) => {
      expect(await isAccepted(draft)).toBe(true);
      expect(await checkDraft(draft)).toMatchObject({ isValid: true });
    },
  );
});

it('a draft is valid exactly when the import accepts the same values', async () => {
  const amount = fc.oneof(
    fc.constantFrom('1.50', '', 'twelve', null, 0, -1, 2.5, tooLong, 1e300, '1e5', 1e-7),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const json = fc.option(
    fc.dictionary(fc.constantFrom('sum', 'rate', 'taxes', 'type'), fc.oneof(amount, fc.array(amount))),
    { nil: null },
  );
  const word = (...words: string[]) => fc.constantFrom(null, '', ' ', ...words);
  const tax = fc.record(
    {
      type: word('SALES_TAX', 'SST', 'VAT'),
      otherType: word('TOURISM', 'sst'),
      amount,
      extra: json,
    },
    { requiredKeys: [] },
  );
  const line = fc.record(
    { amountExclTax: amount, taxes: fc.option(fc.array(tax, { maxLength: 2 }), { nil: null }), extra: json },
    { requiredKeys: ['amountExclTax'] },
  );
  const draft = fc.record(
    {
      docType: fc.constantFrom('INVOICE', 'CREDIT_NOTE', 'invoice', '', null),
      docNumber: word('INV-1'),
      lines: fc.option(fc.array(line, { maxLength: 2 }), { nil: null, freq: 9 }),
      totals: json,
      supplier: fc.record({ extra: json }),
    },
    { requiredKeys: ['docType', 'docNumber', 'lines'] },
  );
  await fc.assert(
    fc.asyncProperty(draft, async (values) => {
      expect((await checkDraft(values)).isValid).toBe(await isAccepted(values));
    }),
    { seed: 13, numRuns: 120 },
  );
});
