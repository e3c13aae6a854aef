import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCourse } from '../../src/sandbox/course.ts';
import { withKey } from '../support/gateway.ts';
import {
  bob,
  calls,
  fapiao,
  get,
  imported,
  malaysia,
  mexico,
  post,
  restartSandbox,
  sandbox,
  statusesOf,
  useSandbox,
} from '../support/sandbox.ts';

useSandbox();

describe('GET /v2/einvoice/mexico/status', () => {
  it('finds a document by its id and by its uuid, exactly as they are stored', async () => {
    const byId = (await mexico('1001')).body;
    const passed = { result: 'PASS', detail: null };
    expect(byId).toEqual({
      documentId: '1001',
      uuid: byId.uuid,
      validation_result: 'VALID',
      validatedAt: '2026-02-11T09:30:00.000Z',
      invalid_reason: null,
      steps: { schema: passed, authorityStatus: passed, rfc: passed },
    });
    expect((await mexico(byId.uuid)).body).toEqual(byId);
    for (const other of [byId.uuid.toLowerCase(), '01001']) expect((await mexico(other)).status).toBe(404);
  });

  it('the failed step repeats the reason, and only the steps that ran are there', async () => {
    const failures = { 1002: ['schema', 'authorityStatus'], 1004: ['schema'] };
    for (const [id, steps] of Object.entries({ ...failures, 1005: ['schema', 'authorityStatus', 'rfc'] })) {
      const { validation_result, invalid_reason, steps: found } = (await mexico(id)).body;
      expect([validation_result, Object.keys(found)]).toEqual(['INVALID', steps]);
      expect(found[steps.at(-1) as string]).toEqual({ result: 'FAIL', detail: invalid_reason });
    }
  });
});

