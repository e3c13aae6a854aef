/** The gateway as a function from a `Request` to its `Response`, without a port. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  alice,
  bob,
  readResponse,
  startTestHandler,
  type TestHandler,
  upload,
} from '../../support/gateway.ts';
import * as does from '../../support/service.ts';

let service: does.TestService;
let handler: TestHandler;
const running: TestHandler[] = [];
beforeAll(async () => {
  service = await does.startService();
  handler = await startTestHandler({
    UPSTREAM_URL: service.url,
    CORS_ORIGINS: 'https://app.example',
    MAX_UPLOAD_BYTES: '1000000',
    MAX_REQUEST_BYTES: '100000',
    MALAYSIA_POLL_MIN_MS: '20',
    MALAYSIA_POLL_MAX_MS: '40',
  });
});
beforeEach(() => {
  service.received.length = 0;
  service.will(does.json(200, { status: 'queued' }));
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});
afterAll(async () => {
  await handler.close();
  await service.close();
});

async function started(environment: Record<string, string> = {}): Promise<TestHandler> {
  const other = await startTestHandler({ UPSTREAM_URL: service.url, ...environment });
  running.push(other);
  return other;
}

const json = { ...alice, 'content-type': 'application/json' };
const status = '{ malaysiaStatus(documentId: "1") { state } }';
const statusOf = (id: string) => `subscription { malaysiaStatusChanged(documentId: "${id}") { state } }`;

function post(to: TestHandler, query: string, init: RequestInit = {}) {
  return to.fetch('/api/graphql', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query }),
    ...init,
  });
}

const subscribe = (to: TestHandler, id: string, accept = 'text/event-stream', init: RequestInit = {}) =>
  post(to, statusOf(id), { headers: { ...json, accept }, ...init });

const scan = `mutation ($file: Upload!) {
  scanIdentityCard(input: { file: $file, queueId: "7" }) { ... on ScanResult { documentId } }
}`;

/** A multipart request whose file is sent by `write`. */
function streamedScan(to: TestHandler) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => writer.write(Buffer.from(text));
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const response = to.fetch('/graphql', {
    method: 'POST',
    headers: { ...alice, 'x-graphql-yoga-csrf': '1', 'content-type': 'multipart/form-data; boundary=x' },
    body: readable,
    duplex: 'half',
  } as RequestInit);
  const begin = async () => {
    await write(part('operations', JSON.stringify({ query: scan, variables: { file: null } })));
    await write(part('map', '{"0":["variables.file"]}'));
    await write('--x\r\ncontent-disposition: form-data; name="0"; filename="a.png"\r\n\r\n');
  };
  const end = () => write('\r\n--x--\r\n').then(() => writer.close());
  return { response, write, begin, end, abort: () => writer.abort(new Error('reset')) };
}

