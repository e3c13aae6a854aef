/** How the gateway handles responses whose form docs/service.md leaves open. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { driftOf } from '../support/drift.ts';
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
beforeEach(() => {
  service.received.length = 0;
});

const xml =
  '<EInvoice><Header/><EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/></EInvoice>';
const invoice = '{ docType: INVOICE, docNumber: "1", supplier: {}, buyer: {}, lines: [] }';
const line = '{ amountExclTax: 1, taxes: [] }';

/** Each write, with the envelope of its response. */
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

/** The result of a write to which the service responds with status 200 and this body. */
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

describe.each(writes)('%s, when the 200 response contains errors,', (name, envelope, query) => {
  const emptyResponses: [string, object][] = [
    ['no envelope', {}],
    ['a null envelope', { [envelope]: null }],
    ['null data', { data: null }],
    ['empty data', { data: {} }],
    ['a null envelope under data', { data: { [envelope]: null } }],
    ['null envelopes at both levels', { [envelope]: null, data: { [envelope]: null } }],
  ];

  it.each(emptyResponses)(
    'and %s, reports no side effect for a code that implies none',
    async (_what, body) => {
      for (const code of ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']) {
        service.received.length = 0;
        expect(await outcomeOf(name, query, { ...body, errors: errorsOf(code) })).toBe(`${code} NONE`);
      }
    },
  );

  it.each(emptyResponses)('and %s, returns InvalidInput for BAD_USER_INPUT', async (_what, body) => {
    expect(await outcomeOf(name, query, { ...body, errors: errorsOf('BAD_USER_INPUT') })).toBe(
      'InvalidInput',
    );
  });

  it.each(emptyResponses)(
    'and %s, reports a possible side effect for any other code',
    async (_what, body) => {
      for (const code of ['INTERNAL_SERVER_ERROR', 'unauthenticated', undefined, 401, '__proto__']) {
        service.received.length = 0;
        expect(await outcomeOf(name, query, { ...body, errors: errorsOf(code) })).toBe(
          'UPSTREAM_BAD_RESPONSE POSSIBLE',
        );
      }
    },
  );

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['null', null],
  ])('as %s, reports a possible side effect', async (_what, errors) => {
    expect(await outcomeOf(name, query, { [envelope]: null, errors })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });

  it.each<[string, unknown]>([
    ['a string', 'UNAUTHENTICATED'],
    ['an object', { extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    ['a list of null', [null]],
  ])('as %s, reports a possible side effect', async (_what, errors) => {
    expect(await outcomeOf(name, query, { [envelope]: null, errors })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });
});

describe.each(writes)('%s, when the response has no id of the created object,', (name, envelope, query) => {
  const withoutId =
    name === 'importMalaysiaInvoice' ? { docNumber: '1' } : { [envelope]: { message: 'done', name: 'a' } };

  it('reports a possible side effect if the envelope is an object and there are no errors', async () => {
    expect(await outcomeOf(name, query, withoutId)).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });

  it.each(['UNAUTHENTICATED', 'INTERNAL_SERVER_ERROR'])(
    'reports a possible side effect if there are errors (%s) next to the data',
    async (code) => {
      expect(await outcomeOf(name, query, { ...withoutId, errors: errorsOf(code) })).toBe(
        'UPSTREAM_BAD_RESPONSE POSSIBLE',
      );
    },
  );

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'done'],
    ['a list', [{}]],
    ['true', true],
  ])('reports a possible side effect if the envelope is %s', async (_what, value) => {
    expect(await outcomeOf(name, query, { [envelope]: value })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });

  it('reports a possible side effect if the envelope is under data', async () => {
    const data = { [envelope]: { message: 'done' } };
    expect(await outcomeOf(name, query, { data })).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
    service.received.length = 0;
    expect(await outcomeOf(name, query, { data, errors: errorsOf('UNAUTHENTICATED') })).toBe(
      'UPSTREAM_BAD_RESPONSE POSSIBLE',
    );
  });
});

