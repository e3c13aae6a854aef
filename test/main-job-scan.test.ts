/** An identity card from its scan to its row of an export, with typed operations, against the embedded sandbox. */
import { print } from 'graphql';
import { expect, it } from 'vitest';
import { ExportDocumentsDocument, ScanIdentityCardDocument } from '../packages/client/src/gql/graphql.ts';
import { sendUpload, startTestGateway, upload } from './support/gateway.ts';
import { forFile } from './support/lifetimes.ts';
import { aPng } from './support/png.ts';
import { run } from './support/run.ts';

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
