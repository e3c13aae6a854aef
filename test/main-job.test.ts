/** The main job from its beginning to its end, with the typed operations, against the embedded sandbox. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CheckMalaysiaInvoiceDocument,
  CreateFapiaoDocument,
  CreateGroupDocument,
  ExportDocumentsDocument,
  ImportMalaysiaInvoiceDocument,
  ImportMalaysiaInvoicesDocument,
  type MalaysiaInvoiceInput,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  MalaysiaStatusesDocument,
  MexicoValidationDocument,
  MexicoValidationsDocument,
  ScanIdentityCardDocument,
  type TypedDocumentString,
} from './generated/graphql.ts';
import { alice, bob, sendUpload, startTestGateway, type TestGateway, upload } from './support/gateway.ts';
import { aPng } from './support/png.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    MALAYSIA_POLL_MIN_MS: '20',
    MALAYSIA_POLL_MAX_MS: '50',
  });
});
afterAll(() => gateway.close());

/** Lets the sandbox's time pass: no state is missed because a machine is slow. */
async function pass(advanceMs: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(new URL('/sandbox/clock', gateway.serviceUrl), {
    method: 'POST',
    headers,
    body: JSON.stringify({ advanceMs }),
  });
}

/** The data of an operation that must succeed. */
async function run<Result, Variables extends object>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  headers = alice,
): Promise<Result> {
  const { data, errors } = await gateway.ask(document.toString(), variables, headers);
  expect(errors).toBeUndefined();
  return data;
}

const invoice = (more: Partial<MalaysiaInvoiceInput> = {}): MalaysiaInvoiceInput => ({
  docType: 'INVOICE',
  docNumber: 'INV-0001',
  supplier: {
    address: {
      line1: 'Jalan Contoh 1',
      city: 'Kuala Lumpur',
      stateCode: '14',
      postcode: '50000',
      country: 'MYS',
    },
    contact: { telephone: '+60300000000' },
  },
  buyer: {
    address: { line1: 'Jalan Contoh 2', city: 'Ipoh', stateCode: '08', postcode: '30000', country: 'MYS' },
    contact: { telephone: '+60500000000' },
  },
  lines: [
    { amountExclTax: '1000.00', taxes: [{ type: 'SALES_TAX', amount: '100.00' }] },
    { amountExclTax: '336.50', taxes: [] },
  ],
  ...more,
});

function documentIdOf(result: { __typename?: string; documentId?: string } | null | undefined): string {
  expect(result?.__typename).toBe('MalaysiaImport');
  return result?.documentId as string;
}

