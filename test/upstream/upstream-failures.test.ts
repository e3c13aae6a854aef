import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type GraphQLResponseError,
  sendUpload,
  startTestGateway,
  type TestGateway,
  upload,
} from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;

beforeAll(async () => {
  service = await does.startService();
});
afterAll(() => service.close());

// A gateway for each test, because its retry budget is shared by all its calls.
beforeEach(async () => {
  service.received.length = 0;
  // Long enough for the waits before two retries.
  gateway = await startWithDeadline(4_000);
});
afterEach(() => gateway.close());

function startWithDeadline(deadlineMs: number): Promise<TestGateway> {
  return startTestGateway(
    {
      UPSTREAM_URL: service.url,
      UPSTREAM_READ_DEADLINE_MS: String(deadlineMs),
      UPSTREAM_WRITE_DEADLINE_MS: String(deadlineMs),
      UPSTREAM_SCAN_DEADLINE_MS: String(deadlineMs),
    },
    { upstream: { maxResponseBytes: 1_000_000 } },
  );
}

async function shortenDeadline(): Promise<void> {
  await gateway.close();
  gateway = await startWithDeadline(400);
}

const tooSlow: [string, does.Behaviour][] = [
  ['gets no response in time', does.hang],
  ['gets one byte at a time', does.trickle],
];

const invoice = {
  docType: 'INVOICE',
  docNumber: 'INV-1',
  supplier: {},
  buyer: {},
  lines: [{ amountExclTax: '10.00', taxes: [] }],
};
const xml =
  '<EInvoice><Header/><EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/></EInvoice>';

/** The five writes and two reads, by GraphQL field. */
const reads = {
  mexicoValidation: () => gateway.ask('{ mexicoValidation(by: { documentId: "1" }) { uuid } }'),
  malaysiaStatus: () => gateway.ask('{ malaysiaStatus(documentId: "1") { state } }'),
};
const problems = '... on InvalidInput { message problems { rule severity path message } }';
const writes = {
  createGroup: () =>
    gateway.ask(
      `mutation { createGroup(input: { name: "a" }) { __typename ... on Group { id } ${problems} } }`,
    ),
  exportDocuments: () =>
    gateway.ask(
      `mutation { exportDocuments(input: { documentIds: ["1"] }) { __typename ... on ExportResult { csv } ${problems} } }`,
    ),
  createFapiao: () =>
    gateway.ask(
      `mutation ($xml: String!) { createFapiao(input: { document: { xml: $xml } }) { __typename ... on FapiaoRequest { requestId } ${problems} } }`,
      { xml },
    ),
  importMalaysiaInvoice: () =>
    gateway.ask(
      `mutation ($invoice: MalaysiaInvoiceInput!) { importMalaysiaInvoice(input: { queueId: "1", invoice: $invoice }) { __typename ... on MalaysiaImport { documentId } ${problems} } }`,
      { invoice },
    ),
  scanIdentityCard: () =>
    sendUpload(
      gateway,
      upload(
        `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename ... on ScanResult { documentId } ${problems} } }`,
        { file: null },
        'variables.file',
        { bytes: 'a card', name: 'card.png' },
      ),
    ),
};

const readNames = Object.keys(reads) as (keyof typeof reads)[];
const writeNames = Object.keys(writes) as (keyof typeof writes)[];

interface Outcome {
  readonly code: string;
  readonly sideEffect: string;
  readonly retryable: boolean;
}

function outcomeOf({ errors }: { errors: readonly GraphQLResponseError[] | undefined }): Outcome | undefined {
  if (!errors?.[0]) return undefined;
  const { code, sideEffect, retryable } = errors[0].extensions;
  return { code, sideEffect, retryable };
}

const graphQLErrors = (code: string) =>
  does.json(200, {
    errors: [{ message: 'at http://10.0.0.7 for 900101-14-5555', extensions: { code } }],
    data: null,
  });