describe('POST create-fapiao-xml', () => {
  const sample = readFileSync(new URL('../fixtures/fapiao.xml', import.meta.url), 'utf8');

  it('returns a request id, and lists the decoded name and queue in the calls', async () => {
    const { body } = await fapiao(sample, { name: encodeURIComponent('发票.xml'), qid: '8' });
    expect(body).toEqual({
      createXmlDocument: {
        message: 'Document creation request has been accepted.',
        requestId: expect.stringMatching(/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/),
      },
    });
    expect(await calls()).toMatchObject([
      {
        ...{ endpoint: 'fapiao', name: '发票.xml', qid: '8', bytes: Buffer.byteLength(sample) },
        sha256: createHash('sha256').update(sample).digest('hex'),
      },
    ]);
  });

  it('reads the XML in the encoding of its byte order mark or of its declaration', async () => {
    /** The character 发 in GBK, which is not valid UTF-8. */
    const declared = (encoding: string) =>
      Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><EInvoice>\xb7\xa2</EInvoice>`, 'latin1');
    const utf16 = Buffer.from(`\uFEFF${sample}`, 'utf16le');
    const unmarked = Buffer.from('<EInvoice>发</EInvoice>', 'utf16le');
    const wide = [utf16, unmarked].flatMap((xml) => [xml, Buffer.from(xml).swap16()]);
    const readable = [...wide, Buffer.from(`\uFEFF${sample}`), declared('GBK')];
    expect(await statusesOf(...readable.map((xml) => () => fapiao(xml)))).toEqual(Array(6).fill(200));
    const halfCharacter = Buffer.from('\uFEFF<EInvoice>\ud800</EInvoice>', 'utf16le');
    const unreadable = [declared('UTF-8'), declared('unknown'), halfCharacter];
    expect(await statusesOf(...unreadable.map((xml) => () => fapiao(xml)))).toEqual([400, 400, 400]);
  });

  it('rejects a body that is not XML, another root element and another content type', async () => {
    const broken = ['<EInvoice>', '', '<Invoice/>'].map((xml) => () => fapiao(xml));
    const text = () => fapiao(sample, { 'content-type': 'text/xml' });
    expect(await statusesOf(...broken, text)).toEqual([400, 400, 400, 415]);
  });
});

describe('a Malaysian import', () => {
  it('is queued, then submitted with portal ids, then validated', async () => {
    const { body } = await imported();
    const { docId } = body;
    expect(body).toEqual({
      requestId: expect.any(String),
      queueId: 12,
      docId,
      docType: 'invoice',
      docNumber: 'INV-1',
      message: 'The document has been queued for submission.',
      trackingUrl: expect.stringMatching(new RegExp(`/v2/einvoice/malaysia/status/${docId}$`)),
    });
    expect(await malaysia(docId)).toEqual({ docId, status: 'queued' });
    sandbox.clock.advance(8_000);
    const submitted = await malaysia(docId);
    const portalId = expect.stringMatching(/^[A-Z0-9]{26}$/);
    expect(submitted).toEqual({
      docId,
      status: 'submitted',
      govPortal: { submissionId: portalId, uuid: portalId },
    });
    sandbox.clock.advance(10_000);
    expect(await malaysia(docId)).toEqual({ ...submitted, status: 'validated' });
  });

  it.each([
    ['-REJ', 'queued', 'submitted', 'rejected'],
    ['-FAIL', 'queued', 'failed', 'failed'],
    ['-SLOW', 'queued', 'queued', 'queued', 'validated'],
    ['-NOW', 'submitted', 'submitted', 'validated'],
  ])('with a number that ends in %s is %s, then %s, then %s', async (ending, ...states) => {
    const { body } = await imported({ docNumber: `INV${ending}` }, 'queue-a');
    expect(body['queueId']).toBe('queue-a');
    expect('govPortal' in body).toBe(ending === '-NOW');
    for (const [index, status] of states.entries()) {
      sandbox.clock.advance([0, 8_000, 10_000, 162_000][index] as number);
      const found = await malaysia(body['docId'] as number);
      const reason = status === 'rejected' && { message: 'The buyer TIN is not valid.' };
      expect(found).toMatchObject({ status, ...reason });
      expect('govPortal' in found).toBe(!['queued', 'failed'].includes(status));
    }
  });

  it('takes as long as the course says that was set before it, and another course changes no document', async () => {
    const course = { queuedMs: 1_000, submittedMs: 2_000, spread: 0 };
    expect((await post('/sandbox/course', course)).body).toEqual(course);
    const { docId } = (await imported()).body;
    const usual = { queuedMs: 8_000, submittedMs: 10_000, spread: 0 };
    expect((await post('/sandbox/course', {})).body).toEqual(usual);
    expect((await get('/sandbox/course')).body).toEqual(usual);
    const other = (await imported({ docNumber: 'INV-2' })).body;
    sandbox.clock.advance(1_000);
    expect(await malaysia(docId)).toMatchObject({ status: 'submitted' });
    sandbox.clock.advance(2_000);
    expect(await malaysia(docId)).toMatchObject({ status: 'validated' });
    expect(await malaysia(other.docId)).toMatchObject({ status: 'queued' });
  });

  it('takes as long as its number decides when the course has a spread, half of them less than stated', () => {
    const course = createCourse();
    course.set({ queuedMs: 60_000, submittedMs: 86_400_000, spread: 0.5 });
    const durations = Array.from({ length: 40 }, (_, index) => course.durationsOf(`INV-${index}`));
    const within = (ms: number) => durations.filter(({ queuedMs }) => queuedMs <= ms).length;
    expect(within(10_000)).toBeLessThan(3);
    expect(within(60_000)).toBeGreaterThan(13);
    expect(within(60_000)).toBeLessThan(27);
    expect(within(136_000)).toBeGreaterThan(35);
    expect(within(336_000)).toBeGreaterThan(within(136_000));
    expect(course.durationsOf('INV-1')).toEqual(durations[1]);
  });

  it('with a number used before creates a document that is rejected later', async () => {
    const [first, again, elsewhere] = [await imported(), await imported(), await imported({}, '12', bob)];
    expect(again.status).toBe(200);
    expect(again.body.docId).toBe(first.body.docId + 1);
    sandbox.clock.advance(18_000);
    expect(await malaysia(first.body.docId)).toMatchObject({ status: 'validated' });
    expect(await malaysia(again.body.docId)).toMatchObject({
      status: 'rejected',
      message: expect.stringMatching(/^Duplicate submission/),
    });
    expect(await malaysia(elsewhere.body.docId, bob)).toMatchObject({ status: 'validated' });
    expect(await malaysia(first.body.docId, bob)).toMatchObject({ statusCode: 404 });
  });

  it('without an API key is known to calls with the same bearer token only', async () => {
    const [one, other] = [{ authorization: 'Bearer one' }, { authorization: 'Bearer other' }];
    const [{ body }, elsewhere] = [await imported({}, '12', one), await imported({}, '12', other)];
    sandbox.clock.advance(18_000);
    expect(await malaysia(body.docId, one)).toMatchObject({ status: 'validated' });
    expect(await malaysia(elsewhere.body.docId, other)).toMatchObject({ status: 'validated' });
    // The last two have the token as their API key.
    for (const headers of [other, {}, bob, withKey('one'), withKey('Bearer one')])
      expect(await malaysia(body.docId, headers)).toMatchObject({ statusCode: 404 });
  });

  it('that breaks a rule of docs/service.md is 400 with a message of one line', async () => {
    const reference = { originalInvoiceCodeNumber: 'INV-1' };
    const lines = (amountExclTax: unknown, type: unknown = 'SALES_TAX', amount = 0) => [
      { amountExclTax, taxes: [{ type, amount }] },
    ];
    const broken = [
      { docType: 'receipt' },
      { docNumber: 7 },
      { lines: {} },
      { lines: lines('1.00') },
      { lines: lines(1, ' ') },
      { lines: lines(1, 5) },
      { lines: lines(1, 'SST') },
      { lines: lines(1, 'sst') },
      { docType: 'refund_note' },
      { docType: 'self_billed_debit_note', reference: {} },
      { docType: 'credit_note', reference, lines: lines(1) },
      { docType: 'credit_note', reference, lines: lines(-1, 'SALES_TAX', 0.06) },
      { docType: 'debit_note', reference, lines: lines(-1) },
    ];
    for (const members of broken) {
      const { status, body } = await imported(members);
      expect([members, status]).toEqual([members, 400]);
      expect(body['message']).toMatch(/^[^\n]{1,200}$/);
    }
    expect((await imported({ docType: 'credit_note', reference, lines: lines(-1) })).status).toBe(200);
    expect((await imported({ docType: 'refund_note', reference, lines: lines(1) })).status).toBe(200);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0, -1])('cannot be processed at speed %d', async (speed) => {
    await expect(restartSandbox({ speed })).rejects.toThrow('speed must be a positive number.');
  });

  it('is processed ten times faster at speed 10', async () => {
    await restartSandbox({ speed: 10 });
    const { docId } = (await imported()).body;
    sandbox.clock.advance(1_800);
    expect(await malaysia(docId)).toMatchObject({ status: 'validated' });
  });
});
