/** How the gateway handles responses whose form docs/service.md leaves open. */
import { describe, expect, it } from 'vitest';
import { anEInvoice } from '../support/einvoice.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import { driftOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService();

describe('the text of a write with a 200 response that is not its result', () => {
  const textsOf = async (behaviour: does.Behaviour) => {
    service.will(behaviour);
    const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
    const unclear = { code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' };
    expect(errors?.[0]?.extensions).toMatchObject(unclear);
    return errors?.[0]?.extensions['upstream'].messages;
  };

  it.each<[string, does.Behaviour]>([
    ['one line of text', does.text(200, 'The name exists.', { 'content-type': 'text/plain' })],
    ['a text in place of the envelope', does.json(200, { createGroup: 'The name exists.' })],
    ['a text under an unknown name', does.json(200, { responseMessage: 'The name exists.' })],
  ])('is passed on: %s', async (_what, behaviour) => {
    expect(await textsOf(behaviour)).toEqual(['The name exists.']);
  });

  it.each<[string, does.Behaviour]>([
    [
      'JSON that was cut',
      does.text(200, '{"createGroup":{"name":"Jane Example"', { 'content-type': 'application/json' }),
    ],
    ['several lines', does.text(200, 'Name\nJane Example\n', { 'content-type': 'text/csv' })],
    ['quoted text', does.text(200, '"Name","Jane Example"', { 'content-type': 'text/csv' })],
    ['several lines under an unknown name', does.json(200, { data: 'Name\nJane Example\n' })],
    ['binary data', does.text(200, '\u0001\u0002Jane Example')],
    ['null', does.json(200, null)],
  ])('is none when it may be data of a person: %s', async (_what, behaviour) => {
    expect(await textsOf(behaviour)).toBeUndefined();
  });
});

const refusal = { message: 'no', extensions: { code: 'FORBIDDEN' } };
const two = [{ id: 7 }, { id: 8 }];

it.each<[object]>([
  [{ data: [], errors: [refusal] }],
  [{ data: 'made', errors: [refusal] }],
  [{ createGroup: 7, errors: [refusal] }],
  [{ data: { createGroup: [] }, errors: [refusal] }],
  [{ group: { id: 7 }, errors: [refusal] }],
  [{ data: { group: { id: 7 } }, errors: [refusal] }],
  [{ id: 7, name: 'A', errors: [refusal] }],
  [{ data: { docId: '7' }, errors: [refusal] }],
  [{ docID: 7, errors: [refusal] }],
  [{ document_id: 7, errors: [refusal] }],
  [{ createGroup: two }],
  [{ data: { createGroup: two } }],
  [two.map((createGroup) => ({ createGroup }))],
])('a write may have been done when the response is %j', async (body) => {
  service.will(does.json(200, body));
  const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' });
});

const anImport = '{ queueId: "1", invoice: { docType: INVOICE, docNumber: "1", lines: [] } }';

it.each([
  ['createGroup(input: {}) { ... on Group', { createGroup: { id: 7 } }],
  ['exportDocuments(input: {}) { ... on ExportResult', { exportDocumentByDocIds: { data: '"Name"\n"A"\n' } }],
  [
    `createFapiao(input: { document: { xml: "${anEInvoice()}" } }) { ... on FapiaoRequest`,
    { createXmlDocument: { requestId: 'r' } },
  ],
  [`importMalaysiaInvoice(input: ${anImport}) { ... on MalaysiaImport`, { docId: 7 }],
])('what is reported together with the result of a write is a warning: %s', async (field, result) => {
  service.will(does.json(200, { ...result, errors: [{ message: 'half done' }] }));
  const { data } = await gateway.ask(
    `mutation { result: ${field} { warnings { rule severity message } } } }`,
  );
  const warning = { rule: 'reported-by-service', severity: 'WARNING', message: 'half done' };
  expect(data.result.warnings).toContainEqual(warning);
});

it.each([
  ['exportDocuments(input: {}) { ... on ExportResult', 'exportDocumentByDocIds', { data: '"Name"' }],
  [
    `createFapiao(input: { document: { xml: "${anEInvoice()}" } }) { ... on FapiaoRequest`,
    'createXmlDocument',
    { requestId: 'r' },
  ],
  [`importMalaysiaInvoice(input: ${anImport}) { ... on MalaysiaImport`, 'data', { docId: 7 }],
])('a message in several texts is returned in one line: %s', async (field, envelope, result) => {
  service.will(
    does.json(200, { [envelope]: { ...result, message: ['Queued.', { message: 'TIN unknown' }] } }),
  );
  const { data } = await gateway.ask(`mutation { result: ${field} { message } } }`);
  expect(data.result.message).toBe('Queued.; TIN unknown');
});

it('an import whose id is in an object of another name is not sent again under its key', async () => {
  service.will(does.json(200, { importEinvoice: { docId: 7 }, errors: [refusal] }));
  const importIt = `mutation { importMalaysiaInvoice(input: { queueId: "1", idempotencyKey: "in-an-envelope",
    invoice: { docType: INVOICE, docNumber: "1", supplier: {}, buyer: {}, lines: [] } }) { __typename } }`;
  const first = await gateway.ask(importIt);
  const again = await gateway.ask(importIt);
  expect(first.errors?.[0]?.extensions).toMatchObject({ sideEffect: 'POSSIBLE' });
  expect(again.errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' });
});

it.each<[object]>([
  [{ errors: [refusal] }],
  [{ data: { createGroup: null, other: null }, errors: [refusal], extensions: { cost: { calls: 1 } } }],
  [{ error: { text: 'no' }, warnings: [{ text: 'slow' }], queues: [], errors: [refusal] }],
  [{ meta: { requestId: 'r', tookMs: 3 }, pagination: { page: 1 }, errors: [refusal] }],
  [{ createGroup: null, validation: { name: ['taken'] }, details: [{ field: 'name' }], errors: [refusal] }],
  [{ id: null, requestId: 'r', errors: [refusal] }],
])('a write did nothing when the response is %j', async (body) => {
  service.will(does.json(200, body));
  const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', sideEffect: 'NONE' });
});

it.each([-1, 1])(
  'a date in Retry-After is read by the clock of a service that is off by %i hour',
  async (hours) => {
    const now = Date.now() + hours * 3_600_000;
    const at = (ms: number) => new Date(ms).toUTCString();
    service.will(does.json(503, {}, { date: at(now), 'retry-after': at(now + 5_000) }));
    const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
    const extensions = { sideEffect: 'NONE', retryable: true, retryAfterMs: 5_000 };
    expect(errors?.[0]?.extensions).toMatchObject(extensions);
  },
);

describe('a read with a 404 response', () => {
  const mexico = '{ mexicoValidation(by: { documentId: "1" }) { uuid } }';
  const malaysia = '{ malaysiaStatus(documentId: "1") { state } }';

  it.each<[string, string, string?]>([
    ['plain text', 'Not Found', 'text/plain'],
    ['text without content type', 'no record with id < 2'],
    ['XML under its own type', '<error>none</error>', 'application/xml'],
    ['problem XML', '<problem/>', 'application/problem+xml; charset=utf-8'],
    ['XML with HTML in a comment', '<!-- <html> --><error>none</error>', 'application/xml'],
    ['a JSON string of markup', '"<h1>none</h1>"'],
    ['JSON null', 'null', 'application/json'],
    ['an empty list', '[]', 'application/json'],
    ['a JSON object with markup', '{"statusCode":404,"message":"<h1>none</h1>"}', 'application/json'],
    ['a JSON object with a wrong content type', '{"message":"none"}', 'text/html'],
    ['broken JSON', '{"message":', 'application/json'],
    ['nothing', ''],
    ['nothing and content type HTML', '', 'text/html'],
  ])('finds no document: %s', async (_what, body, type) => {
    service.will(does.text(404, body, type === undefined ? {} : { 'content-type': type }));
    expect(await gateway.ask(mexico)).toMatchObject({ data: { mexicoValidation: null }, errors: undefined });
    const { errors } = await gateway.ask(malaysia);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', sideEffect: 'NONE' });
  });

  it.each<[string, string | Buffer, string?]>([
    ['an HTML page', '<html><body>Bad gateway</body></html>', 'Text/HTML; charset=utf-8'],
    ['a page without content type', '\n<!DOCTYPE html><title>404</title>'],
    ['a heading of JSON', '<h1>Not Found</h1>', 'application/json'],
    ['XML and HTML', '<?xml version="1.0"?><html/>', 'application/xml'],
    ['XML, comments and HTML', '<?xml version="1.0"?>\n<!-- a > b\n -->\n<!-- c --><HTML/>', 'text/xml'],
    ['a page in XHTML', '<?xml version="1.0"?><div>Not Found</div>', 'application/xhtml+xml'],
    ['an unknown element', '<Error><Code>NoSuchKey</Code></Error>'],
    ['a byte order mark', '\ufeff<h1>Not Found</h1>'],
    ['UTF-16', Buffer.from('\ufeff<html><h1>404</h1></html>', 'utf16le')],
  ])('of another server is UPSTREAM_BAD_RESPONSE: %s', async (_what, body, type) => {
    service.will(does.text(404, body, type === undefined ? {} : { 'content-type': type }));
    for (const query of [mexico, malaysia]) {
      const { data, errors } = await gateway.ask(query);
      expect(Object.values(data)).toEqual([null]);
      const refusal = { code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'NONE', retryable: false };
      expect(errors?.[0]?.extensions).toMatchObject(refusal);
    }
  });

  it.each<[number, string, does.Behaviour]>([
    [1, 'neither empty nor a JSON object', does.text(404, 'Not Found')],
    [0, 'empty', does.text(404, '')],
    [0, 'empty and in gzip', does.text(404, '', { 'content-encoding': 'gzip' })],
    [0, 'a JSON object', does.json(404, {})],
  ])('causes %i drifts when its body is %s', async (drifts, _what, behaviour) => {
    service.will(behaviour);
    expect((await driftOf(gateway, () => gateway.ask(mexico))).counted).toBe(drifts);
  });
});

const levelsOf = (count: number) => JSON.parse('['.repeat(count) + ']'.repeat(count));
const valuesOf = (count: number) => Array(count).fill(1);
const namesOf = (count: number) =>
  Object.fromEntries(valuesOf(count).map((value, at) => [`name ${at}`, value]));

it.each<[string, unknown, string | undefined]>([
  ['990 levels', levelsOf(990), undefined],
  ['1,010 levels', levelsOf(1_010), 'UPSTREAM_BAD_RESPONSE'],
  ['199,000 values', valuesOf(199_000), undefined],
  ['201,000 values', valuesOf(201_000), 'UPSTREAM_BAD_RESPONSE'],
  ['9,900 names', namesOf(9_900), undefined],
  ['10,100 names', namesOf(10_100), 'UPSTREAM_BAD_RESPONSE'],
])('a large response of %s is read or UPSTREAM_BAD_RESPONSE', async (_what, more, code) => {
  service.will(does.json(200, { createGroup: { id: 7 }, more: [more, ' '.repeat(300_000)] }));
  const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
  expect(errors?.[0]?.extensions['code']).toBe(code);
});
