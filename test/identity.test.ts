/** `id`: by which a normalised cache distinguishes entities without configuration. */
import { readFileSync } from 'node:fs';
import { type GraphQLObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/schema.ts';
import { sendUpload, startTestGateway, upload } from './support/gateway.ts';
import { forFile } from './support/lifetimes.ts';
import { aPng } from './support/png.ts';

const gateway = forFile(await startTestGateway());

it('every type that has a `documentId` or a `requestId` has an `id`, and so has a group', () => {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const isIdentified = (type: GraphQLObjectType) =>
    type.name === 'Group' || ['documentId', 'requestId'].some((field) => field in type.getFields());
  const identified = types.filter(isIdentified);
  expect(identified.length).toBeGreaterThan(5);
  for (const type of identified) expect(String(type.getFields()['id']?.type), type.name).toBe('ID!');
});

describe('the `id` of an entity', () => {
  it('combines the type and the identifier of the service, so that no two types share one', async () => {
    const form = upload(
      'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "7" }) { ... on ScanResult { id documentId } } }',
      { file: null },
      'variables.file',
      { bytes: aPng(20, 20), name: 'card.png' },
    );
    const { scanIdentityCard } = (await sendUpload(gateway, form)).data;
    const xml = readFileSync('test/fixtures/fapiao.xml', 'utf8');
    const { data, errors } = await gateway.ask(
      `mutation ($xml: String!) {
        createFapiao(input: { document: { xml: $xml } }) { ... on FapiaoRequest { id requestId } }
        importMalaysiaInvoice(input: { queueId: "42", invoice: {
          docType: INVOICE, docNumber: "INV-1", supplier: {}, buyer: {}, lines: [{ amountExclTax: "1.00", taxes: [] }]
        } }) { ... on MalaysiaImport { id documentId status { id documentId } } }
      }`,
      { xml },
    );
    expect(errors).toBeUndefined();
    const read = await gateway.ask('{ mexicoValidation(by: { documentId: "1001" }) { id documentId } }');

    expect(scanIdentityCard.id).toBe(`ScanResult:${scanIdentityCard.documentId}`);
    expect(data.createFapiao.id).toBe(`FapiaoRequest:${data.createFapiao.requestId}`);
    const { id, documentId: imported, status } = data.importMalaysiaInvoice;
    expect(id).toBe(`MalaysiaImport:${imported}`);
    expect(status).toEqual({ id: `MalaysiaStatus:${imported}`, documentId: imported });
    expect(read.data.mexicoValidation).toEqual({ id: 'MexicoValidation:1001', documentId: '1001' });
  });

  it('is the same for a document on every path through the schema', async () => {
    const { data } = await gateway.ask('{ one: mexicoValidation(by: { documentId: "1002" }) { id uuid } }');
    const query = 'query ($uuid: UUID!) { mexicoValidation(by: { uuid: $uuid }) { id } }';
    const byUuid = await gateway.ask(query, { uuid: data.one.uuid });
    expect(byUuid.data.mexicoValidation.id).toBe(data.one.id);
  });
});