describe.each(writeNames)('the write %s', (name) => {
  const rows: [string, does.Behaviour, string, string, boolean][] = [
    ['gets status 401', does.json(401, {}), 'UNAUTHENTICATED', 'NONE', false],
    ['gets status 403', does.json(403, {}), 'FORBIDDEN', 'NONE', false],
    ['gets status 404', does.json(404, {}), 'NOT_FOUND', 'NONE', false],
    ['gets status 409', does.json(409, {}), 'CONFLICT', 'NONE', false],
    ['gets status 413', does.json(413, {}), 'PAYLOAD_TOO_LARGE', 'NONE', false],
    ['gets status 415', does.json(415, {}), 'UNSUPPORTED_FILE', 'NONE', false],
    ['gets status 429', does.json(429, {}, { 'retry-after': '7' }), 'RATE_LIMITED', 'NONE', true],
    [
      'gets status 503 with Retry-After',
      does.json(503, {}, { 'retry-after': '7' }),
      'UPSTREAM_UNAVAILABLE',
      'NONE',
      true,
    ],
    ['gets status 503 without Retry-After', does.json(503, {}), 'UPSTREAM_UNAVAILABLE', 'POSSIBLE', false],
    ['gets status 418', does.json(418, {}), 'UPSTREAM_BAD_RESPONSE', 'NONE', false],
    ['gets status 204', does.text(204, ''), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets status 304', does.text(304, ''), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    [
      'is redirected',
      does.text(302, '', { location: 'http://127.0.0.1:9/' }),
      'UPSTREAM_BAD_RESPONSE',
      'POSSIBLE',
      false,
    ],
    ['gets status 500', does.json(500, {}), 'UPSTREAM_UNAVAILABLE', 'POSSIBLE', false],
    ['gets an HTML page with status 502', does.htmlPage(502), 'UPSTREAM_UNAVAILABLE', 'POSSIBLE', false],
    ['is reset', does.reset, 'OUTCOME_UNKNOWN', 'POSSIBLE', false],
    ['is closed without a response', does.endWithoutResponse, 'OUTCOME_UNKNOWN', 'POSSIBLE', false],
    ['is reset after the headers', does.resetAfterHeaders, 'OUTCOME_UNKNOWN', 'POSSIBLE', false],
    ['gets a truncated body', does.truncate, 'OUTCOME_UNKNOWN', 'POSSIBLE', false],
    ['gets a response without end', does.endless, 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets a compression bomb', does.bomb, 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets five million empty objects', does.tooManyValues, 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets broken gzip', does.brokenGzip, 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ...['constructor', '__proto__', 'toString', 'unknown'].map(
      (encoding): [string, does.Behaviour, string, string, boolean] => [
        `gets the content encoding ${encoding}`,
        does.text(200, '{}', { 'content-encoding': encoding }),
        'UPSTREAM_BAD_RESPONSE',
        'POSSIBLE',
        false,
      ],
    ),
    ['gets HTML with status 200', does.htmlPage(200), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets no body', does.text(200, ''), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets broken JSON', does.text(200, '{"a":'), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets null', does.json(200, null), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets a list', does.json(200, []), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets {}', does.json(200, {}), 'UPSTREAM_BAD_RESPONSE', 'POSSIBLE', false],
    ['gets bytes that are not HTTP', does.raw('hello\r\n\r\n'), 'OUTCOME_UNKNOWN', 'POSSIBLE', false],
    [
      'is refused in the body, UNAUTHENTICATED',
      graphQLErrors('UNAUTHENTICATED'),
      'UNAUTHENTICATED',
      'NONE',
      false,
    ],
    ['is refused in the body, FORBIDDEN', graphQLErrors('FORBIDDEN'), 'FORBIDDEN', 'NONE', false],
    ['is refused in the body, NOT_FOUND', graphQLErrors('NOT_FOUND'), 'NOT_FOUND', 'NONE', false],
    [
      'is failed in the body, INTERNAL_SERVER_ERROR',
      graphQLErrors('INTERNAL_SERVER_ERROR'),
      'UPSTREAM_BAD_RESPONSE',
      'POSSIBLE',
      false,
    ],
  ];

  it.each(rows)(
    'that %s has its error code and is sent once',
    async (_title, behaviour, code, sideEffect, retryable) => {
      service.will(behaviour);
      const answer = await writes[name]();
      expect(answer.data).toEqual({ [name]: null });
      expect(outcomeOf(answer)).toEqual({ code, sideEffect, retryable });
      expect(service.received).toHaveLength(1);
      expect(service.received[0]?.method).toBe('POST');
    },
  );

  it.each(tooSlow)('that %s has its error code and is sent once', async (_title, behaviour) => {
    await shortenDeadline();
    service.will(behaviour);
    const answer = await writes[name]();
    expect(answer.data).toEqual({ [name]: null });
    expect(outcomeOf(answer)).toEqual({ code: 'UPSTREAM_TIMEOUT', sideEffect: 'POSSIBLE', retryable: false });
    expect(service.received).toHaveLength(1);
  });

  const refusals: [string, does.Behaviour][] = [
    ['400', does.json(400, { message: 'The queue is closed.' })],
    ['422', does.json(422, { message: 'The queue is closed.' })],
    [
      'BAD_USER_INPUT in the body',
      does.json(200, {
        errors: [{ message: 'The queue is closed.', extensions: { code: 'BAD_USER_INPUT' } }],
        data: null,
      }),
    ],
  ];
  it.each(refusals)('that the service rejects with %s returns InvalidInput', async (_title, behaviour) => {
    service.will(behaviour);
    const answer = await writes[name]();
    expect(answer.errors).toBeUndefined();
    expect(answer.data[name]).toMatchObject({
      __typename: 'InvalidInput',
      problems: [
        { rule: 'refused-by-service', severity: 'ERROR', path: [], message: 'The queue is closed.' },
      ],
    });
    expect(service.received).toHaveLength(1);
  });
});

describe('a write whose envelope has no id', () => {
  it.each([
    ['createGroup', { createGroup: { id: null, error: 'Not done.' } }],
    ['exportDocuments', { exportDocumentByDocIds: { data: null, message: 'Not done.' } }],
    ['createFapiao', { createXmlDocument: { message: 'Not done.' } }],
    ['importMalaysiaInvoice', { requestId: 'r', docNumber: 'INV-1', message: 'Not done.' }],
    ['scanIdentityCard', { scanDocuments: { status: 'COMPLETED', message: 'Not done.' } }],
  ] as const)('may have been done, and the text of the service is passed on: %s', async (name, body) => {
    service.will(does.json(200, body));
    const answer = await writes[name]();
    expect(outcomeOf(answer)).toEqual({
      code: 'UPSTREAM_BAD_RESPONSE',
      sideEffect: 'POSSIBLE',
      retryable: false,
    });
    expect(answer.errors?.[0]?.extensions['upstream']['messages']).toEqual(['Not done.']);
  });
});

describe.each(readNames)('the read %s', (name) => {
  const validation = {
    documentId: '1',
    uuid: '00000000-0000-0000-0000-000000000000',
    validation_result: 'VALID',
  };
  const good = does.json(200, {
    ...validation,
    validatedAt: '2026-01-01T00:00:00Z',
    steps: {},
    status: 'queued',
  });

  const final: [string, does.Behaviour, string, boolean, number][] = [
    ['gets status 400', does.json(400, {}), 'BAD_USER_INPUT', false, 1],
    ['gets status 422', does.json(422, {}), 'BAD_USER_INPUT', false, 1],
    ['gets status 401', does.json(401, {}), 'UNAUTHENTICATED', false, 1],
    ['gets status 403', does.json(403, {}), 'FORBIDDEN', false, 1],
    ['gets an HTML page with status 404', does.htmlPage(404), 'UPSTREAM_BAD_RESPONSE', false, 1],
    [
      'gets a longer Retry-After than the read may wait',
      does.json(429, {}, { 'retry-after': '3600' }),
      'RATE_LIMITED',
      true,
      1,
    ],
    ['gets status 500 with a JSON body', does.json(500, {}), 'UPSTREAM_UNAVAILABLE', true, 3],
    ['gets status 502', does.json(502, {}), 'UPSTREAM_UNAVAILABLE', true, 3],
    ['gets an HTML page with status 500', does.htmlPage(500), 'UPSTREAM_UNAVAILABLE', true, 3],
    ['is reset', does.reset, 'UPSTREAM_UNAVAILABLE', true, 3],
    ['is closed without a response', does.endWithoutResponse, 'UPSTREAM_UNAVAILABLE', true, 3],
    ['is truncated', does.truncate, 'UPSTREAM_UNAVAILABLE', true, 3],
    ['gets a response without end', does.endless, 'UPSTREAM_BAD_RESPONSE', false, 1],
    ['gets a compression bomb', does.bomb, 'UPSTREAM_BAD_RESPONSE', false, 1],
    ['gets five million empty objects', does.tooManyValues, 'UPSTREAM_BAD_RESPONSE', false, 1],
    ['gets broken gzip', does.brokenGzip, 'UPSTREAM_BAD_RESPONSE', false, 1],
    ['gets HTML', does.htmlPage(200), 'UPSTREAM_BAD_RESPONSE', false, 1],
    ['gets {}', does.json(200, {}), 'UPSTREAM_BAD_RESPONSE', false, 1],
    ['gets null', does.json(200, null), 'UPSTREAM_BAD_RESPONSE', false, 1],
    [
      'is redirected',
      does.text(301, '', { location: 'http://127.0.0.1:9/' }),
      'UPSTREAM_BAD_RESPONSE',
      false,
      1,
    ],
    [
      'is refused in the body, UNAUTHENTICATED',
      graphQLErrors('UNAUTHENTICATED'),
      'UNAUTHENTICATED',
      false,
      1,
    ],
  ];
  it.each(final)('that %s has its error code', async (_title, behaviour, code, retryable, calls) => {
    service.will(behaviour);
    const answer = await reads[name]();
    expect(answer.data).toEqual({ [name]: null });
    expect(outcomeOf(answer)).toEqual({ code, sideEffect: 'NONE', retryable });
    expect(service.received).toHaveLength(calls);
  });

  it.each(tooSlow)('that %s has its error code', async (_title, behaviour) => {
    await shortenDeadline();
    service.will(behaviour);
    const answer = await reads[name]();
    expect(answer.data).toEqual({ [name]: null });
    expect(outcomeOf(answer)).toEqual({ code: 'UPSTREAM_TIMEOUT', sideEffect: 'NONE', retryable: true });
    expect(service.received).toHaveLength(1);
  });

  const passing: [string, does.Behaviour][] = [
    ['a reset', does.reset],
    ['a truncated response', does.truncate],
    ['an HTML page with status 502', does.htmlPage(502)],
    ['503 with Retry-After 0', does.json(503, {}, { 'retry-after': '0' })],
  ];
  it.each(passing)('is retried after %s', async (_title, behaviour) => {
    service.will(behaviour, good);
    const answer = await reads[name]();
    expect(answer.errors).toBeUndefined();
    expect(service.received).toHaveLength(2);
  });
});

it('mexicoValidation is null when the service responds 404, with or without a JSON body', async () => {
  for (const behaviour of [does.json(404, { message: 'none' }), does.text(404, '')]) {
    service.will(behaviour);
    const answer = await reads.mexicoValidation();
    expect(answer).toMatchObject({ data: { mexicoValidation: null }, errors: undefined });
  }
});

it('malaysiaStatus returns NOT_FOUND for an unknown document', async () => {
  service.will(does.json(404, {}));
  expect(outcomeOf(await reads.malaysiaStatus())).toEqual({
    code: 'NOT_FOUND',
    sideEffect: 'NONE',
    retryable: false,
  });
});

describe('a service that cannot be reached', () => {
  it('causes UPSTREAM_UNAVAILABLE without side effect', async () => {
    const stopped = await does.startService();
    await stopped.close();
    const gatewayAlone = await startTestGateway({ UPSTREAM_URL: stopped.url });
    const answer = await gatewayAlone.ask('mutation { createGroup(input: {}) { __typename } }');
    expect(outcomeOf(answer)).toEqual({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true });
    await gatewayAlone.close();
  });
});
