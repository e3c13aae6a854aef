/** A batch of imports: which are sent at once, which wait, and what each one returns. */
import { beforeEach, describe, expect, it } from 'vitest';
import { runBatch } from '../../../src/features/malaysia/import-batch.ts';
import type { MalaysiaInvoice } from '../../../src/features/malaysia/invoice.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { forTest, gatewayOfService, redisForFile } from '../../support/lifetimes.ts';
import { fleetOf, hasRedis } from '../../support/redis.ts';
import * as does from '../../support/service.ts';
import { leastCpuMs } from '../../support/work.ts';

/** The numbers of the documents that the service received, in order, and what it does with each. */
const arrived: string[] = [];
let behaviours: Record<string, does.Behaviour> = {};
beforeEach(() => {
  arrived.length = 0;
  behaviours = {};
});

const { service, gateway } = await gatewayOfService((request, response) => {
  const received = service.received.find(({ headers }) => headers === request.headers);
  const { docNumber } = JSON.parse(String(received?.body));
  arrived.push(docNumber);
  (behaviours[docNumber] ?? does.json(200, { docId: arrived.length, docNumber }))(request, response);
});
const redis = await redisForFile();

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

const brokenInvoice = invoice('INV', { lines: [{ amountExclTax: '0', taxes: [{ amount: '0' }] }] });

/** What the caller gets for each document: its number, the rule that it breaks, or the code of an error. */
const outcomesOf = (...input: object[]) => outcomesFrom(gateway, input);

async function outcomesFrom({ ask }: TestGateway, input: object[]): Promise<string[]> {
  const { data, errors } = await ask(query, { input });
  return data.importMalaysiaInvoices.map((outcome: any, index: number) => {
    if (outcome === null) return errors?.find(({ path }) => path?.[1] === index)?.extensions['code'];
    const error = outcome.problems?.find(({ severity }: { severity: string }) => severity === 'ERROR');
    return outcome.docNumber ?? error.rule;
  });
}

it('100 notes that refer to each other are put in order in a few milliseconds', async () => {
  const reference = { originalInvoiceCodeNumber: 'CN' };
  const invoice: MalaysiaInvoice = { docType: 'credit_note', docNumber: 'CN', reference, lines: [] };
  const requests = Array.from({ length: 100 }, () => ({ invoice }));
  const ordered = () => runBatch(requests, async (_request, original) => original);
  expect((await ordered()).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await leastCpuMs(ordered, 40)).toBeLessThan(40);
});

