/** An import refuses only what the service's document forbids; everything else is at most a warning. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import * as does from '../../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { docId: 5, requestId: 'r', docNumber: 'N' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});
beforeEach(() => {
  service.received.length = 0;
});

const query = `mutation ($invoice: MalaysiaInvoiceInput!, $key: String) {
  importMalaysiaInvoice(input: { queueId: "q.1", invoice: $invoice, idempotencyKey: $key }) {
    ... on MalaysiaImport { documentId warnings { rule severity path message } }
    ... on InvalidInput { problems { rule severity path message } }
  }
}`;
const check = `query ($invoice: MalaysiaInvoiceInput!) {
  checkMalaysiaInvoice(invoice: $invoice) { isValid problems { rule severity path message } }
}`;
const reference = { originalInvoiceCodeNumber: 'INV-0' };
const line = { amountExclTax: '-10.00' };

async function imported(invoice: object, key?: string) {
  const { data, errors } = await gateway.ask(query, { invoice, key });
  expect(errors).toBeUndefined();
  return data.importMalaysiaInvoice;
}

const rules = (problems: readonly { rule: string; severity: string }[]) =>
  problems.map(({ rule, severity }) => `${severity} ${rule}`);

const parties = [
  'WARNING address-recommended',
  'WARNING contact-recommended',
  'WARNING address-recommended',
  'WARNING contact-recommended',
];

/** An accepted invoice, its warnings except those about absent parties, and what is sent. */
const accepted: [string, object, string[], object][] = [
  [
    'without parties, taxes or anything that is not said to be required',
    { docType: 'INVOICE', docNumber: 'N', lines: [{ amountExclTax: '1.50' }] },
    [],
    { docType: 'invoice', docNumber: 'N', lines: [{ amountExclTax: 1.5, taxes: [] }] },
  ],
  [
    'without lines and number',
    { docType: 'INVOICE', docNumber: '', lines: [] },
    ['WARNING doc-number-empty', 'WARNING lines-empty'],
    { docType: 'invoice', docNumber: '', lines: [] },
  ],
  [
    'with a reference that names nothing, where none is required',
    { docType: 'SELF_BILLED_INVOICE', docNumber: 'N', reference: {}, lines: [line] },
    [],
    {
      docType: 'self_billed_invoice',
      docNumber: 'N',
      reference: {},
      lines: [{ amountExclTax: -10, taxes: [] }],
    },
  ],
  [
    'that is a credit note with a rate and a count among its totals',
    {
      ...{ docType: 'CREDIT_NOTE', docNumber: 'N', reference, lines: [line] },
      totals: { totalExclTax: '-10.00', exchangeRate: '4.70', lineCount: 1 },
    },
    ['WARNING credit-note-totals-negative', 'WARNING credit-note-totals-negative'],
    {
      ...{ docType: 'credit_note', docNumber: 'N', reference, lines: [{ amountExclTax: -10, taxes: [] }] },
      totals: { totalExclTax: '-10.00', exchangeRate: '4.70', lineCount: 1 },
    },
  ],
  [
    'that is a debit note with a discount among its totals',
    { docType: 'DEBIT_NOTE', docNumber: 'N', reference, lines: [], totals: { discount: -1 } },
    ['WARNING lines-empty', 'WARNING debit-note-totals-positive'],
    { docType: 'debit_note', docNumber: 'N', reference, lines: [], totals: { discount: -1 } },
  ],
  [
    'with taxes of the document, which belong at its lines',
    { docType: 'INVOICE', docNumber: 'N', lines: [line], extra: { taxes: [{ type: 'SALES_TAX' }] } },
    ['WARNING tax-at-lines-only'],
    {
      ...{ docType: 'invoice', docNumber: 'N', lines: [{ amountExclTax: -10, taxes: [] }] },
      taxes: [{ type: 'SALES_TAX' }],
    },
  ],
  [
    'with a tax that the service’s document does not name',
    {
      ...{ docType: 'INVOICE', docNumber: 'N' },
      lines: [{ amountExclTax: '-1', taxes: [{ otherType: 'TOURISM_TAX', amount: '-0.10' }] }],
    },
    [],
    {
      ...{ docType: 'invoice', docNumber: 'N' },
      lines: [{ amountExclTax: -1, taxes: [{ type: 'TOURISM_TAX', amount: -0.1 }] }],
    },
  ],
];

