import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  alice,
  answerOf,
  type GraphQLAnswer,
  startTestGateway,
  type TestGateway,
} from './support/gateway.ts';
import * as does from './support/service.ts';
import { openSocket } from './support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway(
    { UPSTREAM_URL: service.url, MAX_REQUEST_BYTES: '100000', CORS_ORIGINS: 'https://app.example' },
    { limits: { maxSubscriptionsPerSocket: 3 } },
  );
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...alice, ...headers },
    body: body as BodyInit,
  });

/** Bytes as no HTTP library would send them, and the status line that comes back. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
    socket.on('data', () => socket.end()).on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
  });
}

function codeOf({ errors }: GraphQLAnswer): unknown {
  return errors?.[0]?.extensions.code;
}

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('a body', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['that is no JSON', '{"query":', {}, 400],
    ['that is empty', '', {}, 400],
    ['that is null', 'null', {}, 400],
    ['that is a number', '7', {}, 400],
    ['that is a text', '"{ __typename }"', {}, 400],
    ['that is a batch', '[{"query":"{ __typename }"}]', {}, 400],
    ['without a query', '{}', {}, 400],
    ['whose query is a number', '{"query":7}', {}, 400],
    ['whose query is an object', '{"query":{}}', {}, 400],
    ['whose variables are a list', '{"query":"{ __typename }","variables":[]}', {}, 400],
    ['whose variables are a text', '{"query":"{ __typename }","variables":"a"}', {}, 400],
    ['whose operation name is a list', '{"query":"{ __typename }","operationName":[]}', {}, 400],
    ['whose extensions are a number', '{"query":"{ __typename }","extensions":7}', {}, 400],
    [
      'that is too large',
      JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(100_000) } }),
      {},
      413,
    ],
    [
      'of another charset',
      '{"query":"{ __typename }"}',
      { 'content-type': 'application/json; charset=utf-16' },
      415,
    ],
    ['that is compressed', '{"query":"{ __typename }"}', { 'content-encoding': 'gzip' }, 415],
    ['of another type', '{ __typename }', { 'content-type': 'application/graphql' }, 415],
    ['of no type that anybody knows', '{}', { 'content-type': 'a/b;;;=' }, 415],
    [
      'that is a form',
      'query={__typename}',
      { 'content-type': 'application/x-www-form-urlencoded', 'x-graphql-yoga-csrf': '1' },
      415,
    ],
    [
      'that is plain text',
      '{ __typename }',
      { 'content-type': 'text/plain', 'x-graphql-yoga-csrf': '1' },
      415,
    ],
    [
      'that is plain text, from any page',
      '{"query":"{ __typename }"}',
      { 'content-type': 'text/plain' },
      403,
    ],
    [
      'that is a form, from any page',
      'query={__typename}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      403,
    ],
  ])('%s is refused', async (_title, body, headers, status) => {
    const answer = await answerOf(await post(body, headers));
    expect(answer.status).toBe(status);
    expect(codeOf(answer)).toBe(status === 413 ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST');
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      sideEffect: 'NONE',
      retryable: false,
      requestId: expect.any(String),
    });
  });

  it('of a size that is not told beforehand is bounded all the same', async () => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(10_000).fill(0x20));
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    };
    const response = await fetch(gateway.url, init as RequestInit);
    expect(response.status).toBe(413);
  });

  it.each([100, 10_000])(
    'nested %i levels deep is read or refused, never a failure of ours',
    async (depth) => {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      for (const body of [nested, `{"query":"{ __typename }","variables":{"a":${nested}}}`]) {
        expect((await post(body)).status).toBeLessThan(500);
      }
      const invoice = `{"docType":"INVOICE","docNumber":"1","supplier":{},"buyer":{},"lines":[],"extra":{"a":${nested}}}`;
      const query =
        'query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) { isValid } }';
      const answer = await answerOf(await post(`{"query":"${query}","variables":{"invoice":${invoice}}}`));
      expect(codeOf(answer)).toBe('BAD_USER_INPUT');
    },
  );

  it('with __proto__ and its friends changes nothing', async () => {
    const body =
      '{"query":"query ($a: JSONObject) { __typename }","__proto__":{"polluted":1},"variables":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
    expect((await post(body)).status).toBeLessThan(500);
    expect(({} as any).polluted).toBeUndefined();
  });
});

describe('a request line or header that is wrong', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', /^HTTP\/1.1 400/],
    ['an endless header', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 431/],
    [
      'two lengths',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
      /^HTTP\/1.1 400/,
    ],
    [
      'length and chunks',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1.1 400/,
    ],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', /^HTTP\/1.1 400/],
    [
      'two API keys',
      'POST /graphql HTTP/1.1\r\nhost: a\r\nx-api-key: a\r\nx-api-key: b\r\ncontent-type: application/json\r\ncontent-length: 26\r\n\r\n{"query":"{ __typename }"}',
      /^HTTP\/1.1 400/,
    ],
    ['a path that climbs', 'GET /graphiql/../../package.json HTTP/1.1\r\nhost: a\r\n\r\n', /^HTTP\/1.1 404/],
    ['an absolute address', 'GET http://elsewhere/ HTTP/1.1\r\nhost: a\r\n\r\n', /^HTTP\/1.1 404/],
  ])('%s is refused', async (_title, bytes, status) => {
    expect(await raw(bytes)).toMatch(status);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('%s is no method of the API', async (method) => {
    const response = await fetch(gateway.url, { method, headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(405);
  });

  it('a mutation by GET is refused', async () => {
    const query = encodeURIComponent('mutation { createGroup(input: {}) { __typename } }');
    const response = await fetch(`${gateway.url}?query=${query}`, {
      headers: { ...alice, 'x-graphql-yoga-csrf': '1' },
    });
    expect([response.status, codeOf(await answerOf(response))]).toEqual([405, 'BAD_REQUEST']);
  });

  it('a GET request that any page could make is refused', async () => {
    const response = await fetch(`${gateway.url}?query={__typename}`);
    expect(response.status).toBe(403);
  });

  it.each(['variables={', 'extensions=[', 'variables=7'])(
    'a GET request with %s is refused',
    async (parameter) => {
      const response = await fetch(`${gateway.url}?query={__typename}&${parameter}`, {
        headers: { 'x-graphql-yoga-csrf': '1' },
      });
      expect(response.status).toBe(400);
    },
  );
});

describe('an operation that is too large', () => {
  const fan = times(
    20,
    (index) => `fragment f${index} on MexicoValidation { ...f${index + 1} ...f${index + 1} }`,
  );
  const deepFan = times(
    12,
    (index) =>
      `fragment f${index} on Query { a: __schema { ...g${index} } b: __schema { ...g${index} } } fragment g${index} on __Schema { types { fields { type { ...h${index} } } } } fragment h${index} on __Type { a: ofType { ...h${index + 1} } b: ofType { ...h${index + 1} } c: ofType { ...h${index + 1} } }`,
  );

  it.each<[string, string]>([
    ['2,001 tokens', `{ ${times(2_001, () => '__typename')} }`],
    [
      '31 aliases of one field',
      `{ mexicoValidation(by: { documentId: "1" }) { ${times(31, (index) => `a${index}: uuid`)} } }`,
    ],
    [
      '31 times the same field',
      `{ mexicoValidation(by: { documentId: "1" }) { ${times(31, () => 'uuid')} } }`,
    ],
    [
      '31 times __typename',
      `{ mexicoValidation(by: { documentId: "1" }) { ${times(31, (index) => `a${index}: __typename`)} } }`,
    ],
    [
      '21 root fields',
      `{ ${times(21, (index) => `a${index}: malaysiaStatus(documentId: "${index}") { state }`)} }`,
    ],
    [
      '11 mutations',
      `mutation { ${times(11, (index) => `a${index}: createGroup(input: {}) { __typename }`)} }`,
    ],
    ['21 directives on one field', `{ __typename ${times(21, () => '@include(if: true)')} }`],
    ['101 variables', `query (${times(101, (index) => `$a${index}: Int`)}) { __typename }`],
    [
      '101 fragments',
      `{ __typename } ${times(101, (index) => `fragment f${index} on Query { __typename }`)}`,
    ],
    ['lists nested 40 levels deep', `{ mexicoValidations(by: ${'['.repeat(40)}${']'.repeat(40)}) { uuid } }`],
    [
      'objects nested 40 levels deep',
      `{ checkMalaysiaInvoice(invoice: { extra: ${'{ a: '.repeat(40)}1${' }'.repeat(40)} }) { isValid } }`,
    ],
    ['a type nested 40 levels deep', `query ($a: ${'['.repeat(40)}Int${']'.repeat(40)}) { __typename }`],
    [
      'introspection without an end',
      `{ __schema { types { fields { type { ${'ofType { '.repeat(25)} name ${'}'.repeat(25)} } } } } }`,
    ],
    ['fragments that fan out to millions of fields', `{ ...f0 } ${deepFan}`],
  ])('of %s is refused at once', { timeout: 1_000 }, async (_title, query) => {
    const answer = await gateway.ask(query);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(2_000);
  });

  it('is refused over a WebSocket as over HTTP', async () => {
    const [event] = await Array.fromAsync(
      gateway.webSocketClient().iterate({ query: `{ ${times(21, (index) => `a${index}: __typename`)} }` }),
    ).catch((errors) => [{ errors }]);
    expect((event as any).errors[0].extensions.code).toBe('OPERATION_TOO_EXPENSIVE');
  });

  it.each([
    [
      'fan out a million times and mean one field',
      `{ mexicoValidation(by: { documentId: "1" }) { ...f0 } } ${fan} fragment f20 on MexicoValidation { uuid }`,
    ],
    ['spread each other', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ])('fragments that %s cost nothing', { timeout: 1_000 }, async (_title, query) => {
    expect((await gateway.ask(query)).status).toBeLessThan(500);
  });

  it('by the calls that it can cause is refused before the first, with its cost and the limit', async () => {
    service.received.length = 0;
    const documentIds = Array.from({ length: 100 }, (_, index) => String(index));
    const query =
      'query ($documentIds: [ID!]!) { a: malaysiaStatuses(documentIds: $documentIds) { state } b: malaysiaStatuses(documentIds: $documentIds) { state } c: malaysiaStatus(documentId: "1") { state } }';
    const answer = await gateway.ask(query, { documentIds });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
    expect(answer.errors?.[0]?.message).toBe(
      'The operation can cause 201 calls to the document service; the limit is 200.',
    );
    expect(service.received).toEqual([]);
  });

  it('counts the status of each import of a batch', async () => {
    const invoice = {
      docType: 'INVOICE',
      docNumber: '1',
      supplier: {},
      buyer: {},
      lines: [{ amountExclTax: 1, taxes: [] }],
    };
    const input = Array.from({ length: 67 }, () => ({ queueId: '1', invoice }));
    const query =
      'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { ... on MalaysiaImport { a: status { state } b: status { state } } } }';
    expect((await gateway.ask(query, { input })).errors?.[0]?.message).toMatch(/can cause 201 calls/);
  });

  it.each(['mexicoValidations(by: $list) { uuid }', 'malaysiaStatuses(documentIds: $list) { state }'])(
    'with a list of 101 members is refused: %s',
    async (field) => {
      const isIds = field.includes('documentIds');
      const list = Array.from({ length: 101 }, (_, index) =>
        isIds ? String(index) : { documentId: String(index) },
      );
      const type = isIds ? '[ID!]!' : '[MexicoValidationReference!]!';
      expect(codeOf(await gateway.ask(`query ($list: ${type}) { ${field} }`, { list }))).toBe(
        'BAD_USER_INPUT',
      );
    },
  );
});

describe('an operation that is wrong', () => {
  it('is told so shortly, however long it is', async () => {
    const name = 'x'.repeat(50_000);
    for (const query of [
      `{ ${name} }`,
      `{ malaysiaStatus(documentId: "${name}") }`,
      `{ malaysiaStatus(wrong: "${name}") { state } }`,
      `query $$${name}`,
    ]) {
      const answer = await gateway.ask(query);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.errors).length).toBeLessThan(6_000);
    }
  });

  it('in a hundred ways is told in at most twenty-one', async () => {
    const answer = await gateway.ask(
      `{ malaysiaStatus(documentId: "1") { ${times(100, (index) => `wrong${index}`)} } }`,
    );
    expect(answer.errors?.length).toBeLessThanOrEqual(21);
  });
});

describe('CORS', () => {
  const preflight = (origin: string) =>
    fetch(gateway.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
      },
    });

  it('lets in the origins that are named, without the browser’s own credentials', async () => {
    const { headers } = await preflight('https://app.example');
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-allow-credentials')).not.toBe('true');
    const answer = await post('{"query":"{ __typename }"}', { origin: 'https://app.example' });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/i);
  });

  it('lets in no other', async () => {
    const { headers } = await preflight('https://evil.example');
    expect(headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
    expect(headers.get('access-control-allow-origin')).not.toBe('*');
  });
});

describe('a WebSocket', () => {
  it.each<[string, (socket: Awaited<ReturnType<typeof openSocket>>) => void, number]>([
    ['that sends no JSON', (socket) => socket.send('hello'), 4400],
    ['that sends a message of no type', (socket) => socket.send({ id: '1' }), 4400],
    [
      'that subscribes before its init',
      (socket) => socket.send({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } }),
      4401,
    ],
    [
      'that begins twice',
      (socket) => {
        for (const _ of [1, 2]) socket.send({ type: 'connection_init' });
      },
      4429,
    ],
    ['that sends too much', (socket) => socket.send(`"${'x'.repeat(129 * 1024)}"`), 1009],
    ['that never begins', () => {}, 4408],
  ])('%s is closed', async (_title, misbehave, code) => {
    const socket = await openSocket(gateway);
    misbehave(socket);
    expect((await socket.closed()).code).toBe(code);
  });

  it('that uses one id twice is closed', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    for (const _ of [1, 2]) socket.send({ type: 'subscribe', id: 'same', payload: { query } });
    expect((await socket.closed()).code).toBe(4409);
  });

  it('has so many operations at a time and no more', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    for (const id of ['1', '2', '3', '4']) socket.send({ type: 'subscribe', id, payload: { query } });
    expect(await socket.messageOf('4')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'RATE_LIMITED', retryable: true } }],
    });
    socket.send({ type: 'complete', id: '1' });
    socket.send({ type: 'subscribe', id: '5', payload: { query } });
    expect(await socket.messageOf('5')).toMatchObject({ type: 'next' });
    socket.close();
  });

  it('survives payloads of every wrong type', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const payloads = [
      { query: '' },
      { query: '{ __typename }', variables: {}, operationName: 'None' },
      { query: '{ a }' },
    ];
    for (const [index, payload] of payloads.entries())
      socket.send({ type: 'subscribe', id: `p${index}`, payload });
    for (const index of payloads.keys())
      expect(await socket.messageOf(`p${index}`)).toMatchObject({ type: 'error' });
    socket.close();
  });
});

describe('operations of one caller', () => {
  it('are limited by the minute, and only theirs', async () => {
    const limited = await startTestGateway({ UPSTREAM_URL: service.url, RATE_LIMIT_PER_MINUTE: '3' });
    const answers = [];
    for (let index = 0; index < 5; index += 1) answers.push(await limited.ask('{ __typename }'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[3]?.errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      sideEffect: 'NONE',
    });
    expect(answers[3]?.errors?.[0]?.extensions.retryAfterMs).toBeGreaterThan(0);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.ask('{ __typename }', {}, { 'x-api-key': 'another' })).status).toBe(200);
    await limited.close();
  });
});

describe('sockets', () => {
  it('are no more than MAX_SOCKETS, event streams counted', async () => {
    const small = await startTestGateway({ UPSTREAM_URL: service.url, MAX_SOCKETS: '2' });
    const sockets = [await openSocket(small), await openSocket(small)];
    await expect(openSocket(small)).rejects.toThrow(/503/);
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    const stream = await fetch(`${small.url}?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'text/event-stream', 'x-graphql-yoga-csrf': '1' },
    });
    expect(await stream.text()).toContain('RATE_LIMITED');
    for (const socket of sockets) socket.close();
    await small.close();
  });

  it('that say nothing hurt nobody', async () => {
    const { hostname, port } = new URL(gateway.url);
    const idle = Array.from({ length: 500 }, () => connect(Number(port), hostname));
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await gateway.ask('{ __typename }')).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});

describe('the circuit breaker', () => {
  it('leaves an endpoint alone that fails for all, says so, and lets it heal', async () => {
    const sick = await startTestGateway({ UPSTREAM_URL: service.url });
    service.will(does.htmlPage(502));
    const make = () => sick.ask('mutation { createGroup(input: {}) { __typename } }');
    for (let index = 0; index < 25; index += 1) await make();
    const calls = service.received.length;
    const refused = await make();
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sideEffect: 'NONE',
      retryable: true,
    });
    const retryAfterMs: number = refused.errors?.[0]?.extensions.retryAfterMs;
    expect(retryAfterMs).toBeLessThanOrEqual(1_000);
    expect(service.received.length).toBe(calls);
    const ready = await fetch(new URL('/ready', sick.url));
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', degraded: ['breaker open: createGroup'] },
    ]);
    service.will(does.json(200, { status: 'queued', createGroup: { id: 1 } }));
    expect((await sick.ask('{ malaysiaStatus(documentId: "1") { state } }')).errors).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs + 20));
    expect((await make()).errors).toBeUndefined();
    expect(await (await fetch(new URL('/ready', sick.url))).json()).toEqual({
      status: 'ready',
      degraded: [],
    });
    await sick.close();
  });

  it('does not count what concerns one caller: 4xx, 429, a 500 with a JSON body', async () => {
    const sick = await startTestGateway({ UPSTREAM_URL: service.url });
    for (const behaviour of [does.json(403, {}), does.json(429, {}), does.json(500, {})]) {
      service.will(behaviour);
      service.received.length = 0;
      for (let index = 0; index < 30; index += 1)
        await sick.ask('mutation { createGroup(input: {}) { __typename } }');
      expect(service.received).toHaveLength(30);
    }
    service.will(does.json(200, { status: 'queued' }));
    await sick.close();
  });
});
