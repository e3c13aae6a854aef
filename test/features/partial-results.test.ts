/** What the service leaves out of a result, and what it reports instead of what was sent. */
import { describe, expect, it } from 'vitest';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService();

describe('an export', () => {
  const exported = async (ids: string[] | undefined, envelope: object) => {
    service.will(does.json(200, { exportDocumentByDocIds: { message: 'ok', ...envelope } }));
    const query = `mutation ($ids: [ID!]) { exportDocuments(input: { documentIds: $ids }) { ... on ExportResult { requestedCount warnings { rule severity path message } } } }`;
    return (await gateway.ask(query, { ids })).data.exportDocuments;
  };
  const fewer = {
    rule: 'reported-by-service',
    severity: 'WARNING',
    path: ['documentIds'],
    message: 'The export has fewer rows (1) than documents (2).',
  };
  it.each<[string, string[] | undefined, string, number, object[]]>([
    ['fewer rows than documents', ['5001', '5002'], '"Name"\n"A"\n', 2, [fewer]],
    ['a row for each document', ['5001', '5002'], '"Name"\n"A"\n"B"\n', 2, []],
    ['one row for a document that was asked for twice', ['5001', '5001'], '"Name"\n"A"\n', 2, []],
    ['one row for a document that was asked for in two spellings', ['5001', '05001'], '"Name"\n"A"\n', 2, []],
    ['more rows than documents', ['5001'], '"Name"\n"A"\n"B"\n', 1, []],
    ['no ids', undefined, '"Name"\n', 0, []],
    ['a text that cannot be parsed', ['1', '2'], '"Name"\n"A', 2, []],
  ])('with %s has a warning only if rows are missing', async (_what, ids, data, requestedCount, warnings) => {
    expect(await exported(ids, { data })).toMatchObject({ requestedCount, warnings });
  });

  it('has a warning for each document that failed', async () => {
    const { warnings } = await exported(['1', '2'], { data: '"Name"\n"A"\n"B"\n', failedDocIds: [2] });
    expect(warnings).toMatchObject([{ message: 'failedDocIds: 2' }]);
  });
});

it.each([
  [{}, { docType: null, rawDocType: null, docNumber: null }],
  [
    { docType: 'consolidated_invoice', docNumber: 17 },
    { docType: null, rawDocType: 'consolidated_invoice', docNumber: '17' },
  ],
  [
    { docType: 'invoice', docNumber: 'INV-9' },
    { docType: 'INVOICE', rawDocType: 'invoice', docNumber: 'INV-9' },
  ],
])(
  'an import has the type and number that the service reports, not those that were sent: %j',
  async (response, expected) => {
    service.will(does.json(200, { docId: 1, ...response }));
    const invoice = '{ docType: INVOICE, docNumber: "INV-1", lines: [] }';
    const query = `mutation { importMalaysiaInvoice(input: { queueId: "1", invoice: ${invoice} }) { ... on MalaysiaImport { docType rawDocType docNumber } } }`;
    expect((await gateway.ask(query)).data.importMalaysiaInvoice).toEqual(expected);
  },
);
