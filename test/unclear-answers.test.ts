/** Answers whose shape the service's document leaves open (docs/service.md): what is made of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendUpload, startTestGateway, type TestGateway, upload } from './support/gateway.ts';
import * as does from './support/service.ts';

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
beforeEach(() => {
  service.received.length = 0;
});

const xml =
  '<EInvoice><Header/><EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/></EInvoice>';
const invoice = '{ docType: INVOICE, docNumber: "1", supplier: {}, buyer: {}, lines: [] }';
const line = '{ amountExclTax: 1, taxes: [] }';

/** Each write, with the envelope of its answer. */
const writes = [
  ['createGroup', 'createGroup', 'mutation { createGroup(input: {}) { __typename } }'],
  ['exportDocuments', 'exportDocumentByDocIds', 'mutation { exportDocuments(input: {}) { __typename } }'],
  [
    'createFapiao',
    'createXmlDocument',
    `mutation { createFapiao(input: { document: { xml: "${xml}" } }) { __typename } }`,
  ],
  [
    'importMalaysiaInvoice',
    'importInvoice',
    `mutation { importMalaysiaInvoice(input: { queueId: "1", invoice: ${invoice.replace('[]', `[${line}]`)} }) { __typename } }`,
  ],
  ['scanIdentityCard', 'scanDocuments', ''],
] as const;

function scan() {
  const query =
    'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename } }';
  return sendUpload(
    gateway,
    upload(query, { file: null }, 'variables.file', { bytes: 'a card', name: 'card.png' }),
  );
}

/** What the field says of a write that the service answered with 200 and this body. */
async function outcomeOf(name: string, query: string, body: unknown) {
  service.will(does.json(200, body));
  const { data, errors } = await (query === '' ? scan() : gateway.ask(query));
  expect(service.received).toHaveLength(1);
  if (!errors) return data[name].__typename;
  const { code, sideEffect, retryable } = errors[0]?.extensions ?? {};
  expect(retryable).toBe(false);
  return `${code} ${sideEffect}`;
}

const errorsOf = (code: unknown) => [{ message: 'Success', extensions: { code } }];

describe.each(writes)('%s, answered with errors in a 200,', (name, envelope, query) => {
  const emptyAnswers: [string, object][] = [
    ['no envelope', {}],
    ['a null envelope', { [envelope]: null }],
    ['null data', { data: null }],
    ['empty data', { data: {} }],
    ['a null envelope under data', { data: { [envelope]: null } }],
    ['null envelopes at both places', { [envelope]: null, data: { [envelope]: null } }],
  ];

  it.each(emptyAnswers)('and with %s, did nothing where the code says so', async (_what, body) => {
    for (const code of ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']) {
      service.received.length = 0;
      expect(await outcomeOf(name, query, { ...body, errors: errorsOf(code) })).toBe(`${code} NONE`);
    }
  });

  it.each(emptyAnswers)('and with %s, is InvalidInput for BAD_USER_INPUT', async (_what, body) => {
    expect(await outcomeOf(name, query, { ...body, errors: errorsOf('BAD_USER_INPUT') })).toBe(
      'InvalidInput',
    );
  });

  it.each(emptyAnswers)('and with %s, may have been done for any other code', async (_what, body) => {
    for (const code of ['INTERNAL_SERVER_ERROR', 'unauthenticated', undefined, 401, '__proto__']) {
      service.received.length = 0;
      expect(await outcomeOf(name, query, { ...body, errors: errorsOf(code) })).toBe(
        'UPSTREAM_BAD_RESPONSE POSSIBLE',
      );
    }
  });

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['null', null],
  ])('where errors are %s, may have been done', async (_what, errors) => {
    expect(await outcomeOf(name, query, { [envelope]: null, errors })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });

  it.each<[string, unknown]>([
    ['a text', 'UNAUTHENTICATED'],
    ['an object', { extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    ['a list of null', [null]],
  ])('where errors are %s, may have been done', async (_what, errors) => {
    expect(await outcomeOf(name, query, { [envelope]: null, errors })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });
});

describe.each(writes)('%s, answered without the id of what it made,', (name, envelope, query) => {
  const withoutId =
    name === 'importMalaysiaInvoice' ? { docNumber: '1' } : { [envelope]: { message: 'done', name: 'a' } };

  it('was done only where the envelope is an object and no error is told', async () => {
    expect(await outcomeOf(name, query, withoutId)).toBe('UPSTREAM_BAD_RESPONSE APPLIED');
  });

  it.each(['UNAUTHENTICATED', 'INTERNAL_SERVER_ERROR'])(
    'may have been done when errors (%s) stand beside data',
    async (code) => {
      expect(await outcomeOf(name, query, { ...withoutId, errors: errorsOf(code) })).toBe(
        'UPSTREAM_BAD_RESPONSE POSSIBLE',
      );
    },
  );

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'done'],
    ['a list', [{}]],
    ['true', true],
  ])('may have been done when the envelope is %s', async (_what, value) => {
    expect(await outcomeOf(name, query, { [envelope]: value })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });

  it('may have been done when data stands one level down', async () => {
    const data = { [envelope]: { message: 'done' } };
    expect(await outcomeOf(name, query, { data })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
    service.received.length = 0;
    expect(await outcomeOf(name, query, { data, errors: errorsOf('UNAUTHENTICATED') })).toBe(
      'UPSTREAM_BAD_RESPONSE POSSIBLE',
    );
  });
});
