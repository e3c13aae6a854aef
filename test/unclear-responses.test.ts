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

describe('a read answered with 404', () => {
  const mexico = '{ mexicoValidation(by: { documentId: "1" }) { uuid } }';
  const malaysia = '{ malaysiaStatus(documentId: "1") { state } }';
  const driftLines = () => gateway.log().filter((line) => line.includes('"msg":"drift"')).length;

  it.each<[string, does.Behaviour]>([
    ['as plain text', does.text(404, 'Not Found', { 'content-type': 'text/plain' })],
    ['as text without a content type', does.text(404, 'no record')],
    ['as XML', does.text(404, '<error>none</error>', { 'content-type': 'application/xml' })],
    ['as a JSON text', does.json(404, 'none')],
    ['as JSON null', does.json(404, null)],
    ['as an empty list', does.json(404, [])],
    ['as a JSON object', does.json(404, { statusCode: 404, message: 'none' })],
    [
      'as a JSON object under a wrong type',
      does.text(404, '{"message":"none"}', { 'content-type': 'text/html' }),
    ],
    ['as broken JSON', does.text(404, '{"message":', { 'content-type': 'application/json' })],
    ['with no body', does.text(404, '')],
    ['with no body, typed as HTML', does.text(404, '', { 'content-type': 'text/html' })],
  ])('%s has no record', async (_how, behaviour) => {
    service.will(behaviour);
    expect(await gateway.ask(mexico)).toMatchObject({ data: { mexicoValidation: null }, errors: undefined });
    const { errors } = await gateway.ask(malaysia);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', sideEffect: 'NONE' });
  });

  it.each<[string, does.Behaviour]>([
    ['a page', does.htmlPage(404)],
    [
      'a page with a charset',
      does.text(404, '<html></html>', { 'content-type': 'Text/HTML; charset=utf-8' }),
    ],
    ['a page without a type', does.text(404, '\n<!DOCTYPE html><title>404</title>')],
    [
      'a page typed as text',
      does.text(404, '<html lang="en"><h1>404</h1></html>', { 'content-type': 'text/plain' }),
    ],
  ])('by %s may be a wrong address', async (_what, behaviour) => {
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

  it('in another form than a JSON object or nothing is drift, and in these two is none', async () => {
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

describe('a refusal of the service', () => {
  const create = 'mutation { createGroup(input: {}) { ... on InvalidInput { problems { message } } } }';
  const messageFor = async (behaviour: does.Behaviour) => {
    service.will(behaviour);
    return (await gateway.ask(create)).data.createGroup.problems[0].message;
  };

  it('in plain text is passed on where it is one plain line', async () => {
    expect(await messageFor(does.text(400, 'The queue is closed.\n'))).toBe('The queue is closed.');
    for (const text of ['', '<html>no</html>', 'one\ntwo', 'x'.repeat(2_000), 'see https://a.example/b']) {
      expect(await messageFor(does.text(422, text))).toBe('The service refused the input.');
    }
  });
});

/** The drift of all calls that `work` causes, as `kind member`, each as often as it was counted or once if logged. */
async function driftOf(work: () => Promise<unknown>): Promise<{ counted: number; logged: string[] }> {
  const total = async () => {
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('folio_drift_total{'));
    return lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
  };
  const [before, lines] = [await total(), gateway.log().length];
  await work();
  const logged = gateway
    .log()
    .slice(lines)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'drift')
    .map(({ kind, member }) => `${kind} ${member}`);
  return { counted: (await total()) - before, logged };
}

describe('a Malaysian status', () => {
  const statusOf = async (body: unknown) => {
    service.will(does.json(200, body));
    const { data, errors } = await gateway.ask(
      '{ malaysiaStatus(documentId: "1") { state rawState isFinal message govPortal { submissionId uuid } } }',
    );
    return errors ? errors[0]?.extensions['code'] : data.malaysiaStatus;
  };
  const words = {
    QUEUED: ['queued', 'pending', 'processing', 'accepted'],
    SUBMITTED: ['submitted'],
    VALIDATED: ['validated', 'valid'],
    REJECTED: ['rejected', 'invalid'],
    FAILED: ['failed', 'error', 'validation failed', 'Validation Failed', 'VALIDATION_FAILED'],
    CANCELLED: ['cancelled', 'Cancelled'],
  };
  const rows = Object.entries(words).flatMap(([state, all]) => all.map((word) => [word, state] as const));

  it.each(rows)('%s is %s, in any case, with blanks and underscores ignored', async (word, state) => {
    const isFinal = !['QUEUED', 'SUBMITTED'].includes(state);
    const spellings = [
      word,
      word.toUpperCase(),
      `  ${word}\t`,
      `_${word.slice(0, 3)}_ ${word.slice(3)}`,
      word.replace(' ', '_'),
    ];
    for (const name of ['status', 'state', 'documentStatus']) {
      for (const spelling of spellings) {
        expect(await statusOf({ [name]: spelling })).toMatchObject({ state, rawState: spelling, isFinal });
        expect(await statusOf({ anything: { [name]: spelling } })).toMatchObject({ state, isFinal });
      }
    }
  });

  it.each<[string, unknown, string, string]>([
    [
      'an envelope with a word of its own',
      { status: 'success', data: { status: 'validated' } },
      'VALIDATED',
      'validated',
    ],
    [
      'a status that is a number',
      { status: 200, data: { documentStatus: 'Rejected' } },
      'REJECTED',
      'Rejected',
    ],
    ['an unknown word before a known one', { status: 'ok', state: 'submitted' }, 'SUBMITTED', 'submitted'],
    ['the top before what is below', { status: 'queued', data: { status: 'validated' } }, 'QUEUED', 'queued'],
    ['the second object below', { meta: { status: 'fine' }, data: { state: 'failed' } }, 'FAILED', 'failed'],
    ['an empty word', { status: '', data: { status: 'valid' } }, 'VALIDATED', 'valid'],
    ['two unknown words', { status: 'success', data: { status: 'archived' } }, 'UNKNOWN', 'success'],
    ['unknown words below alone', { data: { status: 'archived' } }, 'UNKNOWN', 'archived'],
    ['a word of every object', { status: 'constructor' }, 'UNKNOWN', 'constructor'],
    ['a word that holds a known one', { status: 'not valid yet' }, 'UNKNOWN', 'not valid yet'],
  ])('is the first known word, else the top one: %s', async (_what, body, state, rawState) => {
    expect(await statusOf(body)).toMatchObject({ state, rawState });
  });

  it.each<[string, unknown]>([
    ['no word', { message: 'hello' }],
    ['a word two levels down', { data: { document: { status: 'valid' } } }],
    ['a word in a list', { documents: ['valid'] }],
    ['words that are none', { status: 1, state: null, documentStatus: { text: 'valid' } }],
  ])('that holds %s does not fit', async (_what, body) => {
    expect(await statusOf(body)).toBe('UPSTREAM_BAD_RESPONSE');
  });

  it('has the reason that stands beside its word', async () => {
    expect(
      await statusOf({ status: 'success', data: { status: 'rejected', reason: 'Buyer TIN' } }),
    ).toMatchObject({ message: 'Buyer TIN' });
    expect(await statusOf({ status: 'failed', errors: ['a', { message: 'b' }, 3] })).toMatchObject({
      message: 'a; b',
    });
  });

  it.each<[string, object]>([
    ['at the top', { status: 'valid', myPortal: { submissionId: 'S1', uuid: 'U1' } }],
    [
      'next to the word below',
      { status: 'success', data: { state: 'valid', portal: { submissionId: 'S1', uuid: 'U1' } } },
    ],
    [
      'at the top while the word is below',
      { data: { state: 'valid' }, portal: { submissionId: 'S1', uuid: 'U1' } },
    ],
    ['as the object that holds the word', { portal: { status: 'valid', submissionId: 'S1', uuid: 'U1' } }],
  ])('has the portal’s ids, %s, whatever the member’s name', async (_where, body) => {
    expect(await statusOf(body)).toMatchObject({
      state: 'VALIDATED',
      govPortal: { submissionId: 'S1', uuid: 'U1' },
    });
  });
});

describe('the portal’s details of an import', () => {
  const accepted = {
    ...{ requestId: 'r', queueId: 1, docId: 2, docType: 'invoice', docNumber: '1', message: '' },
    trackingUrl: 'http://a.invalid/',
  };
  const portalOf = async (body: object) => {
    service.will(does.json(200, body));
    const { data } = await gateway.ask(
      `mutation { importMalaysiaInvoice(input: { queueId: "1", invoice: { docType: INVOICE, docNumber: "1", supplier: {}, buyer: {}, lines: [${line}] } }) { ... on MalaysiaImport { govPortal { submissionId uuid } } } }`,
    );
    return data.importMalaysiaInvoice.govPortal;
  };
  const [both, one] = [
    { submissionId: 'S1', uuid: 'U1' },
    { submissionId: 'S1', uuid: null },
  ];

  it.each<[string, object, object | null]>([
    ['under the stand-in name', { govPortal: both }, both],
    ['under any other name', { myPortal: both }, both],
    ['with a uuid alone', { tax_portal: { uuid: 'U1' } }, { submissionId: null, uuid: 'U1' }],
    ['with a submission alone', { portal: { submissionId: 'S1' } }, one],
    ['under the stand-in name before any other', { other: { uuid: 'X' }, govPortal: both }, both],
    ['beside members of another shape', { meta: { id: 1 }, list: [both], portal: both }, both],
    ['beside a stand-in that is no object', { govPortal: 'pending', portal: both }, both],
    ['nowhere', {}, null],
    ['in no object', { uuid: 'U1', submissionId: 'S1' }, null],
    ['as null', { govPortal: null }, null],
  ])('are known by their shape: %s', async (_where, members, expected) => {
    expect(await portalOf({ ...accepted, ...members })).toEqual(expected);
  });

  it('are no drift under another name, but their unknown members are', async () => {
    expect(await driftOf(() => portalOf({ ...accepted, portalOne: both }))).toEqual({
      counted: 0,
      logged: [],
    });
    expect(await driftOf(() => portalOf({ ...accepted, portalTwo: { ...both, longId: '1' } }))).toEqual({
      counted: 1,
      logged: ['unknown-member import.portalTwo.longId'],
    });
  });
});

describe('a Mexican validation', () => {
  const uuid = 'ABCDEF01-2345-9789-0BCD-EF0123456789';
  const record = {
    ...{ documentId: '1', uuid, validation_result: 'VALID', validatedAt: '2026-01-01T00:00:00Z' },
    ...{ invalid_reason: null, steps: {} },
  };
  const validationOf = async (members: object) => {
    service.will(does.json(200, { ...record, ...members }));
    const { data, errors } = await gateway.ask(
      '{ mexicoValidation(by: { documentId: "1" }) { uuid result invalidReason validatedAt steps { name key result } } }',
    );
    return errors ? errors[0]?.extensions['code'] : data.mexicoValidation;
  };
  const [pass, fail] = [
    { result: 'PASS', detail: null },
    { result: 'FAIL', detail: 'why' },
  ];

  it.each<[string, unknown, number]>([
    ['null', null, 0],
    ['absent', undefined, 1],
    ['empty', '', 1],
    ['of another form', 'none', 1],
    ['a number', 7, 1],
  ])('that is INVALID keeps its reason and steps where its uuid is %s', async (_what, absent, drift) => {
    const invalid = {
      ...{ uuid: absent, validation_result: 'INVALID', invalid_reason: 'why' },
      steps: { schema: fail },
    };
    const { counted } = await driftOf(async () => {
      expect(await validationOf(invalid)).toMatchObject({
        ...{ uuid: null, result: 'INVALID', invalidReason: 'why' },
        steps: [{ name: 'SCHEMA', key: 'schema', result: 'FAIL' }],
      });
    });
    expect(counted).toBe(drift);
  });

  it('has the folio as the service writes it', async () => {
    for (const written of [uuid, uuid.toLowerCase()]) {
      expect(await validationOf({ uuid: written })).toMatchObject({ uuid: written });
    }
  });

  it.each<[string, object, string[]]>([
    [
      'under its stand-in name',
      { rfc: pass, authorityStatus: pass, schema: pass },
      ['SCHEMA schema', 'AUTHORITY_STATUS authorityStatus', 'RFC rfc'],
    ],
    [
      'under any other',
      { rfc: pass, schema: pass, taxOffice: fail },
      ['SCHEMA schema', 'AUTHORITY_STATUS taxOffice', 'RFC rfc'],
    ],
    ['when it ran alone', { estatus: fail }, ['AUTHORITY_STATUS estatus']],
    [
      'beside a member that is no step',
      { schema: pass, note: 'text', office: pass },
      ['SCHEMA schema', 'AUTHORITY_STATUS office'],
    ],
    [
      'under its stand-in name beside another',
      { more: pass, authorityStatus: pass },
      ['AUTHORITY_STATUS authorityStatus', 'OTHER more'],
    ],
    [
      'unless two have other names',
      { a: pass, schema: pass, b: pass },
      ['SCHEMA schema', 'OTHER a', 'OTHER b'],
    ],
    ['not when it is not there', { schema: pass, rfc: pass }, ['SCHEMA schema', 'RFC rfc']],
  ])('knows the authority’s step as neither schema nor rfc: %s', async (_where, steps, expected) => {
    const found = (await validationOf({ steps })).steps;
    expect(found.map(({ name, key }: { name: string; key: string }) => `${name} ${key}`)).toEqual(expected);
  });

  it.each([
    ['2026-02-11T09:30:00', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11 09:30:00', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11T09:30', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11T09:30:00.1234567', '2026-02-11T09:30:00.123Z'],
    ['2026-02-11', '2026-02-11T00:00:00.000Z'],
    ['2026-02-11T09:30:00Z', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11T09:30:00-06:00', '2026-02-11T15:30:00.000Z'],
    ['2026-02-11T09:30:00+0800', '2026-02-11T01:30:00.000Z'],
    ['2026-02-11T09:30:00+08', '2026-02-11T01:30:00.000Z'],
    ['2028-02-29T23:59:59.999', '2028-02-29T23:59:59.999Z'],
  ])('of %s ran at %s', async (validatedAt, moment) => {
    expect(await validationOf({ validatedAt })).toMatchObject({ validatedAt: moment });
  });

  it.each(['2026-02-31T00:00:00Z', '2026-13-01', '', 'soon', '11/02/2026', null, true, {}])(
    'of %j has no certain time, without which it is none',
    async (validatedAt) => {
      expect(await validationOf({ validatedAt })).toBe('UPSTREAM_BAD_RESPONSE');
    },
  );
});

describe('the time at which a group was created', () => {
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
  ])('%j is %s', async (value, moment) => {
    expect(await createdAt(value)).toBe(moment);
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
  ])('%j is null and drift', async (value) => {
    const { counted } = await driftOf(async () => expect(await createdAt(value)).toBeNull());
    expect(counted).toBe(1);
  });
});

describe('what is left out of a scan', () => {
  const box = [1, 2, 3, 4, 2, 3, 'A', 'A'];
  const match = { keyword: box, match: 'A', matchmulti: null, page: 0, value: box };
  const field = { UICategory: 'c', UIName: 'n', UIType: 'Text', matches: [match] };
  const names = ['DOB', 'ExpiryDate', 'Gender', 'IssueDate', 'Name', 'Nationality', 'NricNumber'];
  const data = {
    ...Object.fromEntries(names.map((name) => [name, field])),
    ...{ DocSize: [[1, 2]], SmallBoxes: [{ box, page: 0 }], num_pages: 1 },
  };
  const scanned = async (members: object) => {
    service.will(
      does.json(200, { scanDocuments: { data: { ...data, ...members }, docId: 1, status: 'COMPLETED' } }),
    );
    const query = `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { card {
      fields { key } pageSizes { first } textBoxes { text } name { matches { text keywordBox { text } valueBox { text } } } } } } }`;
    const form = upload(query, { file: null }, 'variables.file', { bytes: 'a card', name: 'card.png' });
    return (await sendUpload(gateway, form)).data.scanIdentityCard.card;
  };

  it('is nothing where all is as documented', async () => {
    const { counted } = await driftOf(async () => {
      expect(await scanned({})).toMatchObject({ textBoxes: [{ text: 'A' }], pageSizes: [{ first: 1 }] });
    });
    expect(counted).toBe(0);
  });

  const oddBoxes: [string, unknown][] = [
    ['of seven', box.slice(0, 7)],
    ['of nine', [...box, 'A']],
    ['with a text among its numbers', [1, '2', 3, 4, 2, 3, 'A', 'A']],
    ['with a number among its texts', [1, 2, 3, 4, 2, 3, 'A', 5]],
    ['that is an object', { left: 1 }],
    ['that is a text', 'A'],
  ];
  it.each([...oddBoxes, ['that is null', null]])('is a box %s, which is drift', async (_what, odd) => {
    const { counted } = await driftOf(async () => {
      const card = await scanned({
        SmallBoxes: [
          { box: odd, page: 0 },
          { box, page: 0 },
        ],
      });
      expect(card.textBoxes).toEqual([{ text: 'A' }]);
    });
    expect(counted).toBe(1);
  });

  it.each(oddBoxes)('is the box of a match %s, which is drift', async (_what, odd) => {
    for (const [member, name] of [
      ['keyword', 'keywordBox'],
      ['value', 'valueBox'],
    ] as const) {
      const { counted } = await driftOf(async () => {
        const card = await scanned({ Name: { ...field, matches: [{ ...match, [member]: odd }] } });
        expect(card.name.matches).toMatchObject([{ text: 'A', [name]: null }]);
      });
      expect(counted).toBe(1);
    }
  });

  it.each<[string, object, number]>([
    ['entries of DocSize that are no pair of numbers', { DocSize: [[1], [1, 2, 3], ['1', 2], null, 7] }, 5],
    ['entries of SmallBoxes that are no objects', { SmallBoxes: [null, 'A', []] }, 3],
    ['a field that is null', { Gender: null }, 1],
    ['a field that is a text', { Gender: 'M' }, 1],
    ['matches that are no objects', { Gender: { ...field, matches: [null, 'M'] } }, 2],
    ['a list that is none', { SmallBoxes: {} }, 1],
  ])('is %s, each counted as drift', async (_what, members, drift) => {
    expect((await driftOf(() => scanned(members))).counted).toBe(drift);
  });

  it('is a match that says "not found", which is no drift', async () => {
    const notFound = { keyword: null, match: null, page: null, value: null };
    const { counted } = await driftOf(async () => {
      const card = await scanned({ Name: { ...field, matches: [notFound] } });
      expect(card.name.matches).toEqual([]);
    });
    expect(counted).toBe(0);
  });
});
