/** The gateway as a function from a `Request` to its `Response`, without a port. */
import { describe, expect, it, vi } from 'vitest';
import { GraphQLHttpRequest } from '../../../src/http/graphql/graphql-request.ts';
import { alice, quickPolls, readResponse, scanOperation, startTestHandler } from '../../support/gateway.ts';
import { heapBytes as collectGarbage } from '../../support/heap.ts';
import { forFile, forTest, serviceForFile } from '../../support/lifetimes.ts';
import { form } from '../../support/raw-http.ts';
import * as does from '../../support/service.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));
const start = (environment: Record<string, string> = {}) =>
  startTestHandler({ UPSTREAM_URL: service.url, ...environment });
const handler = forFile(
  await start({
    CORS_ORIGINS: 'https://app.example',
    MAX_REQUEST_BYTES: '1000000',
    MAX_UPLOAD_BYTES: '1000000',
    ...quickPolls,
  }),
);

const json = { ...alice, 'content-type': 'application/json' };
const status = '{ malaysiaStatus(documentId: "1") { state } }';
const create = 'mutation { createGroup(input: { name: "a" }) { ... on Group { id } } }';

function post(query: string, init: RequestInit = {}, to = handler) {
  return to.fetch('/api/graphql', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query }),
    ...init,
  });
}

function subscribe(id: string, to = handler, accept = 'text/event-stream', init: RequestInit = {}) {
  const query = `subscription { malaysiaStatusChanged(documentId: "${id}") { state } }`;
  return post(query, { headers: { ...json, accept }, ...init }, to);
}

/** A multipart request whose file is sent by `write`. */
function streamedScan() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => writer.write(Buffer.from(text));
  const headers = { ...alice, ...form.headers };
  const response = handler.fetch('/graphql', {
    ...{ method: 'POST', headers, body: readable, duplex: 'half' },
  } as RequestInit);
  return {
    response,
    write,
    begin: () => write(form.beforeFile(scanOperation, { file: null }) + form.file('').slice(0, -2)),
    end: () => write(`\r\n${form.end}`).then(() => writer.close()),
    abort: () => writer.abort(new Error('reset')),
  };
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

/** The status of a response that refuses, and the extensions of its error. */
async function refusalOf(response: Response) {
  const { status, errors } = await readResponse(response);
  return [status, errors?.[0]?.extensions];
}