describe('an identity card', () => {
  it('is scanned from a PNG of more than 2 MB, and its row exported', async () => {
    const picture = aPng(1_000, 750);
    expect(picture.length).toBeGreaterThan(2 * 1024 * 1024);
    const form = upload(
      ScanIdentityCardDocument.toString(),
      { input: { file: null, queueId: 'inbox' } },
      'variables.input.file',
      {
        bytes: picture,
        name: '身份证 "1".png',
      },
    );
    const { data, errors } = await sendUpload(gateway, form);
    expect(errors).toBeUndefined();
    const { documentId, status, card } = data.scanIdentityCard;
    expect(status).toBe('COMPLETED');
    expect(card.nricNumber.text).toMatch(/^[STFGM]\d{7}[A-Z]$/);
    expect(card.dateOfBirth.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(card.expiryDate).toMatchObject({ text: null, date: null, matches: [] });
    expect(card.textBoxes.length).toBeGreaterThan(5);

    const exported = await run(ExportDocumentsDocument, { input: { documentIds: [documentId] } });
    expect(exported.exportDocuments).toMatchObject({
      __typename: 'ExportResult',
      rowCount: 1,
      rows: [
        {
          name: card.name.text,
          idNumber: card.nricNumber.text,
          fileName: '身份证 "1".png',
          nationality: null,
        },
      ],
    });
    if (exported.exportDocuments?.__typename === 'ExportResult')
      expect(exported.exportDocuments.columns).toHaveLength(37);
  });

  it('of another caller cannot be exported', async () => {
    const { data } = await sendUpload(
      gateway,
      upload(
        ScanIdentityCardDocument.toString(),
        { input: { file: null, queueId: '1' } },
        'variables.input.file',
        {
          bytes: 'a card',
          name: 'a.png',
        },
      ),
    );
    const { exportDocuments } = await run(
      ExportDocumentsDocument,
      { input: { documentIds: [data.scanIdentityCard.documentId] } },
      bob,
    );
    expect(exportDocuments).toMatchObject({
      __typename: 'InvalidInput',
      problems: [{ rule: 'refused-by-service' }],
    });
  });

  it('without readable text has no fields; a corrupt file is refused as data', async () => {
    const scan = (name: string) =>
      sendUpload(
        gateway,
        upload(
          ScanIdentityCardDocument.toString(),
          { input: { file: null, queueId: '1' } },
          'variables.input.file',
          {
            bytes: 'x',
            name,
          },
        ),
      );
    expect((await scan('blank.png')).data.scanIdentityCard.card.name).toMatchObject({
      text: null,
      matches: [],
    });
    expect((await scan('corrupt.png')).data.scanIdentityCard.__typename).toBe('InvalidInput');
  });
});

it('an export of an empty list is left to the service, which exports no row', async () => {
  const { exportDocuments } = await run(ExportDocumentsDocument, { input: { documentIds: [] } });
  expect(exportDocuments).toMatchObject({ __typename: 'ExportResult', rowCount: 0, rows: [] });
});

it('a group is created, with a name or without', async () => {
  const { createGroup } = await run(CreateGroupDocument, { input: { name: 'Kad pengenalan' } });
  expect(createGroup).toMatchObject({
    __typename: 'Group',
    name: 'Kad pengenalan',
    queueCount: 0,
    queues: [],
  });
  expect((await run(CreateGroupDocument, { input: {} })).createGroup).toMatchObject({
    __typename: 'Group',
    name: null,
  });
});

describe('a Mexican document', () => {
  it.each([
    ['1001', { result: 'VALID', invalidReason: null }],
    ['1002', { result: 'INVALID', invalidReason: expect.any(String) }],
    ['1003', { result: 'VALID' }],
    ['1004', { result: 'INVALID', steps: [{ name: 'SCHEMA', result: 'FAIL' }] }],
  ])('%s has its latest validation', async (documentId, expected) => {
    const { mexicoValidation } = await run(MexicoValidationDocument, { by: { documentId } });
    expect(mexicoValidation).toMatchObject({ documentId, ...expected });
  });

  it('is found by its Folio Fiscal, and by another spelling of it asked for next to it', async () => {
    const { mexicoValidation } = await run(MexicoValidationDocument, { by: { documentId: '1001' } });
    const uuid = mexicoValidation?.uuid as string;
    const { mexicoValidations } = await run(MexicoValidationsDocument, {
      by: [{ uuid }, { uuid: uuid.toLowerCase() }, { documentId: '1999' }],
    });
    expect(mexicoValidations?.map((validation) => validation?.documentId)).toEqual([
      '1001',
      '1001',
      undefined,
    ]);
  });

  it('that was never validated is null, without an error', async () => {
    expect(await run(MexicoValidationDocument, { by: { documentId: '1999' } })).toEqual({
      mexicoValidation: null,
    });
  });
});

describe('a Fapiao', () => {
  it.each(['fapiao.xml', 'fapiao-two-items.xml'])('%s is accepted as text and as a file', async (file) => {
    const xml = readFileSync(`test/fixtures/${file}`);
    const name = '发票 2026';
    const { createFapiao } = await run(CreateFapiaoDocument, {
      input: { document: { xml: xml.toString() }, name },
    });
    expect(createFapiao).toMatchObject({
      __typename: 'FapiaoRequest',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const form = upload(
      CreateFapiaoDocument.toString(),
      { input: { document: { file: null }, queueId: '7' } },
      'variables.input.document.file',
      {
        bytes: xml,
        name: file,
        type: 'application/xml',
      },
    );
    expect((await sendUpload(gateway, form)).data.createFapiao.__typename).toBe('FapiaoRequest');
  });

  it('reaches the service byte for byte, its name and queue as headers', async () => {
    const { createHash } = await import('node:crypto');
    const xml = readFileSync('test/fixtures/fapiao.xml');
    await run(CreateFapiaoDocument, {
      input: { document: { xml: xml.toString() }, name: '发票', queueId: '9' },
    });
    const { calls } = (await (await fetch(new URL('/sandbox/calls', gateway.serviceUrl))).json()) as any;
    const call = calls.findLast(({ endpoint }: any) => endpoint === 'fapiao');
    expect(call.sha256).toBe(createHash('sha256').update(xml).digest('hex'));
    expect(call.headers).toMatchObject({
      name: encodeURIComponent('发票'),
      qid: '9',
      'content-type': 'application/xml',
    });
  });

  it('that is none is refused with line and column', async () => {
    const { createFapiao } = await run(CreateFapiaoDocument, {
      input: { document: { xml: '<EInvoice>\n  <Header>' } },
    });
    expect(createFapiao).toMatchObject({
      __typename: 'InvalidInput',
      problems: [
        {
          rule: 'xml-malformed',
          path: ['document', 'xml'],
          message: expect.stringMatching(/line 2, column \d+/),
        },
      ],
    });
  });
});

describe('a Malaysian e-invoice', () => {
  it('is imported, and followed over a WebSocket from QUEUED to VALIDATED', async () => {
    const { importMalaysiaInvoice } = await run(ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice() },
    });
    expect(importMalaysiaInvoice).toMatchObject({
      queueId: '42',
      docType: 'INVOICE',
      docNumber: 'INV-0001',
      status: { state: 'QUEUED' },
    });
    const documentId = documentIdOf(importMalaysiaInvoice);
    const events = gateway
      .webSocketClient()
      .iterate({ query: MalaysiaStatusChangedDocument.toString(), variables: { documentId } });
    const states: string[] = [];
    for await (const { data } of events as AsyncIterable<any>) {
      states.push(data.malaysiaStatusChanged.state);
      // The portal takes 8 s to know of a document and 10 more to decide.
      await pass(states.length === 1 ? 9_000 : 10_000);
    }
    expect(states).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED']);
    const { malaysiaStatus } = await run(MalaysiaStatusDocument, { documentId });
    expect(malaysiaStatus).toMatchObject({
      state: 'VALIDATED',
      isFinal: true,
      govPortal: { uuid: expect.any(String) },
    });
  });

  it('with portal ids at once has them in the import’s answer', async () => {
    const { importMalaysiaInvoice } = await run(ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice({ docNumber: 'INV-NOW' }) },
    });
    expect(importMalaysiaInvoice).toMatchObject({
      govPortal: { submissionId: expect.any(String), uuid: expect.any(String) },
    });
  });

  it('that is a credit note with positive amounts is refused with the rule named, and nothing is sent', async () => {
    const note = invoice({
      docType: 'CREDIT_NOTE',
      docNumber: 'CN-1',
      reference: { originalInvoiceCodeNumber: 'INV-0001' },
      totals: { payable: '1436.50' },
    });
    const { importMalaysiaInvoice } = await run(ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: note },
    });
    expect(importMalaysiaInvoice).toMatchObject({ __typename: 'InvalidInput' });
    const problems =
      importMalaysiaInvoice?.__typename === 'InvalidInput' ? importMalaysiaInvoice.problems : [];
    expect(problems.map(({ rule, path, actual }) => [rule, path.join('.'), actual])).toEqual([
      ['credit-note-negative', 'invoice.lines.0.amountExclTax', '1000.00'],
      ['credit-note-negative', 'invoice.lines.0.taxes.0.amount', '100.00'],
      ['credit-note-negative', 'invoice.lines.1.amountExclTax', '336.50'],
      ['credit-note-totals-negative', 'invoice.totals.payable', '1436.50'],
    ]);
    const { calls } = (await (await fetch(new URL('/sandbox/calls', gateway.serviceUrl))).json()) as any;
    expect(JSON.stringify(calls)).not.toContain('CN-1');
  });

  it('is checked without a call, its totals exact', async () => {
    const { checkMalaysiaInvoice } = await run(CheckMalaysiaInvoiceDocument, { invoice: invoice() });
    expect(checkMalaysiaInvoice).toEqual({
      isValid: true,
      problems: [],
      totals: { amountExclTax: '1336.50', taxAmount: '100.00', amountInclTax: '1436.50' },
    });
  });

  it('in a batch of ten each has its own outcome, and one failing leaves the others alone', async () => {
    const input = Array.from({ length: 10 }, (_, index) => ({
      queueId: index === 3 ? '../bad' : '42',
      invoice: invoice({ docType: index === 5 ? 'CREDIT_NOTE' : 'INVOICE', docNumber: `BATCH-${index}` }),
    }));
    const { data, errors } = await gateway.ask(ImportMalaysiaInvoicesDocument.toString(), { input });
    const outcomes = data.importMalaysiaInvoices.map((outcome: any) => outcome?.__typename ?? null);
    expect(outcomes).toEqual(
      input.map((_, index) => (index === 3 ? null : index === 5 ? 'InvalidInput' : 'MalaysiaImport')),
    );
    expect(errors).toMatchObject([
      { path: ['importMalaysiaInvoices', 3], extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE' } },
    ]);
    const numbers = data.importMalaysiaInvoices.flatMap((outcome: any) => outcome?.docNumber ?? []);
    expect(numbers).toEqual(
      input.flatMap(({ invoice: { docNumber } }, index) => (index === 3 || index === 5 ? [] : docNumber)),
    );
  });

  it('of unknown id is NOT_FOUND among those that are known', async () => {
    const { importMalaysiaInvoice } = await run(ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice({ docNumber: 'KNOWN-1' }) },
    });
    const documentIds = [documentIdOf(importMalaysiaInvoice), '999999'];
    const { data, errors } = await gateway.ask(MalaysiaStatusesDocument.toString(), { documentIds });
    expect(data.malaysiaStatuses).toMatchObject([{ documentId: documentIds[0] }, null]);
    expect(errors).toMatchObject([{ path: ['malaysiaStatuses', 1], extensions: { code: 'NOT_FOUND' } }]);
  });

  it('of another caller is unknown', async () => {
    const { importMalaysiaInvoice } = await run(ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice({ docNumber: 'MINE-1' }) },
    });
    const documentId = documentIdOf(importMalaysiaInvoice);
    const { errors } = await gateway.ask(MalaysiaStatusDocument.toString(), { documentId }, bob);
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});

