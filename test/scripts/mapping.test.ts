/** The page of members and fields is complete in both directions: every member of the service, every field of the schema. */
import { isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { endpointMappings, fieldsOfFolio } from '../../scripts/mapping.ts';
import { schema } from '../../src/schema.ts';

/** The members that the service's interface names, by section of docs/service.md: of requests, then of responses. */
const members: Readonly<Record<string, readonly [request: string, response: string]>> = {
  'Scan an identity card': [
    'files qid handwritten',
    'docId status data DOB ExpiryDate Gender IssueDate Name Nationality NricNumber DocSize SmallBoxes box page num_pages ' +
      'UICategory UIName UIType matches keyword match matchmulti page value value[0] value[1] value[2] value[3] value[4] ' +
      'value[5] value[6] value[7]',
  ],
  'Create a group': ['name', 'id name createdAt uid queueCount queues'],
  'Export documents': ['docIds', 'data message'],
  'Mexico validation status': [
    'idOrUuid',
    'documentId uuid validation_result validatedAt invalid_reason steps schema authorityStatus rfc result detail',
  ],
  'Request a Fapiao PDF': ['name qid', 'message requestId'],
  'Import a Malaysian e-invoice': [
    'queueId docType docNumber originalInvoiceCodeNumber supplier buyer line1 city stateCode postcode country telephone lines ' +
      'amountExclTax taxes type amount totals',
    'requestId queueId docId docType docNumber message trackingUrl govPortal submissionId uuid',
  ],
  'Malaysian status': ['docId', ''],
};

/** The columns of an export, as the interface lists them. */
const headers =
  'Name, Engine Number, Brand, Color, Plate Number, Registration Date, Expiry Date, Expiry Year, Expiry Month, Address, Model, ' +
  'Frame Number, ID Number, First Place of Issue, Second Place of Issue, File Name, Invoice Number, PO Number, Account Number, ' +
  'Account Name, Swift Code, IBAN, Email, URL, Total, Subtotal, Tax Total, Currency, Freight, Billing Address, ' +
  'Shipping Address, Vendor Name, Vendor Address, Other Address, Invoice Date, Payment Date, Other Date';

/** The last name of a path: `page` of `scanDocuments.data.*.matches[].page`. */
const nameOf = (member: string) => member.replace(/\[\]$/, '').split(/[.\s]/).at(-1);

describe('the page of members and fields', () => {
  it.each(Object.entries(members))('names every member of "%s"', (title, [request, response]) => {
    const mapping = endpointMappings.find((candidate) => candidate.title === title);
    const named = (rows: readonly { readonly member: string }[] = []) =>
      rows.map(({ member }) => nameOf(member));
    const missing = (names: string, known: readonly unknown[]) =>
      names.split(' ').filter((name) => name !== '' && !known.includes(name));
    expect(missing(request, named(mapping?.request))).toEqual([]);
    expect(missing(response, named(mapping?.response))).toEqual([]);
  });

  it('names every column of an export', () => {
    const rows = endpointMappings.flatMap(({ response }) => response.map(({ member }) => member));
    expect(headers.split(', ').filter((header) => !rows.includes(`column ${header}`))).toEqual([]);
  });

  it('has the sections of the endpoints that the interface describes', () => {
    expect(endpointMappings.map(({ title }) => title)).toEqual(Object.keys(members));
  });

  it('names every field of the schema', () => {
    const mapped = new Set(
      [
        ...endpointMappings
          .flatMap(({ request, response }) => [...request, ...response])
          .map(({ fields }) => fields),
      ]
        .concat(Object.values(fieldsOfFolio))
        .flatMap((names) => names.split(', ')),
    );
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
      const hasFields = isObjectType(type) || isInputObjectType(type);
      if (!hasFields || type.name.startsWith('__') || roots.some((root) => root === type)) return [];
      // A draft has the fields of the input that it becomes.
      const typeName = type.name.replace(/DraftInput$/, 'Input');
      return mapped.has(`${typeName}.*`)
        ? []
        : Object.keys(type.getFields()).map((name) => `${typeName}.${name}`);
    });
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.filter((field) => !mapped.has(field))).toEqual([]);
  });

  it('says for each member what Folio does with it', () => {
    for (const { request, response } of endpointMappings)
      for (const row of [...request, ...response])
        expect([row, Object.values(row).every((cell) => cell !== '')]).toEqual([row, true]);
  });
});