/** Reads a body until it has the text, and returns its reader. */
async function readUntil(response: Response, text: string) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let read = '';
  while (!read.includes(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The body ended before "${text}".`);
    read += Buffer.from(value).toString();
  }
  return reader;
}

const lines = (of: TestHandler, msg: string) =>
  of
    .log()
    .filter((line) => line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line));

describe('a handler', () => {
  it('returns a Response of the runtime, and logs the operation as a server does', async () => {
    const response = await post(handler, status, { headers: { ...json, 'x-request-id': 'handler-0001' } });
    expect(response).toBeInstanceOf(Response);
    expect(response.headers.get('x-request-id')).toBe('handler-0001');
    expect((await readResponse(response)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
    const [line] = lines(handler, 'operation').filter(({ requestId }) => requestId === 'handler-0001');
    expect(line).toMatchObject({ outcome: 'ok', operation: 'query', calls: [{ attempts: 1 }] });
    expect(service.received[0]?.headers).toMatchObject({ 'x-request-id': 'handler-0001', ...alice });
  });

  it('keeps callers apart, and their credentials', async () => {
    await post(handler, status);
    await post(handler, status, { headers: { ...json, ...bob } });
    const keys = service.received.map(({ headers }) => headers['x-api-key']);
    expect(keys).toEqual([alice['x-api-key'], bob['x-api-key']]);
    const [one, other] = lines(handler, 'operation').slice(-2);
    expect(one.lane).not.toBe(other.lane);
  });

  it('responds to a preflight request with 204, and refuses other methods with 405', async () => {
    const origin = 'https://app.example';
    const preflight = await handler.fetch('/graphql', { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const response = await handler.fetch('/graphql', { method: 'PUT', headers: json, body: '{}' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await readResponse(response)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('refuses a body over MAX_REQUEST_BYTES with 413, whether its length is declared or not', async () => {
    const body = JSON.stringify({ query: '{ __typename }', more: 'x'.repeat(100_000) });
    const length = String(body.length);
    const declared = await post(handler, '', { body, headers: { ...json, 'content-length': length } });
    const chunks = new Blob([body]).stream();
    const streamed = await post(handler, '', { body: chunks, duplex: 'half' } as RequestInit);
    for (const response of [declared, streamed]) {
      const { errors, status } = await readResponse(response);
      expect([status, errors?.[0]?.extensions]).toMatchObject([
        413,
        { code: 'PAYLOAD_TOO_LARGE', bound: 'request', sideEffect: 'NONE' },
      ]);
    }
  });

  it('rejects with an AbortError when the signal of a request aborts, and a write runs to its end', async () => {
    service.will(() => {});
    const controller = new AbortController();
    const query = 'mutation { createGroup(input: { name: "a" }) { ... on Group { id } } }';
    const response = post(handler, query, { signal: controller.signal });
    const rejected = expect(response).rejects.toThrow(/abort/);
    await vi.waitUntil(() => service.received.length === 1);
    let isAborted = false;
    void service.aborted().then(() => (isAborted = true));
    controller.abort();
    await rejected;
    service.will(does.json(200, { status: 'queued' }));
    await post(handler, status);
    expect(isAborted).toBe(false);
  });

  it('aborts the read of a request whose signal aborts', async () => {
    service.will(() => {});
    const aborted = service.aborted();
    const controller = new AbortController();
    const response = post(handler, status, { signal: controller.signal });
    const rejected = expect(response).rejects.toThrow(/abort/);
    await vi.waitUntil(() => service.received.length === 1);
    controller.abort();
    await Promise.all([rejected, aborted]);
  });
});

describe('an upload to a handler', () => {
  it('reaches the service while its file is still arriving', async () => {
    service.will(does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } }));
    const { response, write, begin, end } = streamedScan(handler);
    await begin();
    await write('x'.repeat(200_000));
    await vi.waitUntil(() => (service.received[0]?.body.length ?? 0) > 100_000);
    await end();
    expect((await readResponse(await response)).data).toEqual({ scanIdentityCard: { documentId: '7' } });
  });

  it('over MAX_UPLOAD_BYTES is refused with 413, and the request to the service is aborted', async () => {
    const aborted = service.aborted();
    const form = upload(scan, { file: null }, 'variables.file', {
      bytes: 'x'.repeat(1_000_001),
      name: 'a.png',
    });
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1' };
    const response = await handler.fetch('/graphql', { method: 'POST', headers, body: form });
    const { errors, status } = await readResponse(response);
    expect([status, errors?.[0]?.extensions]).toMatchObject([
      413,
      { code: 'PAYLOAD_TOO_LARGE', bound: 'file', sideEffect: 'NONE' },
    ]);
    await aborted;
  });

  it('whose body breaks is BAD_REQUEST, and the request to the service is aborted', async () => {
    const aborted = service.aborted();
    const { response, write, begin, abort } = streamedScan(handler);
    await begin();
    await write('x'.repeat(100_000));
    await vi.waitUntil(() => service.received.length === 1);
    await abort();
    expect((await readResponse(await response)).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_REQUEST',
      sideEffect: 'NONE',
    });
    await aborted;
  });

  it('that is refused early gets its response when the rest of its file has been dropped', async () => {
    const { response, write, begin, end } = streamedScan(handler);
    let isSettled = false;
    void response.finally(() => (isSettled = true));
    await begin();
    for (let count = 0; count < 40; count += 1) await write('x'.repeat(64 * 1024));
    expect(isSettled).toBe(false);
    await end();
    expect((await response).status).toBe(413);
  });
});

describe('a subscription over a handler', () => {
  it.each([
    ['text/event-stream', 'event: complete'],
    ['multipart/mixed;subscriptionSpec=1.0', '--graphql--'],
  ])('sends its events until the final state, by %s', async (accept, last) => {
    const response = await subscribe(handler, '2', accept);
    expect([response.headers.get('cache-control'), response.headers.get('x-accel-buffering')]).toEqual([
      'no-store',
      'no',
    ]);
    const reader = await readUntil(response, 'QUEUED');
    service.will(does.json(200, { status: 'validated' }));
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read())
      rest += Buffer.from(next.value).toString();
    expect(rest).toContain('VALIDATED');
    expect(rest).toContain(last);
  });

  it.each(['cancels its body', 'aborts its signal'])(
    'ends when the host %s, and its share of the event streams is free again',
    async (how) => {
      const other = await started({ MAX_SOCKETS: '2' });
      const controller = new AbortController();
      const response = await subscribe(other, '3', 'text/event-stream', { signal: controller.signal });
      const reader = await readUntil(response, 'QUEUED');
      // Newcomers have half of MAX_SOCKETS.
      const spec = 'multipart/mixed;subscriptionSpec=1.0,application/json';
      const second = await readResponse(await subscribe(other, '3', spec));
      expect([second.status, second.errors?.[0]?.extensions]).toMatchObject([
        503,
        { code: 'RATE_LIMITED', bound: expect.stringMatching(/^sockets/), retryable: true },
      ]);
      if (how.startsWith('cancels')) await reader.cancel();
      else controller.abort();
      await vi.waitUntil(() => lines(other, 'operation').length === 1);
      expect(lines(other, 'operation')).toMatchObject([{ operation: 'subscription', events: 1 }]);
      const third = await subscribe(other, '3');
      await (await readUntil(third, 'QUEUED')).cancel();
    },
  );
});

describe('a handler that closes', () => {
  const closing = async (environment: Record<string, string> = {}) =>
    await startTestHandler({ UPSTREAM_URL: service.url, ...environment });

  it('finishes what is in progress, and refuses what arrives', async () => {
    let respond = () => {};
    service.will((request, response) => {
      respond = () => does.json(200, { status: 'queued' })(request, response);
    });
    const other = await closing({ SHUTDOWN_GRACE_MS: '5000' });
    const first = post(other, status);
    await vi.waitUntil(() => service.received.length === 1);
    const closed = other.close();
    await new Promise(setImmediate);
    const late = await readResponse(await post(other, status));
    expect([late.status, late.errors?.[0]?.extensions]).toMatchObject([
      503,
      { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true },
    ]);
    respond();
    expect((await readResponse(await first)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
    await closed;
    expect(lines(other, 'draining')).toMatchObject([{ requests: 1, eventStreams: 0 }]);
    expect(lines(other, 'stopped')).toMatchObject([{ refused: 1 }]);
  });

  it('ends event streams with an error, so that clients subscribe again', async () => {
    const other = await closing();
    const reader = await readUntil(await subscribe(other, '4'), 'QUEUED');
    const next = reader.read();
    void other.close();
    await expect(next).rejects.toThrow('The gateway has ended the response.');
  });

  it('responds at the end of SHUTDOWN_GRACE_MS to a write that was sent, and to a body that has not arrived', async () => {
    service.will(() => {});
    const other = await closing({ SHUTDOWN_GRACE_MS: '300' });
    const write = post(other, 'mutation { createGroup(input: { name: "a" }) { ... on Group { id } } }');
    const waiting = other.fetch('/graphql', {
      method: 'POST',
      headers: json,
      body: new ReadableStream(),
      duplex: 'half',
    } as RequestInit);
    await vi.waitUntil(() => service.received.length === 1);
    await Promise.all([
      other.close(),
      expect(write.then(readResponse)).resolves.toMatchObject({
        errors: [{ extensions: { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' } }],
      }),
      expect(waiting.then(readResponse)).resolves.toMatchObject({
        status: 503,
        errors: [{ extensions: { code: 'SHUTTING_DOWN', sideEffect: 'NONE' } }],
      }),
    ]);
  });
});