describe('a batch with a note and its original', () => {
  it('sends the note after the original, in any order of the input, and everything else at once', async () => {
    let respond: (() => void) | undefined;
    behaviours = {
      INV: (request, response) => {
        respond = () => does.json(200, { docId: 1, docNumber: 'INV' })(request, response);
      },
    };
    const result = outcomesOf(note('CN', 'INV'), invoice('INV'), note('CN-2', 'OLD'), invoice('INV-2'));
    await expect.poll(() => [...arrived].sort(), { interval: 5 }).toEqual(['CN-2', 'INV', 'INV-2']);
    respond?.();
    expect(await result).toEqual(['CN', 'INV', 'CN-2', 'INV-2']);
    expect(arrived.at(-1)).toBe('CN');
  });

  it('does not send the note when the original was refused', async () => {
    behaviours = { INV: does.json(400, { message: 'no' }) };
    const { data } = await gateway.ask(query, { input: [invoice('INV'), note('CN', 'INV')] });
    expect(data.importMalaysiaInvoices[1].problems[0]).toMatchObject({
      rule: 'not-sent-original-missing',
      path: ['invoice', 'reference', 'originalInvoiceCodeNumber'],
      message: expect.stringContaining('Import the note by itself'),
    });
    expect(arrived).toEqual(['INV']);
  });

  it.each<[string, does.Behaviour, object]>([
    ['for its credentials', does.json(401, {}), { code: 'UNAUTHENTICATED', retryable: false }],
    ['by the rate of calls', does.json(429, {}), { code: 'RATE_LIMITED', retryable: true }],
    ['for a moment', does.json(503, {}, { 'retry-after': '1' }), { retryable: true, retryAfterMs: 1_000 }],
  ])(
    'fails with its original, sent again with it, when that was rejected %s',
    async (_how, reject, advice) => {
      behaviours = { INV: reject };
      const batch = [note('CN-2', 'CN'), note('CN', 'INV'), invoice('INV')];
      const { data, errors } = await gateway.ask(query, { input: batch });
      expect(data.importMalaysiaInvoices).toEqual([null, null, null]);
      const extensions = { ...advice, sideEffect: 'NONE' };
      expect(errors).toMatchObject(batch.map(() => ({ extensions })));
      expect(arrived.splice(0)).toEqual(['INV']);
      behaviours = {};
      expect(await outcomesOf(...batch)).toEqual(['CN-2', 'CN', 'INV']);
    },
  );

  it.each([
    ['a number', {}],
    ['no number', { extra: { docNumber: null } }],
  ])('does not send a note with %s when the original breaks a rule', async (_what, more) => {
    const outcomes = await outcomesOf(note('CN', 'INV', more), brokenInvoice);
    expect(outcomes).toEqual(['not-sent-original-missing', 'tax-type-one']);
    expect(arrived).toEqual([]);
  });

  it('sends the note when the outcome of the original is unknown', async () => {
    behaviours = { INV: does.json(500, {}) };
    expect(await outcomesOf(invoice('INV'), note('CN', 'INV'))).toEqual(['UPSTREAM_UNAVAILABLE', 'CN']);
  });

  it('sends the note when one of two originals of that number was imported', async () => {
    const outcomes = await outcomesOf(brokenInvoice, invoice('INV'), note('CN', 'INV'));
    expect(outcomes).toEqual(['tax-type-one', 'INV', 'CN']);
  });

  it('returns the outcome of a note that was imported under its key, also when the original is refused now', async () => {
    const batch = [invoice('INV'), { ...note('CN', 'INV'), idempotencyKey: 'the-key-of-CN' }];
    expect(await outcomesOf(...batch)).toEqual(['INV', 'CN']);
    behaviours = { INV: does.json(409, { message: 'INV already exists' }) };
    expect(await outcomesOf(...batch)).toEqual(['CONFLICT', 'CN']);
    expect(arrived).toEqual(['INV', 'CN', 'INV']);
  });

  it.each(hasRedis() ? ['memory', 'Redis'] : ['memory'])(
    'refuses a note with the key of its original, with the keys in %s',
    async (store) => {
      const environment = { UPSTREAM_URL: service.url, ...(store === 'Redis' && fleetOf(redis)) };
      const batch = [note('CN', 'INV'), invoice('INV')].map((one) => ({
        ...one,
        idempotencyKey: 'the-key-of-both',
      }));
      const outcomes = outcomesFrom(forTest(await startTestGateway(environment)), batch);
      expect(await outcomes).toEqual(['IDEMPOTENCY_CONFLICT', 'INV']);
    },
  );

  it('frees the key of a note that was not sent', async () => {
    const batch = [invoice('INV'), { ...note('CN', 'INV'), idempotencyKey: 'the-key-of-CN-2' }];
    behaviours = { INV: does.json(400, {}) };
    expect(await outcomesOf(...batch)).toEqual(['refused-by-service', 'not-sent-original-missing']);
    behaviours = {};
    expect(await outcomesOf(...batch)).toEqual(['INV', 'CN']);
  });

  it('reports a note that breaks a rule without waiting for its original', async () => {
    behaviours = { INV: does.json(400, {}) };
    const broken = note('CN', 'INV', { lines: [{ amountExclTax: '1' }] });
    expect(await outcomesOf(invoice('INV'), broken)).toEqual(['refused-by-service', 'credit-note-negative']);
  });

  it('sends a note after the note that it refers to, and not without it', async () => {
    const batch = [note('CN-2', 'CN'), note('CN', 'INV'), invoice('INV')];
    expect(await outcomesOf(...batch)).toEqual(['CN-2', 'CN', 'INV']);
    expect(arrived.splice(0)).toEqual(['INV', 'CN', 'CN-2']);
    behaviours = { INV: does.json(400, {}) };
    const missing = 'not-sent-original-missing';
    expect(await outcomesOf(...batch)).toEqual([missing, missing, 'refused-by-service']);
    expect(arrived).toEqual(['INV']);
  });

  it('sends notes that refer to each other, and after them what refers to one of them', async () => {
    expect(await outcomesOf(note('A', 'B'), note('B', 'A'), note('C', 'C'))).toEqual(['A', 'B', 'C']);
    behaviours = { A: does.json(400, {}) };
    const outcomes = await outcomesOf(note('D', 'A'), note('A', 'B'), note('B', 'A'));
    expect(outcomes).toEqual(['not-sent-original-missing', 'refused-by-service', 'B']);
  });
});
