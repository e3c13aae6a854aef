import { describe, expect, it } from 'vitest';
import { sendUpload, upload } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { status: 'queued' }));

describe('an oversized input is rejected before it is processed', { timeout: 3_000 }, () => {
  const check =
    'query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) { isValid } }';
  const invoice = { docType: 'CREDIT_NOTE', docNumber: '1', supplier: {}, buyer: {}, lines: [] as object[] };
  const many = <T>(count: number, item: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => item(index));

  it('an invoice of 100,000 lines, used by 20 fields', async () => {
    const lines = many(100_000, () => ({ amountExclTax: 1, taxes: [] }));
    const fields = many(
      20,
      (at) => `a${at}: checkMalaysiaInvoice(invoice: $invoice) { a: isValid b: isValid }`,
    );
    const { errors } = await gateway.ask(`query ($invoice: MalaysiaInvoiceInput!) { ${fields.join(' ')} }`, {
      invoice: { ...invoice, lines },
    });
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['BAD_USER_INPUT']));
  });

  it('100 fragments that spread each other', async () => {
    const spreads = (from: number) => many(6, (at) => `...F${(from + at) % 99}`).join(' ');
    const fragments = many(99, (at) => `fragment F${at} on Query { ${spreads(at + 1)} }`);
    const { status, errors } = await gateway.ask(
      `{ ${many(10, (at) => `...F${at}`).join(' ')} } ${fragments.join(' ')}`,
    );
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(errors?.[0]?.message).toMatch(/^Cannot spread fragment/);
  });

  it.each([
    ['an input object of 100,000 unknown members', Object.fromEntries(many(100_000, (at) => [`m${at}`, 1]))],
    ['JSON of 100,000 numbers', { ...invoice, extra: { numbers: many(100_000, (at) => at) } }],
  ])('%s', async (_what, input) => {
    const { errors } = await gateway.ask(check, { invoice: input });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(JSON.stringify(errors).length).toBeLessThan(3_000);
  });
});

describe('a scan with an idempotency key whose response arrives before the upload ends', () => {
  const scan = (idempotencyKey: string) =>
    sendUpload(
      gateway,
      upload(
        'mutation ($i: ScanIdentityCardInput!) { scanIdentityCard(input: $i) { ... on ScanResult { documentId } } }',
        { i: { file: null, queueId: '1', idempotencyKey } },
        'variables.i.file',
        { bytes: Buffer.alloc(5_000_000, 'x'), name: 'a.png' },
      ),
    );

  it.each([
    ['with-success', does.jsonEarly(200, { scanDocuments: { docId: 3, data: {} } }), 'APPLIED'],
    ['with-a-failure', does.jsonEarly(500, {}), 'POSSIBLE'],
    ['with-a-reset', does.resetBeforeBody, 'POSSIBLE'],
  ])('%s is never reported as not done', async (key, behaviour, sideEffect) => {
    service.will(behaviour);
    await scan(key);
    const { errors } = await scan(key);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect, retryable: false });
    expect(service.received).toHaveLength(1);
  });
});