it('a refused body waits for its response with one listener, however much of it follows', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  const response = await handler.fetch('/api/graphql', {
    method: 'POST',
    headers: json,
    body: new Uint8Array(4 * 1024 * 1024),
  });
  expect(response.status).toBe(413);
  // Node emits a warning in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

it('a body that the host reads too, as after `request.clone()`, stays readable', async () => {
  const text = JSON.stringify({ query: status, extensions: { note: 'x'.repeat(30_000) } });
  const [body, copy] = (new Response(text).body as ReadableStream).tee();
  const response = await post('', { body, duplex: 'half' } as RequestInit);
  expect(await response.json()).toEqual({ data: { malaysiaStatus: { state: 'QUEUED' } } });
  expect(await new Response(copy).text()).toBe(text);
});

describe('a handler', () => {
  it('returns a Response of the runtime, and logs the operation as a server does', async () => {
    const response = await post(status, { headers: { ...json, 'x-request-id': 'handler-0001' } });
    expect(response).toBeInstanceOf(Response);
    expect(response.headers.get('x-request-id')).toBe('handler-0001');
    expect((await readResponse(response)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
    expect(handler.logged('operation').at(-1)).toMatchObject({
      requestId: 'handler-0001',
      outcome: 'ok',
      operation: 'query',
      calls: [{ attempts: 1 }],
    });
    expect(service.received[0]?.headers).toMatchObject({ 'x-request-id': 'handler-0001', ...alice });
  });

  it('responds to a preflight request with 204', async () => {
    const origin = 'https://app.example';
    const preflight = await handler.fetch('/graphql', { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  });

  it.each([
    ['aborts a read', status, true],
    ['lets a write run to its end', create, false],
  ])(
    '%s when the signal of its request aborts, and rejects with an AbortError',
    async (_title, query, aborts) => {
      service.will(does.hang, does.json(200, { status: 'queued' }));
      let isAborted = false;
      const aborted = service.aborted().then(() => (isAborted = true));
      const controller = new AbortController();
      const rejected = expect(post(query, { signal: controller.signal })).rejects.toThrow(/abort/);
      await expect.poll(() => service.received.length).toBe(1);
      controller.abort();
      await rejected;
      if (aborts) await aborted;
      await post(status);
      expect(isAborted).toBe(aborts);
    },
  );
});

it('a request whose signal has aborted before is not read, and no operation is refused', async () => {
  const other = forTest(await start());
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream({ cancel: () => resolve() });
  const signal = AbortSignal.abort();
  const aborted = [post(status, { signal }, other), post('', { body, duplex: 'half', signal } as any, other)];
  for (const request of aborted) await expect(request).rejects.toBe(signal.reason);
  await promise;
  await post(status, {}, other);
  expect(other.logged().filter(({ msg }) => msg.startsWith('operation'))).toMatchObject([{ outcome: 'ok' }]);
});

describe('an upload to a handler', () => {
  it('reaches the service while its file is still arriving', async () => {
    service.will(does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } }));
    const { response, write, begin, end } = streamedScan();
    await begin();
    await write('x'.repeat(200_000));
    await expect.poll(() => service.received[0]?.body.length).toBeGreaterThan(100_000);
    await end();
    expect((await readResponse(await response)).data).toEqual({ scanIdentityCard: { documentId: '7' } });
  });

  it('whose body breaks is BAD_REQUEST, and the request to the service is aborted', async () => {
    const aborted = service.aborted();
    const { response, write, begin, abort } = streamedScan();
    await begin();
    await write('x'.repeat(100_000));
    await expect.poll(() => service.received.length).toBe(1);
    await abort();
    const [, extensions] = await refusalOf(await response);
    expect(extensions).toMatchObject({ code: 'BAD_REQUEST', sideEffect: 'NONE' });
    await aborted;
  });

  it('that is refused early gets its response when the rest of its file has been dropped', async () => {
    const { response, write, begin, end } = streamedScan();
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
    const response = await subscribe('2', handler, accept);
    const expected = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    expect(Object.fromEntries(response.headers)).toMatchObject(expected);
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
      const other = forTest(await start({ MAX_SOCKETS: '2' }));
      const controller = new AbortController();
      const response = await subscribe('3', other, 'text/event-stream', { signal: controller.signal });
      const reader = await readUntil(response, 'QUEUED');
      // Newcomers have half of MAX_SOCKETS.
      const spec = 'multipart/mixed;subscriptionSpec=1.0,application/json';
      expect(await refusalOf(await subscribe('3', other, spec))).toMatchObject([
        503,
        { code: 'RATE_LIMITED', bound: expect.stringMatching(/^sockets/), retryable: true },
      ]);
      if (how.startsWith('cancels')) await reader.cancel();
      else controller.abort();
      await expect.poll(() => other.logged('operation').length).toBe(1);
      expect(other.logged('operation')).toMatchObject([
        { operation: 'subscription', outcome: 'caller_left', events: 1 },
      ]);
      await (await readUntil(await subscribe('3', other), 'QUEUED')).cancel();
    },
  );

  it('ends when its signal aborts after a garbage collection: hosts may keep the controller alone', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await readUntil(await subscribe('7', handler, 'text/event-stream', { signal }), 'QUEUED');
    await collectGarbage();
    controller.abort();
    const last = () => handler.logged('operation').at(-1);
    await expect.poll(last).toMatchObject({ operation: 'subscription', outcome: 'caller_left' });
  });
});

describe('a handler that closes', () => {
  const shuttingDown = { code: 'SHUTTING_DOWN', sideEffect: 'NONE' };

  it('finishes what is in progress, and refuses what arrives', async () => {
    const held = service.hold(does.json(200, { status: 'queued' }));
    const other = await start({ SHUTDOWN_GRACE_MS: '600000' });
    const first = post(status, {}, other);
    const respond = await held;
    const closed = other.close();
    const late = async () => refusalOf(await post('{ __typename }', {}, other));
    await expect.poll(late).toMatchObject([503, { ...shuttingDown, retryable: true }]);
    respond();
    expect((await readResponse(await first)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
    await closed;
    expect(other.logged('draining')).toMatchObject([{ requests: 1, eventStreams: 0 }]);
    expect(other.logged('stopped')).toMatchObject([{ refused: 1 }]);
  });

  it('ends event streams with an error, so that clients subscribe again', async () => {
    const other = await start();
    const reader = await readUntil(await subscribe('4', other), 'QUEUED');
    const next = reader.read();
    void other.close();
    await expect(next).rejects.toThrow('The gateway has ended the response.');
  });

  it('refuses a subscription that begins meanwhile, and counts none whose caller has left before', async () => {
    const other = await start({ SHUTDOWN_GRACE_MS: '3000' });
    const goOn = Promise.withResolvers<void>();
    const wait = vi.spyOn(GraphQLHttpRequest.prototype, 'waitForTurn');
    // For their events, not for their bodies.
    wait.mockImplementation((bytes) => (bytes === undefined ? goOn.promise : undefined));
    const caller = new AbortController();
    const [refused, left] = [{}, { signal: caller.signal }].map((init, index) =>
      subscribe(`${index}`, other, 'application/json, text/event-stream', init),
    );
    await expect.poll(() => wait.mock.calls.length).toBe(4);
    const closed = other.close();
    expect(await refused?.then(refusalOf)).toMatchObject([503, shuttingDown]);
    caller.abort();
    await expect(left).rejects.toThrow('aborted');
    goOn.resolve();
    await closed;
    expect(other.logged('stopped')).toMatchObject([{ refused: 1 }]);
  });

  it('counts a result that its host has not read at the end of SHUTDOWN_GRACE_MS as sent, not as refused', async () => {
    const other = await start({ SHUTDOWN_GRACE_MS: '100' });
    const types = 'types { name description fields { name description } }';
    const response = await post(`{ __schema { ${types} } b: __schema { ${types} } }`, {}, other);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(64 * 1024);
    await other.close();
    await expect(response.bytes()).rejects.toThrow('The gateway has ended the response.');
    expect(other.logged('draining')).toMatchObject([{ requests: 1 }]);
    expect(other.logged('stopped')).toMatchObject([{ refused: 0 }]);
  });

  it('responds at the end of SHUTDOWN_GRACE_MS to a write that was sent, and to a body that has not arrived, which it cancels', async () => {
    service.will(does.hang);
    const other = await start({ SHUTDOWN_GRACE_MS: '300' });
    const cancel = vi.fn();
    const endless = { body: new ReadableStream({ cancel }), duplex: 'half' } as RequestInit;
    const [write, waiting] = [post(create, {}, other), post('', endless, other)];
    await expect.poll(() => service.received.length).toBe(1);
    await Promise.all([
      other.close(),
      expect(write.then(refusalOf)).resolves.toMatchObject([
        200,
        { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' },
      ]),
      expect(waiting.then(refusalOf)).resolves.toMatchObject([503, shuttingDown]),
    ]);
    expect(cancel).toHaveBeenCalledOnce();
  });
});
