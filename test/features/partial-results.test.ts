/** What the service reports together with a result, or leaves out of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const warnings = 'warnings { rule severity path message }';
const xml =
  '<EInvoice><Header/><EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/></EInvoice>';
const invoice =
  '{ docType: INVOICE, docNumber: "INV-1", supplier: {}, buyer: {}, lines: [{ amountExclTax: 1, taxes: [] }] }';

/** Each write, with the body of a complete response. */
const writes: [string, object, () => Promise<{ data: any; errors?: unknown }>][] = [
  [
    'createGroup',
    { createGroup: { id: 7 } },
    () => gateway.ask(`mutation { createGroup(input: {}) { ... on Group { id ${warnings} } } }`),
  ],
  [
    'exportDocuments',
    { exportDocumentByDocIds: { data: '"Name"\n"A"\n' } },
    () => gateway.ask(`mutation { exportDocuments(input: {}) { ... on ExportResult { csv ${warnings} } } }`),
  ],
  [
    'createFapiao',
    { createXmlDocument: { requestId: 'r' } },
    () =>
      gateway.ask(
        `mutation ($xml: String!) { createFapiao(input: { document: { xml: $xml } }) { ... on FapiaoRequest { requestId ${warnings} } } }`,
        { xml },
      ),
  ],
  [
    'importMalaysiaInvoice',
    { docId: 1 },
    () =>
      gateway.ask(
        `mutation { importMalaysiaInvoice(input: { queueId: "1", invoice: ${invoice} }) { ... on MalaysiaImport { documentId ${warnings} } } }`,
      ),
  ],
  [
    'scanIdentityCard',
    { scanDocuments: { docId: 1, data: {} } },
    () =>
      sendUpload(
        gateway,
        upload(
          `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId ${warnings} } } }`,
          { file: null },
          'variables.file',
          { bytes: 'a card', name: 'card.png' },
        ),
      ),
  ],
];

describe.each(writes)('the result of %s', (name, body, send) => {
  const reported = async (behaviour: does.Behaviour) => {
    service.will(behaviour);
    const { data, errors } = await send();
    expect(errors).toBeUndefined();
    return data[name].warnings.filter(({ rule }: { rule: string }) => rule === 'reported-by-service');
  };

  it('has a warning for each error that the service reports beside it', async () => {
    const errors = [{ message: 'Page 2 is unreadable' }, { message: 'see http://10.0.0.7/' }];
    expect(await reported(does.json(200, { ...body, errors }))).toEqual([
      { rule: 'reported-by-service', severity: 'WARNING', path: [], message: 'Page 2 is unreadable' },
      { rule: 'reported-by-service', severity: 'WARNING', path: [], message: 'see [removed]' },
    ]);
  });

  it('has no warning of the service when nothing is reported', async () => {
    expect(await reported(does.json(200, body))).toEqual([]);
  });

  it.each([201, 202, 203, 206, 207])('is read from a response of status %i', async (status) => {
    expect(await reported(does.json(status, { ...body, warnings: ['half'] }))).toMatchObject([
      { message: 'half' },
    ]);
  });

  it('is found under data and in a list of one', async () => {
    expect(await reported(does.json(200, { data: body }))).toEqual([]);
    expect(await reported(does.json(200, [body]))).toEqual([]);
  });
});

describe('an export', () => {
  const exported = async (documentIds: string[] | undefined, envelope: object) => {
    service.will(does.json(200, { exportDocumentByDocIds: { message: 'ok', ...envelope } }));
    const query = `mutation ($ids: [ID!]) { exportDocuments(input: { documentIds: $ids }) { ... on ExportResult { requestedCount rowCount ${warnings} } } }`;
    const { data, errors } = await gateway.ask(query, { ids: documentIds });
    return { ...data.exportDocuments, errors };
  };
  const missing = (message: string) => ({
    rule: 'reported-by-service',
    severity: 'WARNING',
    path: ['documentIds'],
    message,
  });

  it('with fewer rows than documents has a warning', async () => {
    expect(await exported(['5001', '5002'], { data: '"Name"\n"A"\n' })).toMatchObject({
      requestedCount: 2,
      rowCount: 1,
      warnings: [missing('The export has fewer rows (1) than documents (2).')],
    });
  });

  it.each<[string, string[] | undefined, string, number]>([
    ['a row for each document', ['5001', '5002'], '"Name"\n"A"\n"B"\n', 2],
    ['one row for a document that was asked for twice', ['5001', '5001'], '"Name"\n"A"\n', 2],
    ['more rows than documents', ['5001'], '"Name"\n"A"\n"B"\n', 1],
    ['no ids', undefined, '"Name"\n', 0],
  ])('with %s has no warning', async (_what, ids, data, requestedCount) => {
    expect(await exported(ids, { data })).toMatchObject({ requestedCount, warnings: [] });
  });

  it('whose text cannot be parsed has no warning about rows', async () => {
    const { warnings: found, rowCount } = await exported(['1', '2'], { data: '"Name"\n"A' });
    expect([found, rowCount]).toEqual([[], null]);
  });

  it('has a warning for each document that failed', async () => {
    const { warnings: found } = await exported(['1', '2'], { data: '"Name"\n"A"\n"B"\n', failedDocIds: [2] });
    expect(found.map(({ message }: { message: string }) => message)).toEqual(['failedDocIds: 2']);
  });
});

describe('an import', () => {
  const fields = 'docType rawDocType docNumber';
  const imported = async (response: object) => {
    service.will(does.json(200, { docId: 1, ...response }));
    const query = `mutation { importMalaysiaInvoice(input: { queueId: "1", invoice: ${invoice} }) { ... on MalaysiaImport { ${fields} } } }`;
    return (await gateway.ask(query)).data.importMalaysiaInvoice;
  };

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
    'returns the type and number that the service reports, not those that were sent: %j',
    async (response, expected) => {
      expect(await imported(response)).toEqual(expected);
    },
  );
});

describe('an outcome that is returned again for its idempotency key', () => {
  it('has what the service reported', async () => {
    service.will(does.json(200, { createGroup: { id: 7 }, errors: ['half'] }));
    const query = `mutation { createGroup(input: { idempotencyKey: "partial-1" }) { ... on Group { ${warnings} } } }`;
    const first = await gateway.ask(query);
    const calls = service.received.length;
    expect(await gateway.ask(query)).toMatchObject({ data: first.data });
    expect(first.data.createGroup.warnings).toMatchObject([{ message: 'half' }]);
    expect(service.received).toHaveLength(calls);
  });
});
