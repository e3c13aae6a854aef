/** What the service receives of a request, and what the caller gets of a response. */
import { describe, expect, it } from 'vitest';
import {
  alice,
  post,
  readResponse,
  sendUpload,
  startTestGateway,
  upload,
  withKey,
} from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const validation = {
  documentId: 1,
  uuid: 'ABCDEF01-2345-9789-0BCD-EF0123456789',
  validation_result: 'VALID',
  validatedAt: '2026-01-01T00:00:00Z',
  steps: {},
};
const read = '{ mexicoValidation(by: { documentId: "1" }) { uuid } }';

const service = await serviceForFile(does.json(200, validation));
const gateway = forFile(await startTestGateway({ UPSTREAM_URL: `${service.url}/base/path/` }));

describe('a call to the service', () => {
  it('has both credentials exactly as received, the request id, and no other header of the caller’s request', async () => {
    const passedOn = {
      'x-api-key': 'Key With:Odd=Characters',
      authorization: 'bearer  two  blanks',
      'x-request-id': 'my-request-0001',
    };
    const dropped = { cookie: 'session=1', 'x-forwarded-for': '1.2.3.4', 'accept-language': 'ms' };
    await gateway.ask(read, {}, { ...passedOn, ...dropped, 'user-agent': 'browser' });
    const [received] = service.received as [does.Received];
    expect(received).toMatchObject({ method: 'GET', path: '/base/path/v2/einvoice/mexico/status/1' });
    const { host, connection, ...headers } = received.headers;
    const own = { accept: 'application/json', 'user-agent': expect.stringMatching(/^folio\/\d+\.\d+\.\d+$/) };
    expect(headers).toEqual({ ...own, ...passedOn });
  });

  it('has a new request id when the caller’s is invalid, and the response header contains it', async () => {
    const { headers } = await gateway.ask(read, {}, { ...alice, 'x-request-id': 'bad id' });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(service.received[0]?.headers['x-request-id']).toBe(headers.get('x-request-id'));
  });

  it('is not made without a header that its endpoint requires, and the message names the header and the field', async () => {
    const { errors } = await gateway.ask(read, {}, {});
    expect(errors?.[0]?.message).toBe(
      'mexicoValidation requires the headers x-api-key and Authorization; nothing was sent.',
    );
    const refusal = { code: 'UNAUTHENTICATED', sideEffect: 'NONE', retryable: false };
    expect(errors?.[0]?.extensions).toMatchObject(refusal);
    expect(service.received).toEqual([]);
  });

  it('is made without credentials if its endpoint requires none', async () => {
    service.will(does.json(200, { status: 'queued' }));
    const { data } = await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }', {}, {});
    expect(data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
    expect(service.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('passes on no cookie and no internal header of the response', async () => {
    service.will(
      does.json(200, validation, { 'set-cookie': 'a=b', 'x-internal-host': 'db-1', server: 'secret/1.0' }),
    );
    const { headers } = await gateway.ask(read);
    expect([...headers.keys()].filter((name) => /cookie|internal|server/.test(name))).toEqual([]);
  });
});

it.each([
  ['an umlaut', withKey('schlüssel')],
  ['9,000 characters', { authorization: `Bearer ${'a'.repeat(9_000)}` }],
])(
  'credentials that are not valid header values are rejected before any call: %s',
  async (_title, headers) => {
    const { status, errors } = await gateway.ask(read, {}, headers);
    expect([status, errors?.[0]?.extensions['code']]).toEqual([400, 'BAD_REQUEST']);
    expect(service.received).toEqual([]);
  },
);

it('a number that binary64 would round is not the id of another document', async () => {
  for (const id of ['0.99999999999999999999', '1e-400', '1234567890123456.00000001', '9007199254740993']) {
    service.will(does.text(200, `{"docId":${id},"docNumber":"N"}`));
    const { data } = await gateway.ask(
      'mutation { importMalaysiaInvoice(input: { queueId: "7", invoice: { docType: INVOICE, docNumber: "N", lines: [] } }) { ... on MalaysiaImport { documentId } } }',
    );
    expect(data.importMalaysiaInvoice.documentId).toBe(id);
  }
});

/** An import whose invoice has this literal as `extra`. */
const importOf = (variable: string, extra: string) =>
  `mutation (${variable}) { importMalaysiaInvoice(input: { queueId: "7", invoice: {
    docType: INVOICE, docNumber: "N", lines: [], extra: ${extra} } }) { __typename } }`;

describe('a variable inside of a literal of JSON', () => {
  it.each([
    ['ID', '12', '"12"'],
    ['ID', 12, '12'],
    ['[ID!]', ['0', '-7', '007'], '["0","-7","007"]'],
    ['MalaysiaDocType', 'CREDIT_NOTE', '"CREDIT_NOTE"'],
    ['MalaysiaReferenceInput', { originalInvoiceCodeNumber: '1' }, '{"originalInvoiceCodeNumber":"1"}'],
    ['MalaysiaTaxInput', { type: 'SALES_TAX', amount: '1.0' }, '{"type":"SALES_TAX","amount":"1.0"}'],
    ['Int', null, 'null'],
  ])('of type %s is the JSON that the caller sent: %j', async (type, value, json) => {
    service.will(does.json(200, { docId: 1 }));
    const { errors } = await gateway.ask(importOf(`$value: ${type}`, '{ v: $value, vs: [$value] }'), {
      value,
    });
    expect(errors).toBeUndefined();
    const [{ headers, body }] = service.received as [does.Received];
    expect(headers['content-type']).toBe('application/json');
    expect(body.toString()).toContain(`"v":${json},"vs":[${json}]`);
  });

  it('that is absent is left out of an object, and null in a list', async () => {
    service.will(does.json(200, { docId: 1 }));
    const { errors } = await gateway.ask(importOf('$value: ID', '{ v: $value, vs: [$value] }'));
    expect(errors).toBeUndefined();
    expect(service.received[0]?.body.toString()).toMatch(/,"vs":\[null\]}$/);
    expect(service.received[0]?.body.toString()).not.toContain('"v":');
  });
});

describe('a literal of JSON', () => {
  const refused = (code: string) => ({
    message: expect.stringContaining('JSON cannot contain enum values or files: send strings.'),
    extensions: expect.objectContaining({ code, sideEffect: 'NONE' }),
  });

  it.each([
    ['', 'GRAPHQL_VALIDATION_FAILED', importOf('$value: ID', '{ a: [$value], v: CREDIT_NOTE }')],
    [
      ', also not as the default of a variable',
      'BAD_USER_INPUT',
      importOf('$value: MalaysiaDocType = CREDIT_NOTE', '{ v: $value }'),
    ],
  ])('cannot contain an enum value%s: %s', async (_where, code, query) => {
    const { errors } = await gateway.ask(query);
    expect(errors).toMatchObject([refused(code)]);
    expect(service.received).toEqual([]);
  });

  it('cannot contain a file', async () => {
    const query = importOf('$file: Upload', '{ v: [$file] }');
    const file = { bytes: 'a card', name: 'card.png' };
    const { errors } = await sendUpload(gateway, upload(query, { file: null }, 'variables.file', file));
    expect(errors).toMatchObject([refused('BAD_USER_INPUT')]);
    expect(service.received).toEqual([]);
  });
});

it('an amount is sent exactly from a variable inside of a literal', async () => {
  service.will(does.json(200, { docId: 1, docNumber: 'N' }));
  const query = `mutation ($sum: Decimal!, $line: MalaysiaLineInput!, $more: JSONObject) { importMalaysiaInvoice(input: { queueId: "7", invoice: {
      docType: INVOICE, docNumber: "N", supplier: {}, buyer: {}, lines: [], totals: { sum: $sum, sums: [$sum] },
      extra: { line: $line, more: $more } } }) { __typename } }`;
  const sum = '12345678901234567890.10';
  const more = `{"sum":${sum},"list":[null,true,"${sum}",1.5,-7,{"__proto__":[]}]}`;
  const variables = `{"sum":${sum},"line":{"amountExclTax":${sum},"taxes":[]},"more":${more}}`;
  const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
  const { errors } = await readResponse(await post(gateway, body, {}));
  expect(errors).toBeUndefined();
  const sent = service.received[0]?.body.toString();
  expect(sent).toContain(`"totals":{"sum":${sum},"sums":[${sum}]}`);
  expect(sent).toContain(`"line":{"amountExclTax":${sum},"taxes":[]},"more":${more}`);
});
