/** The main job except Malaysia, with typed operations, against the embedded sandbox. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CreateFapiaoDocument,
  CreateGroupDocument,
  ExportDocumentsDocument,
  MexicoValidationDocument,
  MexicoValidationsDocument,
  ScanIdentityCardDocument,
} from './generated/graphql.ts';
import { bob, sendUpload, startTestGateway, type TestGateway, upload } from './support/gateway.ts';
import { aPng } from './support/png.ts';
import { run } from './support/run.ts';
import { sandboxCalls } from './support/sandbox-controls.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

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

    const exported = await run(gateway, ExportDocumentsDocument, { input: { documentIds: [documentId] } });
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

  it('that another caller scanned cannot be exported', async () => {
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
      gateway,
      ExportDocumentsDocument,
      { input: { documentIds: [data.scanIdentityCard.documentId] } },
      bob,
    );
    expect(exportDocuments).toMatchObject({
      __typename: 'InvalidInput',
      problems: [{ rule: 'refused-by-service' }],
    });
  });

  it('without readable text has no fields, and a corrupt file is InvalidInput', async () => {
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

it('an export of an empty list is sent to the service, which exports no row', async () => {
  const { exportDocuments } = await run(gateway, ExportDocumentsDocument, { input: { documentIds: [] } });
  expect(exportDocuments).toMatchObject({ __typename: 'ExportResult', rowCount: 0, rows: [] });
});

it('a group is created, with a name or without', async () => {
  const { createGroup } = await run(gateway, CreateGroupDocument, { input: { name: 'Kad pengenalan' } });
  expect(createGroup).toMatchObject({
    __typename: 'Group',
    name: 'Kad pengenalan',
    queueCount: 0,
    queues: [],
  });
  expect((await run(gateway, CreateGroupDocument, { input: {} })).createGroup).toMatchObject({
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
    const { mexicoValidation } = await run(gateway, MexicoValidationDocument, { by: { documentId } });
    expect(mexicoValidation).toMatchObject({ documentId, ...expected });
  });

  it('is found by its Folio Fiscal, also in lower case in the same operation', async () => {
    const { mexicoValidation } = await run(gateway, MexicoValidationDocument, { by: { documentId: '1001' } });
    const uuid = mexicoValidation?.uuid as string;
    const { mexicoValidations } = await run(gateway, MexicoValidationsDocument, {
      by: [{ uuid }, { uuid: uuid.toLowerCase() }, { documentId: '1999' }],
    });
    expect(mexicoValidations?.map((validation) => validation?.documentId)).toEqual([
      '1001',
      '1001',
      undefined,
    ]);
  });

  it('that was never validated is null, without an error', async () => {
    expect(await run(gateway, MexicoValidationDocument, { by: { documentId: '1999' } })).toEqual({
      mexicoValidation: null,
    });
  });
});

describe('a Fapiao', () => {
  it.each(['fapiao.xml', 'fapiao-two-items.xml'])('%s is accepted as text and as a file', async (file) => {
    const xml = readFileSync(`test/fixtures/${file}`);
    const name = '发票 2026';
    const { createFapiao } = await run(gateway, CreateFapiaoDocument, {
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
    await run(gateway, CreateFapiaoDocument, {
      input: { document: { xml: xml.toString() }, name: '发票', queueId: '9' },
    });
    const calls = await sandboxCalls(gateway);
    const call = calls.findLast(({ endpoint }) => endpoint === 'fapiao');
    expect(call?.['sha256']).toBe(createHash('sha256').update(xml).digest('hex'));
    expect(call?.['headers']).toMatchObject({
      name: encodeURIComponent('发票'),
      qid: '9',
      'content-type': 'application/xml',
    });
  });

  it('with malformed XML is refused with line and column', async () => {
    const { createFapiao } = await run(gateway, CreateFapiaoDocument, {
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
