/** What Folio is for, with typed operations against the embedded sandbox. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { expect, it } from 'vitest';
import {
  ExportDocumentsDocument,
  ImportMalaysiaInvoiceDocument,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  ScanIdentityCardDocument,
} from '../packages/client/src/gql/graphql.ts';
import { sendUpload, startTestGateway, upload } from './support/gateway.ts';
import { forFile } from './support/lifetimes.ts';
import { aPng } from './support/png.ts';
import { controlSandbox } from './support/sandbox-controls.ts';

const gateway = forFile(await startTestGateway({ MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '50' }));

/** Runs an operation that must succeed, and returns its data. */
async function run<Result, Variables extends object>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const { data, errors } = await gateway.ask(print(document), variables);
  expect(errors).toBeUndefined();
  return data;
}

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

  const { exportDocuments } = await run(ExportDocumentsDocument, { input: { documentIds: [documentId] } });
  expect(exportDocuments).toMatchObject({
    __typename: 'ExportResult',
    rowCount: 1,
    rows: [{ name: card.name.text, idNumber: card.nricNumber.text, fileName: file.name, nationality: null }],
  });
});

const address = { line1: 'Jalan Contoh 1', city: 'Ipoh', stateCode: '08', postcode: '30000', country: 'MYS' };
const party = { address, contact: { telephone: '+60300000000' } };
const lines = [
  { amountExclTax: '1000.00', taxes: [{ type: 'SALES_TAX' as const, amount: '100.00' }] },
  { amountExclTax: '336.50', taxes: [] },
];

it('a Malaysian e-invoice is imported, and followed over a WebSocket from QUEUED to VALIDATED', async () => {
  const invoice = {
    docType: 'INVOICE' as const,
    docNumber: 'INV-0001',
    supplier: party,
    buyer: party,
    lines,
  };
  const { importMalaysiaInvoice: imported } = await run(ImportMalaysiaInvoiceDocument, {
    input: { queueId: '42', invoice },
  });
  if (imported?.__typename !== 'MalaysiaImport') throw new Error('not imported');
  const { documentId, ...rest } = imported;
  const expected = { queueId: '42', docType: 'INVOICE', docNumber: 'INV-0001', status: { state: 'QUEUED' } };
  expect(rest).toMatchObject(expected);
  const events = gateway
    .webSocketClient()
    .iterate({ query: print(MalaysiaStatusChangedDocument), variables: { documentId } });
  const states: string[] = [];
  for await (const { data } of events as AsyncIterable<any>) {
    states.push(data.malaysiaStatusChanged.state);
    // The portal submits a document after 8 s and decides 10 s later. So a slow machine misses no state.
    const advanceMs = states.length === 1 ? 9_000 : 10_000;
    await controlSandbox(gateway, 'clock', { advanceMs });
  }
  expect(states).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED']);
  const { malaysiaStatus } = await run(MalaysiaStatusDocument, { documentId });
  const govPortal = { submissionId: expect.any(String), uuid: expect.any(String) };
  expect(malaysiaStatus).toMatchObject({ state: 'VALIDATED', isFinal: true, govPortal });
});
