import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';

const alice = { 'x-api-key': 'alice-key', authorization: 'Bearer alice-token' };
const bob = { 'x-api-key': 'bob-key', authorization: 'Bearer bob-token' };
const startedAt = Date.UTC(2026, 2, 1);

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ now: () => startedAt });
});

afterEach(() => sandbox.close());

type Json = Readonly<Record<string, unknown>>;

interface Match {
  readonly keyword: unknown;
  readonly match: string;
  readonly matchmulti?: null;
  readonly page: number;
  readonly value: readonly unknown[];
}

type FieldName = 'DOB' | 'ExpiryDate' | 'Gender' | 'IssueDate' | 'Name' | 'Nationality' | 'NricNumber';

interface Scan {
  readonly docId: number;
  readonly data: Readonly<Record<FieldName, { readonly matches: readonly [Match] }>> & {
    readonly SmallBoxes: readonly unknown[];
    readonly DocSize: readonly unknown[];
    readonly num_pages: number;
  };
}

/** The members of answers that a test looks into; whatever it compares as a whole needs no type. */
interface Body extends Json {
  readonly scanDocuments: Scan;
  readonly createGroup: { readonly id: number; readonly uid: number };
  readonly exportDocumentByDocIds: { readonly data: string; readonly message: string };
  readonly uuid: string;
  readonly steps: Json;
  readonly docId: number;
  readonly status: string;
  readonly calls: readonly Json[];
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(sandbox.url + path, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

const get = (path: string, headers: Record<string, string> = alice) => call(path, { headers });

const post = (path: string, body: unknown, headers: Record<string, string> = alice) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

function scanForm(content = 'card', name = 'card.png', parts: Record<string, string> = {}): FormData {
  const form = new FormData();
  form.set('files', new Blob([content]), name);
  for (const [part, value] of Object.entries({ qid: '77', handwritten: '[false]', ...parts })) {
    form.set(part, value);
  }
  return form;
}

const scan = (form = scanForm(), headers: Record<string, string> = alice) =>
  call('/v1/documents/scan/nric', { method: 'POST', headers, body: form });

const exported = (docIds?: unknown, headers = alice) =>
  post('/v1/documents/export', docIds === undefined ? {} : { docIds }, headers);

const mexico = (idOrUuid: string) => get(`/v2/einvoice/mexico/status/${idOrUuid}`);

const fapiao = (xml: string, headers: Record<string, string> = {}) =>
  call('/v2/supernova/models/document/create-fapiao-xml', {
    method: 'POST',
    headers: { ...alice, 'content-type': 'application/xml', ...headers },
    body: xml,
  });

function anInvoice(members: Json = {}): Json {
  const lines = [{ amountExclTax: 100.5, taxes: [{ type: 'SERVICE_TAX', amount: 8.04 }] }];
  return { docType: 'invoice', docNumber: 'INV-1', supplier: {}, buyer: {}, lines, totals: {}, ...members };
}

const imported = (members: Json = {}, queueId = '12', headers: Record<string, string> = alice) =>
  post(`/v2/einvoice/malaysia/queue/${queueId}`, anInvoice(members), headers);

const malaysia = async (docId: number, headers: Record<string, string> = alice) =>
  (await get(`/v2/einvoice/malaysia/status/${docId}`, headers)).body;

const order = (fault: string, endpoint = '*', times?: number | null) =>
  post('/sandbox/faults', { endpoint, fault, times });

const calls = async (): Promise<readonly Json[]> => (await get('/sandbox/calls')).body.calls;

describe('credentials', () => {
  it('an API key and a bearer token are demanded where the interface document demands them', async () => {
    const { authorization, ...keyOnly } = alice;
    expect((await scan(scanForm(), {})).status).toBe(401);
    expect((await scan(scanForm(), keyOnly)).status).toBe(200);
    expect((await post('/v1/groups', {}, keyOnly)).status).toBe(401);
    expect((await post('/v1/groups', {}, { authorization })).status).toBe(401);
    expect((await post('/v1/groups', {}, alice)).status).toBe(200);
    expect((await get('/v2/einvoice/mexico/status/1001', keyOnly)).status).toBe(401);
  });

  it('a Malaysia import needs none, but one that is given must be good', async () => {
    expect((await imported({}, '12', {})).status).toBe(200);
    expect((await imported({}, '12', { 'x-api-key': 'bad-key' })).status).toBe(401);
    expect((await imported({}, '12', { authorization: 'Bearer expired-token' })).status).toBe(401);
    expect((await imported({}, '12', { authorization: 'Basic abc' })).status).toBe(401);
  });

  it('a refusal is JSON with statusCode, message and error', async () => {
    expect(await post('/v1/groups', {}, { ...alice, 'x-api-key': 'bad-key' })).toMatchObject({
      status: 401,
      body: { statusCode: 401, message: 'The API key is not known.', error: 'Unauthorized' },
    });
  });

  it('a key beginning with forbidden is 403', async () => {
    expect((await post('/v1/groups', {}, { ...alice, 'x-api-key': 'forbidden-key' })).status).toBe(403);
  });

  it('a key beginning with limited is 429 with Retry-After on every third call', async () => {
    const answers: Answer[] = [];
    for (let n = 0; n < 6; n++) {
      answers.push(await post('/v1/groups', {}, { ...alice, 'x-api-key': 'limited-key' }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).toBe('1');
  });
});

describe('scan', () => {
  it('the same file always shows the same card, with boxes of eight members', async () => {
    const [first, second] = [(await scan()).body.scanDocuments, (await scan()).body.scanDocuments];
    expect(first).toMatchObject({ status: 'COMPLETED', docId: 5001 });
    expect(second).toEqual({ ...first, docId: 5002 });
    const { Name, SmallBoxes, DocSize, num_pages } = first.data;
    expect(Name).toMatchObject({ UICategory: 'Basic Information', UIName: 'Name', UIType: 'Text' });
    const [{ match, value, page, matchmulti }] = Name.matches;
    expect([match, page, matchmulti]).toEqual([value[6], 0, null]);
    expect(value.map((member: unknown) => typeof member)).toEqual([
      ...Array(6).fill('number'),
      'string',
      'string',
    ]);
    expect(SmallBoxes).toContainEqual({ box: value, page: 0 });
    expect(DocSize).toHaveLength(num_pages);
  });

  it('five people are on the cards, and no card has an expiry date', async () => {
    const numbers = new Set<string>();
    for (let n = 0; n < 30; n++) {
      const { data } = (await scan(scanForm(`file ${n}`))).body.scanDocuments;
      numbers.add(data.NricNumber.matches[0].match);
      expect(data.ExpiryDate.matches).toEqual([{ keyword: null, match: null, page: null, value: null }]);
    }
    expect([...numbers].sort()).toEqual(['F0000777M', 'G0000888K', 'M0000999N', 'S0000001I', 'T0100456A']);
  });

  it('nothing is found in a file whose name holds blank', async () => {
    const { data } = (await scan(scanForm('card', 'blank page.png'))).body.scanDocuments;
    const fields = [data.DOB, data.ExpiryDate, data.Gender, data.IssueDate, data.Name, data.Nationality];
    for (const { matches } of [...fields, data.NricNumber]) {
      expect(matches).toEqual([{ keyword: null, match: null, page: null, value: null }]);
    }
    expect(data.SmallBoxes).toEqual([]);
  });

  it('a file named corrupt is 422, one ending .exe 415, an empty one 400', async () => {
    expect((await scan(scanForm('card', 'corrupt.pdf'))).status).toBe(422);
    expect((await scan(scanForm('card', 'card.EXE'))).status).toBe(415);
    expect((await scan(scanForm('', 'card.png'))).status).toBe(400);
  });

  it('each part must be there, once, and handwritten one of its four texts', async () => {
    for (const part of ['files', 'qid', 'handwritten']) {
      const without = scanForm();
      without.delete(part);
      expect((await scan(without)).status).toBe(400);
      const twice = scanForm();
      twice.append(part, twice.get(part) as string);
      expect((await scan(twice)).status).toBe(400);
    }
    expect((await scan(scanForm('card', 'card.png', { handwritten: 'yes' }))).status).toBe(400);
    for (const handwritten of ['true', 'false', '[true]', '[false]']) {
      expect((await scan(scanForm('card', 'card.png', { handwritten }))).status).toBe(200);
    }
  });

  it('a body that ends inside a part, or is no multipart, is refused', async () => {
    const send = (body: string, type: string) =>
      call('/v1/documents/scan/nric', { method: 'POST', headers: { ...alice, 'content-type': type }, body });
    const cut = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.png"\r\n\r\nabc';
    expect((await send(cut, 'multipart/form-data; boundary=x')).status).toBe(400);
    expect((await send(cut, 'multipart/form-data')).status).toBe(400);
    expect((await send('{}', 'application/json')).status).toBe(415);
  });

  it('a large file is counted and hashed while it flows', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const hash = createHash('sha256');
    async function* body() {
      yield '--x\r\ncontent-disposition: form-data; name="qid"\r\n\r\n77\r\n--x\r\ncontent-disposition: form-data; ';
      yield 'name="handwritten"\r\n\r\ntrue\r\n--x\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\n';
      yield 'content-type: application/pdf\r\n\r\n';
      for (let n = 0; n < 64; n++) {
        hash.update(chunk);
        yield chunk;
      }
      yield '\r\n--x--\r\n';
    }
    const init = {
      method: 'POST',
      headers: { ...alice, 'content-type': 'multipart/form-data; boundary=x' },
      body: Readable.toWeb(Readable.from(body(), { objectMode: false })) as RequestInit['body'],
      duplex: 'half',
    };
    expect((await call('/v1/documents/scan/nric', init as RequestInit)).status).toBe(200);
    const [entry] = await calls();
    expect(entry?.file).toEqual({
      ...{ name: 'a.pdf', contentType: 'application/pdf', bytes: 64 * chunk.length },
      sha256: hash.digest('hex'),
    });
  });
});

describe('groups', () => {
  it('a new group is empty, and created at the time of the sandbox clock', async () => {
    const first = (await post('/v1/groups', { name: 'Cards' })).body;
    sandbox.clock.advance(1_500);
    const second = (await post('/v1/groups', {})).body;
    const { id, uid } = first.createGroup;
    expect(first).toEqual({
      createGroup: { createdAt: startedAt, id, name: 'Cards', queueCount: 0, queues: [], uid },
    });
    expect(second.createGroup).toMatchObject({
      createdAt: startedAt + 1_500,
      id: id + 1,
      name: null,
      uid,
    });
  });

  it('a body that is no JSON object, or no JSON, is refused', async () => {
    expect((await post('/v1/groups', '[]')).status).toBe(400);
    expect((await post('/v1/groups', '{')).status).toBe(400);
    expect((await post('/v1/groups', { name: 1 })).status).toBe(400);
    expect((await post('/v1/groups', {}, { ...alice, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/v1/groups', { name: 'x'.repeat(9 * 1024 * 1024) })).status).toBe(413);
  });
});

describe('export', () => {
  const rows = (answer: Answer): string[][] => parse(answer.body.exportDocumentByDocIds.data);

  it('the header row has the 37 columns, quoted, and empty values have no quotes', async () => {
    await scan(scanForm('card', 'blank.png'));
    const { data, message } = (await exported()).body.exportDocumentByDocIds;
    const [header, row] = data.split('\r\n');
    expect(message).toBe('Downloaded document successfully.');
    expect(header?.split(',')).toHaveLength(37);
    expect(header).toMatch(/^"Name","Engine Number",.*,"File Name",.*,"Other Date"$/);
    expect(row).toBe(`${','.repeat(15)}"blank.png"${','.repeat(21)}`);
  });

  it('a document has one row, with its card and its file name, whatever they hold', async () => {
    for (let n = 0; n < 12; n++) await scan(scanForm(`file ${n}`, `scan ${n}, front.png`));
    const [header = [], ...documents] = rows(await exported());
    expect(documents).toHaveLength(12);
    const column = (name: string) => documents.map((row) => row[header.indexOf(name)]);
    expect(column('File Name')).toEqual(Array.from({ length: 12 }, (_, n) => `scan ${n}, front.png`));
    expect(column('Name')).toContain('BRANDT, KLARA "CLAIRE"');
    expect(column('Address')).toContain('9 NOWHERE LANE\nSINGAPORE 000004');
  });

  it('only the documents that are asked for are exported', async () => {
    for (const name of ['a.png', 'b.png', 'c.png']) await scan(scanForm('card', name));
    expect(rows(await exported([5003, 5001, 5001])).map((row) => row[15])).toEqual([
      'File Name',
      'a.png',
      'c.png',
    ]);
    expect(rows(await exported([]))).toHaveLength(1);
  });

  it('an unknown document, or one in no tab that can be exported, refuses the whole call', async () => {
    const { docId } = (await imported()).body;
    await scan();
    expect((await exported([docId + 1])).status).toBe(200);
    expect((await exported([docId + 1, docId])).status).toBe(400);
    expect((await exported([9999])).status).toBe(400);
    expect((await exported(['5001'])).status).toBe(400);
  });

  it('two API keys never see each other’s documents', async () => {
    const { docId } = (await scan()).body.scanDocuments;
    expect(rows(await exported(undefined, bob))).toHaveLength(1);
    expect((await exported([docId], bob)).status).toBe(400);
  });
});

describe('Mexico status', () => {
  it('a document is found by its id, and by its uuid exactly as it is stored', async () => {
    const byId = (await mexico('1001')).body;
    expect(byId).toEqual({
      documentId: '1001',
      uuid: byId.uuid,
      validation_result: 'VALID',
      validatedAt: '2026-02-11T09:30:00.000Z',
      invalid_reason: null,
      steps: {
        schema: { result: 'PASS', detail: null },
        authorityStatus: { result: 'PASS', detail: null },
        rfc: { result: 'PASS', detail: null },
      },
    });
    expect((await mexico(byId.uuid)).body).toEqual(byId);
    expect((await mexico(byId.uuid.toLowerCase())).status).toBe(404);
  });

  it('the failed step repeats the reason, and only the steps that ran are there', async () => {
    const failures = { 1002: ['schema', 'authorityStatus'], 1004: ['schema'] };
    for (const [id, steps] of Object.entries({ ...failures, 1005: ['schema', 'authorityStatus', 'rfc'] })) {
      const { body } = await mexico(id);
      expect(body['validation_result']).toBe('INVALID');
      expect(Object.keys(body.steps)).toEqual(steps);
      expect(body.steps[steps.at(-1) as string]).toEqual({
        result: 'FAIL',
        detail: body['invalid_reason'],
      });
    }
  });

  it('the latest of two runs is told', async () => {
    expect((await mexico('1003')).body).toMatchObject({ validation_result: 'VALID', invalid_reason: null });
  });

  it('a document that was never validated is 404, and what is neither id nor uuid is 400', async () => {
    expect((await mexico('1999')).status).toBe(404);
    expect((await mexico('424242')).status).toBe(404);
    expect((await mexico('00000000-0000-0000-0000-000000000000')).status).toBe(404);
    for (const neither of ['abc', '1e3', '', '%', '..%2F1001']) {
      expect((await mexico(neither)).status).toBe(400);
    }
  });
});

describe('Fapiao', () => {
  const sample = readFileSync(new URL('./fixtures/fapiao.xml', import.meta.url), 'utf8');

  it('is acknowledged with a request id, and its name and queue are kept as they were meant', async () => {
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

  it('is refused when it is no XML, has another root, or another content type', async () => {
    expect((await fapiao('<EInvoice>')).status).toBe(400);
    expect((await fapiao('')).status).toBe(400);
    expect((await fapiao('<Invoice/>')).status).toBe(400);
    expect((await fapiao(sample, { 'content-type': 'text/xml' })).status).toBe(415);
  });
});

describe('Malaysia', () => {
  it('an import is queued, then submitted with portal ids, then validated', async () => {
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

  it('the end of the document number decides its fate', async () => {
    const ids: Record<string, number> = {};
    for (const fate of ['REJ', 'FAIL', 'SLOW', 'NOW']) {
      const { body } = await imported({ docNumber: `INV-${fate}` }, 'queue-a');
      ids[fate] = body.docId;
      expect(body['queueId']).toBe('queue-a');
      expect('govPortal' in body).toBe(fate === 'NOW');
    }
    const states = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(ids).map(async ([fate, id]) => [fate, (await malaysia(id)).status] as const),
        ),
      );
    expect(await states()).toEqual({ REJ: 'queued', FAIL: 'queued', SLOW: 'queued', NOW: 'submitted' });
    sandbox.clock.advance(8_000);
    expect(await states()).toEqual({ REJ: 'submitted', FAIL: 'failed', SLOW: 'queued', NOW: 'submitted' });
    sandbox.clock.advance(10_000);
    expect(await states()).toEqual({ REJ: 'rejected', FAIL: 'failed', SLOW: 'queued', NOW: 'validated' });
    expect(await malaysia(ids['REJ'] as number)).toMatchObject({ message: 'The buyer TIN is not valid.' });
    expect(await malaysia(ids['FAIL'] as number)).not.toHaveProperty('govPortal');
    sandbox.clock.advance(162_000);
    expect(await states()).toMatchObject({ SLOW: 'validated' });
  });

  it('a number used before makes a new document that is rejected later', async () => {
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

  it('what breaks a rule of the interface document is refused with one line', async () => {
    const reference = { originalInvoiceCodeNumber: 'INV-1' };
    const lines = (amountExclTax: unknown, type = 'SALES_TAX', amount = 0) => [
      { amountExclTax, taxes: [{ type, amount }] },
    ];
    const broken = [
      { docType: 'receipt' },
      { docNumber: 7 },
      { lines: {} },
      { lines: lines('1.00') },
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

  it('what the interface document does not require, or leaves open, is accepted', async () => {
    const reference = { originalInvoiceCodeNumber: 'INV-1' };
    const lines = [{ amountExclTax: -1, taxes: [{ type: 'TOURISM_TAX', amount: 0 }] }];
    const open = [
      { lines: [] },
      { docNumber: '' },
      { supplier: undefined, buyer: undefined, totals: undefined },
      { docType: 'credit_note', reference, lines, totals: { exchangeRate: 4.7, lineCount: 1 } },
    ];
    for (const members of open) {
      expect([members, (await imported(members)).status]).toEqual([members, 200]);
    }
  });

  it('a faster sandbox processes sooner', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ speed: 10, now: () => startedAt });
    const { docId } = (await imported()).body;
    sandbox.clock.advance(1_800);
    expect(await malaysia(docId)).toMatchObject({ status: 'validated' });
  });
});

describe('faults', () => {
  it('come in the order in which they were set, as many times as asked', async () => {
    await order('status-500', 'createGroup', 2);
    await order('unavailable-after-7');
    const answers = [await post('/v1/groups', {}), await mexico('1001')];
    answers.push(await post('/v1/groups', {}), await post('/v1/groups', {}));
    expect(answers.map(({ status }) => status)).toEqual([500, 503, 500, 200]);
    expect(answers[1]?.headers.get('retry-after')).toBe('7');
    expect(await calls()).toMatchObject([
      { endpoint: 'createGroup', status: 500, fault: 'status-500' },
      { endpoint: 'mexicoStatus', status: 503, fault: 'unavailable-after-7' },
      { endpoint: 'createGroup', status: 500 },
      { endpoint: 'createGroup', status: 200 },
    ]);
  });

  it('last until cleared when times is null', async () => {
    await order('graphql-error-UNAUTHENTICATED', 'mexicoStatus', null);
    for (let n = 0; n < 3; n++) {
      expect(await mexico('1001')).toMatchObject({
        status: 200,
        body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }], data: null },
      });
    }
    await order('none', 'mexicoStatus');
    expect((await mexico('1001')).body['errors']).toBeUndefined();
  });

  it('that are unknown are refused with the list of those that exist', async () => {
    expect(await order('explode')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/none, status-NNN, .*extra-members/) },
    });
    expect(await order('reset', 'teapot')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/scan, createGroup, export/) },
    });
    expect((await order('reset', '*', 0)).status).toBe(400);
  });

  it('that spoil an answer let the work be done, and those that refuse do not', async () => {
    const text = async (fault: string) => {
      await order(fault);
      const response = await fetch(`${sandbox.url}/v1/documents/scan/nric`, {
        ...{ method: 'POST', headers: alice, body: scanForm('card', `${fault}.png`), redirect: 'manual' },
      });
      return [response.status, await response.text()] as const;
    };
    expect(await text('empty')).toEqual([200, '']);
    expect(await text('null')).toEqual([200, 'null']);
    expect(await text('array')).toEqual([200, '[]']);
    expect(await text('empty-object')).toEqual([200, '{}']);
    expect((await text('html-200'))[1]).toMatch(/^<!doctype html>/);
    expect((await text('malformed-json'))[1]).toMatch(/^\{"scanDocuments":.*[^}]$/);
    expect((await text('extra-members'))[1]).toContain('"__proto__":{"polluted":true}');
    expect((await text('mistyped-members'))[1]).toContain('"docId":"seven"');
    expect((await text('unknown-words'))[1]).toContain('"status":"SANDBOX_WORD"');
    expect((await text('html-500'))[0]).toBe(500);
    expect((await text('redirect'))[0]).toBe(302);
    expect((await text('retry-after-3'))[0]).toBe(429);
    expect((await text('early-413'))[0]).toBe(413);
    expect((await text('status-204'))[0]).toBe(204);
    const documents: string[][] = parse((await exported()).body.exportDocumentByDocIds.data);
    expect(documents).toHaveLength(1 + 9);
  });

  it('that break the connection break it', async () => {
    const breaking = ['reset', 'reset-in-headers', 'reset-after-headers', 'truncate', 'broken-gzip'];
    for (const fault of breaking) {
      await order(fault);
      await expect(mexico('1001'), fault).rejects.toThrow();
    }
    expect((await mexico('1001')).status).toBe(200);
    expect((await calls()).map(({ status }) => status)).toEqual([null, null, 200, 200, 200, 200]);
  });

  it('that hang, trickle or never end do not keep the sandbox from closing', async () => {
    const outcomes: Promise<unknown>[] = [];
    for (const fault of ['hang', 'trickle', 'endless', 'slow-60000']) {
      await order(fault);
      outcomes.push(mexico('1001').catch((error: unknown) => error));
      while ((await calls()).length < outcomes.length);
    }
    await sandbox.close();
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toBeInstanceOf(Error);
  });
});

describe('the sandbox', () => {
  it('started alone says where it listens, and ends on SIGTERM with no timer left', async () => {
    const node = join('node_modules', '.bin', 'node');
    const child = spawn(node, ['src/sandbox/main.ts', '--port', '0']);
    const ended = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    expect(line).toMatch(/^sandbox listening on http:\/\/127\.0\.0\.1:\d+$/);
    const address = String(line).slice('sandbox listening on '.length);
    const send = (path: string, init?: RequestInit) => fetch(address + path, init);
    await send('/sandbox/faults', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint: 'mexicoStatus', fault: 'slow-600000' }),
    });
    const outcome = send('/v2/einvoice/mexico/status/1001', { headers: alice }).catch((error) => error);
    while (!(await (await send('/sandbox/calls')).text()).includes('slow-600000'));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await outcome).toBeInstanceOf(Error);
  });

  it('tells the calls it received, with no credential in full', async () => {
    await imported({ docNumber: 'INV-7' });
    const [entry] = await calls();
    expect(entry).toMatchObject({
      endpoint: 'malaysiaImport',
      method: 'POST',
      path: '/v2/einvoice/malaysia/queue/12',
      status: 200,
      at: startedAt,
      docNumber: 'INV-7',
      body: JSON.stringify(anInvoice({ docNumber: 'INV-7' })),
    });
    expect(entry?.headers).toMatchObject({ 'x-api-key': 'ali…(9)', authorization: 'Bea…(18)' });
    expect((await call('/sandbox/calls', { method: 'DELETE' })).body).toEqual({ calls: [] });
    expect(await calls()).toEqual([]);
  });

  it('moves its clock when told to, and only forward', async () => {
    expect((await post('/sandbox/clock', { advanceMs: 250 })).body).toEqual({ now: startedAt + 250 });
    expect((await post('/sandbox/clock', { advanceMs: -1 })).status).toBe(400);
  });

  it('has no controls when they are off', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ controls: false });
    for (const path of ['/sandbox/calls', '/sandbox/faults', '/sandbox/clock']) {
      expect((await get(path)).status).toBe(404);
    }
  });

  it('knows no other path, and no other method', async () => {
    expect((await get('/v1/nothing')).status).toBe(404);
    const { status, headers } = await get('/v1/groups');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('survives callers that leave, send junk, or stop in the middle', async () => {
    const port = Number(new URL(sandbox.url).port);
    const scanHead =
      'POST /v1/documents/scan/nric HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\ncontent-length: 999\r\n';
    const junk = [
      'junk\r\n\r\n',
      'GET * HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET http://other/v1/groups HTTP/1.1\r\nhost: x\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n',
      `${scanHead}content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\nab`,
      'POST /v1/groups HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\nauthorization: Bearer t\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ];
    for (const bytes of junk) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
        socket.on('error', () => {});
        socket.on('close', () => resolve());
        socket.resume();
      });
    }
    expect((await scan()).status).toBe(200);
  });
});