describe('the text of a write with a 200 response that is not its result', () => {
  const textsOf = async (behaviour: does.Behaviour) => {
    service.will(behaviour);
    const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'UPSTREAM_BAD_RESPONSE',
      sideEffect: 'POSSIBLE',
    });
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

describe('a read with a 404 response', () => {
  const mexico = '{ mexicoValidation(by: { documentId: "1" }) { uuid } }';
  const malaysia = '{ malaysiaStatus(documentId: "1") { state } }';
  const driftLines = () => gateway.log().filter((line) => line.includes('"msg":"drift"')).length;

  it.each<[string, does.Behaviour]>([
    ['as plain text', does.text(404, 'Not Found', { 'content-type': 'text/plain' })],
    ['as text without content type', does.text(404, 'no record')],
    ['as XML', does.text(404, '<error>none</error>', { 'content-type': 'application/xml' })],
    ['as a JSON string', does.json(404, 'none')],
    ['as JSON null', does.json(404, null)],
    ['as an empty list', does.json(404, [])],
    ['as a JSON object', does.json(404, { statusCode: 404, message: 'none' })],
    [
      'as a JSON object with a wrong content type',
      does.text(404, '{"message":"none"}', { 'content-type': 'text/html' }),
    ],
    ['as broken JSON', does.text(404, '{"message":', { 'content-type': 'application/json' })],
    ['with no body', does.text(404, '')],
    ['with no body and content type HTML', does.text(404, '', { 'content-type': 'text/html' })],
  ])('%s finds no document', async (_how, behaviour) => {
    service.will(behaviour);
    expect(await gateway.ask(mexico)).toMatchObject({ data: { mexicoValidation: null }, errors: undefined });
    const { errors } = await gateway.ask(malaysia);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', sideEffect: 'NONE' });
  });

  it.each<[string, does.Behaviour]>([
    ['an HTML page', does.htmlPage(404)],
    [
      'an HTML page with a charset',
      does.text(404, '<html></html>', { 'content-type': 'Text/HTML; charset=utf-8' }),
    ],
    ['an HTML page without content type', does.text(404, '\n<!DOCTYPE html><title>404</title>')],
    [
      'an HTML page with content type text/plain',
      does.text(404, '<html lang="en"><h1>404</h1></html>', { 'content-type': 'text/plain' }),
    ],
  ])('that is %s is UPSTREAM_BAD_RESPONSE: the address may be wrong', async (_what, behaviour) => {
    service.will(behaviour);
    for (const query of [mexico, malaysia]) {
      const { data, errors } = await gateway.ask(query);
      expect(Object.values(data)).toEqual([null]);
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'UPSTREAM_BAD_RESPONSE',
        sideEffect: 'NONE',
        retryable: false,
      });
    }
  });

  it('counts as drift unless its body is empty or a JSON object', async () => {
    const counted = async () => {
      const text = await (await fetch(`${gateway.origin}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith('folio_drift_total{'));
      return Number(lines.find((line) => line.includes('mexicoValidation'))?.split(' ')[1] ?? 0);
    };
    for (const [behaviour, added] of [
      [does.text(404, 'Not Found'), 1],
      [does.json(404, {}), 0],
      [does.text(404, ''), 0],
    ] as const) {
      const before = await counted();
      service.will(behaviour);
      await gateway.ask(mexico);
      expect((await counted()) - before).toBe(added);
    }
    expect(driftLines()).toBeGreaterThan(0);
  });
});

describe('the message of a rejection by the service', () => {
  const create = 'mutation { createGroup(input: {}) { ... on InvalidInput { problems { message } } } }';
  const messageFor = async (behaviour: does.Behaviour) => {
    service.will(behaviour);
    return (await gateway.ask(create)).data.createGroup.problems[0].message;
  };

  it('is passed on as one line, without what it may reveal', async () => {
    expect(await messageFor(does.text(400, 'The queue is closed.\n'))).toBe('The queue is closed.');
    expect(await messageFor(does.text(422, 'one\ntwo'))).toBe('one two');
    expect(await messageFor(does.text(422, 'see https://a.example/b'))).toBe('see [removed]');
    for (const text of ['', '<html>no</html>', '<error>no</error>']) {
      expect(await messageFor(does.text(422, text))).toBe('The service refused the input.');
    }
  });
});

describe('Group.createdAt', () => {
  const group = { id: 7, name: 'a', createdAt: 1, uid: 1, queueCount: 0, queues: [] };
  const createdAt = async (value: unknown) => {
    service.will(does.json(200, { createGroup: { ...group, createdAt: value } }));
    const { data } = await gateway.ask(
      'mutation { createGroup(input: {}) { ... on Group { id createdAt } } }',
    );
    expect(data.createGroup.id).toBe('7');
    return data.createGroup.createdAt;
  };

  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
    ['2026-02-11T09:30:00', '2026-02-11T09:30:00.000Z'],
  ])('reads %j as %s', async (value, expected) => {
    expect(await createdAt(value)).toBe(expected);
  });

  it.each([
    '2026-02-31',
    '2026-02-29T10:00:00Z',
    '2026-04-31T10:00',
    '2026-00-10',
    '2026-01-00',
    '2026-01-01T25:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:00+99:00',
    '2026-01-01T10:00:00Zulu',
    '01-01-2026',
    '1767225600000',
    8.64e15,
    1e300,
  ])('reads %j as null and counts drift', async (value) => {
    const { counted } = await driftOf(gateway, async () => expect(await createdAt(value)).toBeNull());
    expect(counted).toBe(1);
  });
});
