import { readFileSync } from 'node:fs';
import { type DocumentNode, print, separateOperations } from 'graphql';
import { describe, expect, it } from 'vitest';
import { anInvoice } from '../support/an-invoice.ts';
import { examples } from '../support/examples.ts';
import { alice, startTestGateway, startTestHandler, withKey } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import {
  type Asked,
  httpTransports,
  mutationTransports,
  type Result,
  transports,
} from '../support/transports.ts';

const group = {
  id: 7,
  name: 'a',
  createdAt: 1_700_000_000_000,
  uid: 1,
  queueCount: 1,
  queues: [{ id: 1, more: [] }],
};
const validation = {
  documentId: '1001',
  uuid: '5f0c0e3a-7b0a-4b55-9f0e-2f6f1b9a1c11',
  validation_result: 'INVALID',
  validatedAt: '2026-03-01T10:00:00.000Z',
  invalid_reason: 'No "RFC" → ñ',
  steps: { schema: { result: 'PASS', detail: null }, rfc: { result: 'FAIL', detail: 'ñ' } },
};

/** Responses by the end of the path, then by a part of it. */
const responses: [RegExp, does.Behaviour][] = [
  [/\/403$/, does.json(403, {})],
  [/\/404$/, does.json(404, {})],
  [/\/429$/, does.json(429, {}, { 'retry-after': '90' })],
  [/\/broken$/, does.text(200, '<')],
  [/mexico/, does.json(200, validation)],
  [/malaysia\/status/, does.json(200, { status: 'submitted' })],
  [/malaysia/, does.json(200, { docId: '12345678901234567890' })],
  [
    /export/,
    does.json(200, {
      exportDocumentByDocIds: { data: '"Name","Total"\n"O""Brien\n2","1.10"\n', message: 'ok' },
    }),
  ],
  [/fapiao/, does.json(200, { createXmlDocument: { requestId: 'r-1', message: 'ok' } })],
  [/./, does.json(200, { createGroup: group })],
];

/** A service whose responses depend on the request only. */
const steady: does.Behaviour = (request, response) =>
  responses.find(([path]) => path.test(request.url as string))?.[1](request, response);

const service = await serviceForFile(steady);
const environment = { UPSTREAM_URL: service.url, CORS_ORIGINS: 'https://app.example', EXPOSE_CALLS: 'true' };
const gateway = forFile(await startTestGateway(environment));
const handler = forFile(await startTestHandler(environment));

/** Removes what differs between equal requests. */
function comparable({ data: given, errors, extensions }: Result) {
  const data: unknown =
    given === undefined
      ? undefined
      : JSON.parse(JSON.stringify(given), (name, value) => (name === 'observedAt' ? 'now' : value));
  const masked = errors?.map(({ extensions: { requestId, upstream, ...extensions }, ...error }) => {
    expect(requestId).toEqual(expect.any(String));
    return { ...error, extensions, upstream: upstream && { ...upstream, requestId: undefined } };
  });
  const calls = extensions?.calls.map(({ durationMs, ...call }: any) => JSON.stringify(call)).sort();
  return { data, errors: masked, calls };
}

const names = [
  ...['content-type', 'cache-control', 'retry-after', 'vary', 'allow', 'access-control-allow-origin'],
  ...['access-control-expose-headers'],
];

async function responseOf(response: Response) {
  const text = await response.text();
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
  return { status: response.status, headers, result: text === '' ? '' : comparable(JSON.parse(text)) };
}

/** Sends a request to Node's server and to the handler of `Request` objects, whose responses have to be equal. */
async function bothResponses(search: string, init: RequestInit) {
  const response = await responseOf(await fetch(gateway.url + search, init));
  expect(await responseOf(await handler.fetch(`/graphql${search}`, init))).toEqual(response);
  return response;
}

async function post(body: string, headers: Record<string, string> = {}) {
  const all = { ...alice, 'content-type': 'application/json', ...headers };
  return await bothResponses('', { method: 'POST', headers: all, body });
}

async function get(asked: Asked, headers: Record<string, string> = {}) {
  const members = Object.entries(asked).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return await bothResponses(`?${new URLSearchParams(members)}`, {
    headers: { ...alice, 'apollo-require-preflight': '1', ...headers },
  });
}

const operations = separateOperations(examples) as Record<string, DocumentNode>;
const invoice = anInvoice();
const xml = readFileSync('test/fixtures/fapiao.xml', 'utf8');
const variablesOf: Record<string, object> = {
  CheckMalaysiaInvoice: { invoice },
  CreateFapiao: { input: { document: { xml } } },
  CreateGroup: { input: { name: 'a' } },
  ExportDocuments: { input: { documentIds: ['1', '2'] } },
  ImportMalaysiaInvoice: { input: { queueId: '1', invoice } },
  ImportMalaysiaInvoices: {
    input: [
      { queueId: '1', invoice },
      { queueId: '403', invoice },
    ],
  },
  MalaysiaStatus: { documentId: '1' },
  MalaysiaStatuses: { documentIds: ['1', '404', '403'] },
  MexicoValidation: { by: { documentId: '1001' } },
  MexicoValidations: { by: [{ documentId: '1001' }, { documentId: '404' }, { documentId: '403' }] },
};

