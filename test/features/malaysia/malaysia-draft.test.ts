/** checkMalaysiaInvoiceDraft: an invoice is checked while it is typed. */
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

const selection = `{ isValid problems { rule severity path expected actual } totals { amountExclTax taxAmount amountInclTax } }`;

async function checkDraft(invoice: object) {
  const query = `query ($invoice: MalaysiaInvoiceDraftInput!) { checkMalaysiaInvoiceDraft(invoice: $invoice) ${selection} }`;
  const { data, errors } = await gateway.ask(query, { invoice }, {});
  expect(errors).toBeUndefined();
  return data.checkMalaysiaInvoiceDraft;
}

async function check(invoice: object) {
  const query = `query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) ${selection} }`;
  const { data, errors } = await gateway.ask(query, { invoice }, {});
  return errors ? { codes: errors.map(({ extensions }) => extensions['code']) } : data.checkMalaysiaInvoice;
}

const invoice = (more: object = {}) => ({
  docType: 'INVOICE',
  docNumber: 'INV-1',
  supplier: {},
  buyer: {},
  lines: [{ amountExclTax: '100.00', taxes: [{ type: 'SALES_TAX', amount: '10.00' }] }],
  ...more,
});

const errorsIn = ({ problems }: { problems: { severity: string; rule: string; path: string[] }[] }) =>
  problems.filter(({ severity }) => severity === 'ERROR').map(({ rule, path }) => [rule, path.join('.')]);

describe('a draft', () => {
  it.each(['-', '12.', '.5', '1,000.00', 'twelve', '1e999', '0x10', ' 12.50'])(
    'with the amount "%s" has a problem there, and its other amounts are checked and summed',
    async (typed) => {
      const lines = [
        { amountExclTax: '100.00' },
        { amountExclTax: typed, taxes: [{ type: 'SERVICE_TAX', amount: '6.00' }] },
      ];
      const draft = await checkDraft(invoice({ lines }));
      expect(draft.isValid).toBe(false);
      expect(errorsIn(draft)).toEqual([['amount-not-decimal', 'invoice.lines.1.amountExclTax']]);
      const problem = draft.problems.find(({ rule }: { rule: string }) => rule === 'amount-not-decimal');
      expect(problem).toMatchObject({ actual: typed, expected: 'e.g. 1436.50' });
      expect(draft.totals).toEqual({ amountExclTax: '100.00', taxAmount: '6.00', amountInclTax: '106.00' });
      expect(await check(invoice({ lines: lines.map((line) => ({ taxes: [], ...line })) }))).toEqual({
        codes: ['BAD_USER_INPUT'],
      });
    },
  );

  it('without any value has a problem for each value that the import requires', async () => {
    const required = errorsIn(await checkDraft({})).filter(([rule]) => rule === 'value-required');
    expect(required).toEqual([
      ['value-required', 'invoice.docType'],
      ['value-required', 'invoice.docNumber'],
      ['value-required', 'invoice.lines'],
    ]);
    expect(errorsIn(await checkDraft(invoice({ lines: [{ taxes: [{}] }] })))).toEqual([
      ['value-required', 'invoice.lines.0.amountExclTax'],
      ['value-required', 'invoice.lines.0.taxes.0.type'],
      ['value-required', 'invoice.lines.0.taxes.0.amount'],
    ]);
  });

  it.each(['invoice', 'CREDIT', '__proto__', 'constructor'])(
    'with the docType "%s" has a problem there',
    async (docType) => {
      expect(errorsIn(await checkDraft(invoice({ docType })))).toEqual([
        ['doc-type-unknown', 'invoice.docType'],
      ]);
    },
  );

  it('with a tax type that the schema does not name has a problem there', async () => {
    const lines = [{ amountExclTax: '1', taxes: [{ type: 'VAT', amount: '0.10' }] }];
    expect(errorsIn(await checkDraft(invoice({ lines })))).toEqual([
      ['tax-type-unknown', 'invoice.lines.0.taxes.0.type'],
    ]);
  });

  it('is checked by the rules of the import as far as it can be read', async () => {
    const lines = [{ amountExclTax: '5.00' }, { amountExclTax: '-' }];
    const reference = { originalInvoiceCodeNumber: 'INV-0' };
    expect(errorsIn(await checkDraft(invoice({ docType: 'CREDIT_NOTE', reference, lines })))).toEqual([
      ['amount-not-decimal', 'invoice.lines.1.amountExclTax'],
      ['credit-note-negative', 'invoice.lines.0.amountExclTax'],
    ]);
  });

  it.each([
    invoice(),
    invoice({ docType: 'DEBIT_NOTE', lines: [{ amountExclTax: '-1.0', taxes: [] }] }),
    invoice({ docType: 'SELF_BILLED_INVOICE', lines: [] }),
    invoice({ docNumber: '', extra: { docType: 'x' }, totals: { sum: 1 } }),
  ])('that can be read completely has the result of checkMalaysiaInvoice (%#)', async (whole) => {
    expect(await checkDraft(whole)).toEqual(await check(whole));
  });

  it('is never a request error for any text, and never valid if the import refuses it', async () => {
    const text = fc.option(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('INVOICE', 'SALES_TAX', '1.50')),
      {
        nil: null,
      },
    );
    const aDraft = fc.record(
      {
        docType: text,
        docNumber: text,
        supplier: fc.constant({}),
        buyer: fc.constant({}),
        lines: fc.array(
          fc.record({
            amountExclTax: text,
            taxes: fc.array(fc.record({ type: text, amount: text }), { maxLength: 2 }),
          }),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ['supplier', 'buyer'] },
    );
    await fc.assert(
      fc.asyncProperty(aDraft, async (draft) => {
        const drafted = await checkDraft(draft);
        const whole = await check(draft);
        expect(drafted.isValid).toBe('codes' in whole ? false : whole.isValid);
      }),
      { seed: 9, numRuns: 60 },
    );
  });

  it('lists at most 200 problems', async () => {
    const lines = Array.from({ length: 300 }, () => ({ amountExclTax: 'x' }));
    const { problems } = await checkDraft(invoice({ lines }));
    expect(problems).toHaveLength(200);
    expect(problems.at(-1)).toMatchObject({ rule: 'more-problems', severity: 'ERROR' });
  });

  it('repeats at most 60 characters of a text', async () => {
    const { problems } = await checkDraft(invoice({ lines: [{ amountExclTax: '9'.repeat(10_000) }] }));
    expect(problems[0]).toMatchObject({ rule: 'amount-not-decimal' });
    expect(problems[0].actual.length).toBeLessThanOrEqual(60);
  });

  it('causes no call to the service', () => {
    expect(service.received).toHaveLength(0);
  });
});

describe('a batch of 100 imports', () => {
  it.each([
    ['amount', { lines: [{ amountExclTax: '12.', taxes: [] }] }],
    ['docType', { docType: 'RECEIPT' }],
  ])(
    'of which one has a bad %s fails as a whole with BAD_USER_INPUT before anything is sent',
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
        extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE', retryable: false },
      });
      expect(errors?.[0]?.message).toMatch(/57/);
      expect(service.received).toHaveLength(0);
    },
  );
});
