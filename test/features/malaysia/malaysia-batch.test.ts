/** A batch of imports: which are sent at once, which wait, and what each one returns. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import * as does from '../../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
/** The numbers of the documents that the service received, in order, and what it does with each. */
const arrived: string[] = [];
let behaviours: Record<string, does.Behaviour> = {};
let held: (() => void)[] = [];

beforeAll(async () => {
  service = await does.startService((request, response) => {
    const received = service.received.find(({ headers }) => headers === request.headers);
    const { docNumber } = JSON.parse(String(received?.body));
    arrived.push(docNumber);
    (behaviours[docNumber] ?? does.json(200, { docId: arrived.length, docNumber }))(request, response);
  });
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});
beforeEach(() => {
  arrived.length = 0;
  behaviours = {};
  held = [];
});

const query = `mutation ($input: [ImportMalaysiaInvoiceInput!]!) {
  importMalaysiaInvoices(input: $input) {
    ... on MalaysiaImport { docNumber }
    ... on InvalidInput { problems { rule severity path message } }
  }
}`;
const lines = [{ amountExclTax: '0' }];
const invoice = (docNumber: string, more: object = {}) => ({
  queueId: '1',
  invoice: { docType: 'INVOICE', docNumber, lines, ...more },
});
const note = (docNumber: string, originalInvoiceCodeNumber: string, more: object = {}) =>
  invoice(docNumber, { docType: 'CREDIT_NOTE', reference: { originalInvoiceCodeNumber }, ...more });

async function outcomesOf(...input: object[]) {
  const { data, errors } = await gateway.ask(query, { input });
  const outcomes = data.importMalaysiaInvoices.map((outcome: any, index: number) => {
    if (outcome === null) return errors?.find(({ path }) => path?.[1] === index)?.extensions['code'];
    const error = outcome.problems?.find(({ severity }: { severity: string }) => severity === 'ERROR');
    return outcome.docNumber ?? error.rule;
  });
  return { outcomes, data };
}

const hold: does.Behaviour = (_request, response) => {
  held.push(() => does.json(200, { docId: 1, docNumber: 'INV' })(_request, response));
};

describe('a batch with a note and its original', () => {
  it('sends the note after the original, in any order of the input, and everything else at once', async () => {
    behaviours = { INV: hold };
    const result = outcomesOf(note('CN', 'INV'), invoice('INV'), note('CN-2', 'OLD'), invoice('INV-2'));
    await expect.poll(() => [...arrived].sort()).toEqual(['CN-2', 'INV', 'INV-2']);
    for (const respond of held) respond();
    expect((await result).outcomes).toEqual(['CN', 'INV', 'CN-2', 'INV-2']);
    expect(arrived.at(-1)).toBe('CN');
  });

  it.each<[string, does.Behaviour, string]>([
    ['refused', does.json(400, { message: 'no' }), 'refused-by-service'],
    ['rejected for its credentials', does.json(401, {}), 'UNAUTHENTICATED'],
    ['rejected by the rate of calls', does.json(429, {}), 'RATE_LIMITED'],
  ])('does not send the note when the original was %s', async (_how, behaviour, outcome) => {
    behaviours = { INV: behaviour };
    const { outcomes, data } = await outcomesOf(invoice('INV'), note('CN', 'INV'));
    expect(outcomes).toEqual([outcome, 'not-sent-original-missing']);
    expect(data.importMalaysiaInvoices[1].problems[0]).toMatchObject({
      path: ['invoice', 'reference', 'originalInvoiceCodeNumber'],
      message: expect.stringContaining('Import the note by itself'),
    });
    expect(arrived).toEqual(['INV']);
  });

  it('does not send the note when the original breaks a rule', async () => {
    const broken = invoice('INV', { lines: [{ amountExclTax: '0', taxes: [{ amount: '0' }] }] });
    expect((await outcomesOf(note('CN', 'INV'), broken)).outcomes).toEqual([
      'not-sent-original-missing',
      'tax-type-one',
    ]);
    expect(arrived).toEqual([]);
  });

  it('sends the note when the outcome of the original is unknown', async () => {
    behaviours = { INV: does.json(500, {}) };
    expect((await outcomesOf(invoice('INV'), note('CN', 'INV'))).outcomes).toEqual([
      'UPSTREAM_UNAVAILABLE',
      'CN',
    ]);
  });

  it('sends the note when one of two originals of that number was imported', async () => {
    const broken = invoice('INV', { lines: [{ amountExclTax: '0', taxes: [{ amount: '0' }] }] });
    expect((await outcomesOf(broken, invoice('INV'), note('CN', 'INV'))).outcomes).toEqual([
      'tax-type-one',
      'INV',
      'CN',
    ]);
  });

  it('reports a note that breaks a rule without waiting for its original', async () => {
    behaviours = { INV: does.json(400, {}) };
    const broken = note('CN', 'INV', { lines: [{ amountExclTax: '1' }] });
    expect((await outcomesOf(invoice('INV'), broken)).outcomes).toEqual([
      'refused-by-service',
      'credit-note-negative',
    ]);
  });

  it('sends a note after the note that it refers to, and not without it', async () => {
    expect((await outcomesOf(note('CN-2', 'CN'), note('CN', 'INV'), invoice('INV'))).outcomes).toEqual([
      'CN-2',
      'CN',
      'INV',
    ]);
    expect(arrived).toEqual(['INV', 'CN', 'CN-2']);
    arrived.length = 0;
    behaviours = { INV: does.json(400, {}) };
    expect((await outcomesOf(note('CN-2', 'CN'), note('CN', 'INV'), invoice('INV'))).outcomes).toEqual([
      'not-sent-original-missing',
      'not-sent-original-missing',
      'refused-by-service',
    ]);
    expect(arrived).toEqual(['INV']);
  });

  it('sends notes that refer to each other', async () => {
    expect((await outcomesOf(note('A', 'B'), note('B', 'A'), note('C', 'C'))).outcomes).toEqual([
      'A',
      'B',
      'C',
    ]);
  });
});