const oneStatus = (id: string) => `{ malaysiaStatus(documentId: "${id}") { state } }`;
const statusOf = 'query ($id: ID!) { malaysiaStatus(documentId: $id) { state } }';
const written: [name: string, query: string, variables?: object][] = [
  [
    'a field that fails next to one that succeeds',
    '{ a: malaysiaStatus(documentId: "403") { state } b: malaysiaStatus(documentId: "1") { state } }',
  ],
  ['a refusal with retryAfterMs', oneStatus('429')],
  ['an unreadable response of the service', oneStatus('broken')],
  ['an invalid id', oneStatus('../1')],
  [
    'an input that breaks rules',
    'mutation { exportDocuments(input: { documentIds: [] }) { ... on InvalidInput { message problems { rule path } } } }',
  ],
  ['a syntax error', '{ a'],
  ['an unknown field', '{ nope }'],
  ['a variable of the wrong type', statusOf, { id: {} }],
  ['a missing variable', statusOf],
  ['an operation too deep', `{ ${'a { '.repeat(40)} b ${'}'.repeat(40)} }`],
  [
    'an operation too expensive',
    'query ($ids: [ID!]!) { a: malaysiaStatuses(documentIds: $ids) { state } b: malaysiaStatuses(documentIds: $ids) { state } c: malaysiaStatuses(documentIds: $ids) { state } }',
    { ids: Array(100).fill('1') },
  ],
  ['several operations and no name', 'query A { __typename } query B { __typename }'],
  ['the schema', '{ __schema { queryType { name } } }'],
  [
    'skipped and included fields',
    'query ($a: Boolean!) { __typename @skip(if: $a) malaysiaStatus(documentId: "1") @include(if: $a) { state } }',
    { a: true },
  ],
];

const unnamed = { query: oneStatus('1'), operationName: '' };
const asked: [name: string, asked: Asked][] = [
  ...Object.entries(variablesOf).map<[string, Asked]>(([name, variables]) => [
    name,
    { query: print(operations[name] as DocumentNode), variables, operationName: name },
  ]),
  ...written.map<[string, Asked]>(([name, query, variables]) => [
    name,
    { query, ...(variables && { variables }) },
  ]),
  ['an empty operation name', unnamed],
];

/** Each is sent with some of the operations: a refusal by the header and one by the operation are independent. */
const accepts = [
  'application/json',
  'application/graphql-response+json',
  '*/*',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  'text/plain, application/*',
];

describe.each(asked.map(([name, asked], index) => ({ name, asked, index })))('$name', ({ asked, index }) => {
  const isQuery = !String(asked.query).startsWith('mutation');

  it('has the same result over every transport', async () => {
    const { result } = await post(JSON.stringify(asked));
    for (const [name, ask] of Object.entries(isQuery ? transports : mutationTransports)) {
      expect(comparable(await ask(gateway, asked)), name).toEqual(result);
      if (name in httpTransports)
        expect(comparable(await ask(gateway, asked, alice, handler.fetch)), name).toEqual(result);
    }
  });

  it.runIf(isQuery)('has the same response by POST and by GET, whatever the client accepts', async () => {
    const headers = { accept: accepts[index % accepts.length] as string, origin: 'https://app.example' };
    expect(await get(asked, headers)).toEqual(await post(JSON.stringify(asked), headers));
  });
});

it.each([
  [
    'a subscription that accepts JSON alone',
    406,
    'subscription { malaysiaStatusChanged(documentId: "1") { state } }',
    {},
  ],
  ['a malformed credential', 400, '{ __typename }', withKey('ä')],
])('%s gets the same %i by POST and by GET', async (_what, status, query, headers) => {
  const response = await post(JSON.stringify({ query }), headers);
  expect(response).toEqual(await get({ query }, headers));
  expect(response.status).toBe(status);
});

it('an empty operation name is none', async () => {
  const { result } = await post(JSON.stringify(unnamed));
  expect(result).toMatchObject({ data: { malaysiaStatus: { state: 'SUBMITTED' } }, errors: undefined });
});

it('a quoted charset is the same as a plain one', async () => {
  const body = '{"query":"{ __typename }"}';
  const response = await post(body, { 'content-type': 'application/json; charset="utf-8"' });
  expect(response).toEqual(await post(body));
  expect(response.status).toBe(200);
});