describe('an invoice', () => {
  it.each(accepted)('%s is sent, and the import has its warnings', async (_what, invoice, warned, sent) => {
    const { documentId, warnings } = await imported(invoice);
    expect(documentId).toBe('5');
    expect(rules(warnings).sort()).toEqual([...parties, ...warned].sort());
    expect(service.received.map(({ body }) => JSON.parse(body.toString()))).toEqual([sent]);
    const { data } = await gateway.ask(check, { invoice });
    expect(data.checkMalaysiaInvoice).toEqual({ isValid: true, problems: warnings });
  });

  it('can be sent in forms that the fields cannot have', async () => {
    const lines = [{ amountExclTax: '1.50', quantity: 12 }];
    const { documentId, warnings } = await imported({
      ...{ docType: 'INVOICE', docNumber: '', lines: [], extra: { docNumber: 17, lines } },
      supplier: { extra: { address: '1 Jalan Contoh, Ipoh' } },
    });
    expect(documentId).toBe('5');
    expect(rules(warnings).filter((warning) => !parties.includes(warning))).toEqual(
      Array(3).fill('WARNING extra-names-known-member'),
    );
    const supplier = { address: '1 Jalan Contoh, Ipoh' };
    expect(JSON.parse(String(service.received[0]?.body))).toEqual({
      ...{ docType: 'invoice', docNumber: 17, supplier, lines },
    });
  });

  it('imported again with its key has the same outcome and warnings', async () => {
    const invoice = { docType: 'INVOICE', docNumber: 'N', lines: [] };
    const outcomes = [await imported(invoice, 'key-12345678'), await imported(invoice, 'key-12345678')];
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(rules(outcomes[1].warnings)).toContain('WARNING lines-empty');
    expect(service.received).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['SST as otherType', { taxes: [{ otherType: 'sst', amount: '0' }] }, 'tax-type-sst'],
    ['SST in extra of a line', { extra: { taxes: [{ type: 'SST' }] } }, 'tax-type-sst'],
    ['a tax without a type', { taxes: [{ amount: '0' }] }, 'tax-type-one'],
    ['a tax with two types', { taxes: [{ type: 'SALES_TAX', otherType: 'A', amount: '0' }] }, 'tax-type-one'],
  ])('with %s is refused before a call, errors first', async (_what, members, rule) => {
    const invoice = { docType: 'INVOICE', docNumber: '', lines: [{ amountExclTax: '1', ...members }] };
    const { problems } = await imported(invoice);
    const known = 'extra' in members ? ['WARNING extra-names-known-member'] : [];
    expect(rules(problems)).toEqual([`ERROR ${rule}`, 'WARNING doc-number-empty', ...parties, ...known]);
    expect(service.received).toEqual([]);
    const { data } = await gateway.ask(check, { invoice });
    expect(data.checkMalaysiaInvoice).toEqual({ isValid: false, problems });
  });

  it('with SST as a member of the enum does not fit the schema', async () => {
    const invoice = {
      ...{ docType: 'INVOICE', docNumber: 'N' },
      lines: [{ amountExclTax: '1', taxes: [{ type: 'SST', amount: '0' }] }],
    };
    const { errors } = await gateway.ask(query, { invoice });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', sideEffect: 'NONE' });
    expect(service.received).toEqual([]);
  });

  it('is accepted by the sandbox wherever no stated rule forbids it', async () => {
    const sandboxed = await startTestGateway();
    for (const [what, invoice] of accepted) {
      const { data } = await sandboxed.ask(query, { invoice });
      expect([what, data.importMalaysiaInvoice.problems]).toEqual([what, undefined]);
    }
    await sandboxed.close();
  });
});
