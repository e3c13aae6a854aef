/** The main job except Malaysia, with typed operations, against the embedded sandbox. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  CreateFapiaoDocument,
  CreateGroupDocument,
  ExportDocumentsDocument,
  MexicoValidationDocument,
  MexicoValidationsDocument,
  ScanIdentityCardDocument,
} from '../packages/client/src/gql/graphql.ts';
import { sendUpload, startTestGateway, upload } from './support/gateway.ts';
import { forFile } from './support/lifetimes.ts';
import { aPng } from './support/png.ts';
import { run } from './support/run.ts';
import { sandboxCalls } from './support/sandbox-controls.ts';

const gateway = forFile(await startTestGateway());

it('an identity card is scanned from a PNG of more than 2 MB, and its row exported', async () => {
  const file = { bytes: aPng(1_000, 750), name: '身份证 "1".png' };
  expect(file.bytes.length).toBeGreaterThan(2 * 1024 * 1024);
  const input = { file: null, queueId: 'inbox' };
  const form = upload(print(ScanIdentityCardDocument), { input }, 'variables.input.file', file);
  const { data, errors } = await sendUpload(gateway, form);
  expect(errors).toBeUndefined();
  const { documentId, status, card } = data.scanIdentityCard;
  expect(status).toBe('COMPLETED');
  expect(card.nricNumber.text).toMatch(/^[STFGM]\d{7}[A-Z]$/);
  expect(card.dateOfBirth.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(card.expiryDate).toMatchObject({ text: null, date: null, matches: [] });
  expect(card.textBoxes.length).toBeGreaterThan(5);

  const { exportDocuments } = await run(gateway, ExportDocumentsDocument, {
    input: { documentIds: [documentId] },
  });
  expect(exportDocuments).toMatchObject({
    __typename: 'ExportResult',
    rowCount: 1,
    rows: [{ name: card.name.text, idNumber: card.nricNumber.text, fileName: file.name, nationality: null }],
  });
});

it.each([
  [{ name: 'Kad pengenalan' }, 'Kad pengenalan'],
  [{}, null],
])('a group is created, with a name or without: %j', async (input, name) => {
  const { createGroup } = await run(gateway, CreateGroupDocument, { input });
  expect(createGroup).toMatchObject({ __typename: 'Group', name, queueCount: 0, queues: [] });
});

describe('a Mexican document', () => {
  it.each([
    ['1001', { result: 'VALID', invalidReason: null }],
    ['1002', { result: 'INVALID', invalidReason: expect.any(String) }],
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
    const found = mexicoValidations?.map((validation) => validation?.documentId);
    expect(found).toEqual(['1001', '1001', undefined]);
  });

  it('that was never validated is null, without an error', async () => {
    expect(await run(gateway, MexicoValidationDocument, { by: { documentId: '1999' } })).toMatchObject({
      mexicoValidation: null,
    });
  });
});

describe('a Fapiao', () => {
  it.each(['fapiao.xml', 'fapiao-two-items.xml'])(
    '%s is accepted as text and as a file, and reaches the service byte for byte with its name and queue',
    async (file) => {
      const bytes = readFileSync(`test/fixtures/${file}`);
      const input = { document: { xml: bytes.toString() }, name: '发票', queueId: '9' };
      const { createFapiao } = await run(gateway, CreateFapiaoDocument, { input });
      expect(createFapiao).toMatchObject({
        __typename: 'FapiaoRequest',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      const form = upload(
        print(CreateFapiaoDocument),
        { input: { ...input, document: { file: null } } },
        'variables.input.document.file',
        { bytes, name: file, type: 'application/xml' },
      );
      expect((await sendUpload(gateway, form)).data.createFapiao.__typename).toBe('FapiaoRequest');
      const calls = (await sandboxCalls(gateway)).filter(({ endpoint }) => endpoint === 'fapiao').slice(-2);
      const sent = {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        headers: { name: encodeURIComponent('发票'), qid: '9', 'content-type': 'application/xml' },
      };
      expect(calls).toMatchObject([sent, sent]);
    },
  );

  it('with malformed XML is refused with line and column', async () => {
    const input = { document: { xml: '<EInvoice>\n  <Header>' } };
    expect((await run(gateway, CreateFapiaoDocument, { input })).createFapiao).toMatchObject({
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