it('a thousand subscribers to one document cost the service the polls of one', async () => {
  const { importMalaysiaInvoice } = await run(ImportMalaysiaInvoiceDocument, {
    input: { queueId: '42', invoice: invoice({ docNumber: 'THOUSAND-SLOW' }) },
  });
  const documentId = documentIdOf(importMalaysiaInvoice);
  const query = MalaysiaStatusChangedDocument.toString();
  const clients = Array.from({ length: 10 }, () => gateway.webSocketClient());
  let hearing = 0;
  const startedAt = performance.now();
  const last = await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      let state = '';
      const events = (clients[index % 10] as (typeof clients)[number]).iterate({
        query,
        variables: { documentId },
      });
      for await (const { data } of events as AsyncIterable<any>) {
        if (state === '') hearing += 1;
        if (state === '' && hearing === 1_000) await pass(200_000);
        state = data.malaysiaStatusChanged.state;
      }
      return state;
    }),
  );
  expect(new Set(last)).toEqual(new Set(['VALIDATED']));
  const { calls } = (await (await fetch(new URL('/sandbox/calls', gateway.serviceUrl))).json()) as any;
  const polls = calls.filter(({ path, at }: any) => path.endsWith(`/malaysia/status/${documentId}`) && at);
  // One poll at a time, at intervals of 18 ms or more, however many listen; importing asked once as well.
  expect(polls.length).toBeLessThanOrEqual((performance.now() - startedAt) / 18 + 2);
});
