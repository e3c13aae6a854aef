/** Variables that the gateway refuses before it coerces or holds any of them, over every transport. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alice, sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

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
  service.will(does.json(200, {}));
  service.received.length = 0;
});

const status = 'query ($id: ID!) { malaysiaStatus(documentId: $id) { state } }';
const watch = 'subscription ($id: ID!) { malaysiaStatusChanged(documentId: $id) { state } }';

interface Refusal {
  readonly code: string;
  readonly message: string;
}

type Send = (query: string, variables: object) => Promise<Refusal>;

const refusalOf = (errors: readonly any[] | undefined): Refusal => ({
  code: errors?.[0]?.extensions.code,
  message: errors?.[0]?.message,
});

const post: Send = async (query, variables) => refusalOf((await gateway.ask(query, variables)).errors);

const get: Send = async (query, variables) => {
  const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  const response = await fetch(`${gateway.url}?${search}`, {
    headers: { ...alice, 'x-graphql-yoga-csrf': '1' },
  });
  return refusalOf(((await response.json()) as any).errors);
};

const multipart: Send = async (query, variables) =>
  refusalOf(
    (
      await sendUpload(
        gateway,
        upload(query, { ...variables, file: null }, 'variables.file', { bytes: 'x', name: 'x.png' }),
      )
    ).errors,
  );

const eventStream: Send = async (query, variables) => {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { ...alice, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
  });
  const [, data] = /data: (\{.*\})/.exec(await response.text()) ?? [];
  return refusalOf(JSON.parse(data as string).errors);
};

const webSocket: Send = async (query, variables) => {
  const socket = await openSocket(gateway);
  socket.send({ type: 'connection_init', payload: alice });
  await socket.message();
  socket.send({ type: 'subscribe', id: '1', payload: { query, variables } });
  const { payload } = await socket.messageOf('1');
  socket.close();
  // An operation that was refused before it started has a list of errors, one that failed a result.
  return refusalOf(Array.isArray(payload) ? payload : payload.errors);
};

describe('a variable that the operation does not declare', () => {
  const scan =
    'mutation ($file: Upload!) { scanIdentityCard(input: {queueId: "7", handwritten: false, file: $file}) { __typename } }';

  it.each<[string, Send, string, object]>([
    ['POST', post, status, { id: '1' }],
    ['GET', get, status, { id: '1' }],
    ['a multipart request', multipart, scan, {}],
    ['an event stream', eventStream, watch, { id: '1' }],
    ['a WebSocket', webSocket, watch, { id: '1' }],
  ])('is ignored over %s, and the call is made', async (_transport, send, query, variables) => {
    service.will(does.json(403, {}));
    const { code } = await send(query, { ...variables, surplus: 'x'.repeat(1_000), ['n'.repeat(10_000)]: 1 });
    expect(code).toBe('FORBIDDEN');
    expect(service.received).toHaveLength(1);
  });

  it('may belong to another operation of the document', async () => {
    const document = 'query A { __typename } query B($id: ID!) { malaysiaStatus(documentId: $id) { state } }';
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, operationName: 'A', variables: { id: '5001' } }),
    });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('is ignored when its name is __proto__', async () => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }","variables":{"__proto__":{"a":1}}}',
    });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });
});

describe('a variable without a value', () => {
  const optional = 'query ($id: ID) { mexicoValidation(by: {documentId: $id}) { result } }';
  const defaulted = 'query ($id: ID = "1") { malaysiaStatus(documentId: $id) { state } }';

  it.each<[string, string, object]>([
    ['absent, for the one member of an input', optional, {}],
    ['null, for the one member of an input', optional, { id: null }],
    ['null instead of its default, for a required argument', defaulted, { id: null }],
  ])('is refused as the input of the caller: %s', async (_case, query, variables) => {
    const { code, message } = await post(query, variables);
    expect({ code, message }).toEqual({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/^Argument "Query\..*" has invalid value: /),
    });
    expect(service.received).toEqual([]);
  });
});

describe('an ID in the variables', () => {
  const exported = 'mutation ($d: [ID!]!) { exportDocuments(input: {documentIds: $d}) { __typename } }';
  const exportedInput = 'mutation ($i: ExportDocumentsInput!) { exportDocuments(input: $i) { __typename } }';

  it.each<[string, string, string]>([
    ['alone', status, '{"id":9007199254740993}'],
    ['below zero', status, '{"id":-9007199254740993}'],
    ['with an exponent', status, '{"id":1e21}'],
    ['in a list', exported, '{"d":["1",9007199254740993]}'],
    ['instead of a list', exported, '{"d":9007199254740993}'],
    ['in an input object', exportedInput, '{"i":{"documentIds":[9007199254740993]}}'],
  ])('is refused as a JSON number above 2^53 - 1: %s', async (_where, query, variables) => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...alice },
      body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
    });
    const { errors } = (await response.json()) as any;
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect(errors[0].message).toMatch(/^The number at "(id|d|d\.1|i\.documentIds\.0)" .*: send a string\.$/);
    expect(service.received).toEqual([]);
  });

  it('is sent exactly as a string above 2^53 - 1, and as a number up to it', async () => {
    service.will(does.json(200, { exportDocumentByDocIds: { data: '"Name"\n', message: 'ok' } }));
    await gateway.ask(exported, { d: ['9007199254740993', Number.MAX_SAFE_INTEGER] });
    expect(String(service.received[0]?.body)).toBe('{"docIds":[9007199254740993,9007199254740991]}');
  });
});
