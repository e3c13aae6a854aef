/** What the caller of a write and of a read gets when its call fails, and how often the service is called. */
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type GraphQLResponse, scanCard, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile();
afterEach(() => vi.restoreAllMocks());

async function startWithDeadline(deadlineMs: number) {
  const ms = String(deadlineMs);
  const deadlines = {
    UPSTREAM_READ_DEADLINE_MS: ms,
    UPSTREAM_WRITE_DEADLINE_MS: ms,
    UPSTREAM_SCAN_DEADLINE_MS: ms,
  };
  const upstream = { maxResponseBytes: 1_000_000 };
  return await startTestGateway({ UPSTREAM_URL: service.url, ...deadlines }, { upstream });
}
/** For calls so few that neither a retry budget nor a circuit breaker refuses one. */
const gateway = forFile(await startWithDeadline(60_000));

const create = 'mutation { createGroup(input: {}) { __typename } }';
const read = '{ malaysiaStatus(documentId: "1") { state } }';
const operations: readonly { kind: 'read' | 'write'; send(to: TestGateway): Promise<GraphQLResponse> }[] = [
  { kind: 'write', send: ({ ask }) => ask(create) },
  { kind: 'write', send: (to) => scanCard(to) },
  { kind: 'read', send: ({ ask }) => ask(read) },
];

const resultOf = ({ data }: GraphQLResponse) => Object.values<any>(data)[0];
const outcomeOf = (response: GraphQLResponse) => {
  const { code, sideEffect, retryable } = response.errors?.[0]?.extensions ?? {};
  return { result: resultOf(response), code, sideEffect, retryable };
};

interface Expected {
  readonly code: string;
  readonly sideEffect: string;
  readonly retryable: boolean;
  readonly calls: number;
}

/** Nothing was done, and the gateway does not repeat the call. */
const final = (code: string): Expected => ({ code, sideEffect: 'NONE', retryable: false, calls: 1 });
const later = (code: string): Expected => ({ ...final(code), retryable: true });
const repeated = (code: string): Expected => ({ ...later(code), calls: 3 });
const unclear = (code: string): Expected => ({ ...final(code), sideEffect: 'POSSIBLE' });

/** A response with these headers, whose body ends with the connection or before. */
const framed = (headers: string, body: string) => does.raw(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${body}`);

/** Writes the start, then the text again and again until the connection is closed. */
const endlessly =
  (start: string, text: string): does.Behaviour =>
  ({ socket }) => {
    socket.on('error', () => {}).write(start);
    const more = () => {
      if (!socket.destroyed) socket.write(text, () => setImmediate(more));
    };
    more();
  };
const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';

const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n';

const encoded = (encoding: string, body: Buffer) => does.text(200, body, { 'content-encoding': encoding });

/** The result of each call. */
const results = JSON.stringify({
  ...{ createGroup: { id: '7' }, scanDocuments: { docId: 7, data: {} }, status: 'queued' },
});
/** More than the gateways here read of a response. */
const tooLarge = results.padEnd(4_000_000);

const retryAfter = (seconds: string) => ({ 'retry-after': seconds });
const rejections: [string, does.Behaviour, Expected][] = [
  ['status 401', does.json(401, {}), final('UNAUTHENTICATED')],
  ['status 403', does.json(403, {}), final('FORBIDDEN')],
  ['status 404', does.json(404, {}), final('NOT_FOUND')],
  ['status 409', does.json(409, {}), final('CONFLICT')],
  ['status 413', does.json(413, {}), final('PAYLOAD_TOO_LARGE')],
  ['status 415', does.json(415, {}), final('UNSUPPORTED_FILE')],
  ['status 418', does.json(418, {}), final('UPSTREAM_BAD_RESPONSE')],
  [
    'a longer Retry-After than the call may wait',
    does.json(429, {}, retryAfter('700')),
    later('RATE_LIMITED'),
  ],
  ['status 503 with Retry-After', does.json(503, {}, retryAfter('700')), later('UPSTREAM_UNAVAILABLE')],
];

const failures: [string, Expected, Expected, Record<string, does.Behaviour>][] = [
  [
    'a service that waited too long for the request',
    later('UPSTREAM_TIMEOUT'),
    repeated('UPSTREAM_TIMEOUT'),
    { 'status 408': does.json(408, {}) },
  ],
  [
    'a status of a failed service',
    unclear('UPSTREAM_UNAVAILABLE'),
    repeated('UPSTREAM_UNAVAILABLE'),
    {
      'status 500': does.json(500, {}),
      'status 502': does.json(502, {}),
      'status 503 without Retry-After': does.json(503, {}),
      'an HTML page with status 500': does.htmlPage(500),
    },
  ],
  [
    'a lost connection',
    unclear('OUTCOME_UNKNOWN'),
    repeated('UPSTREAM_UNAVAILABLE'),
    {
      'a reset': does.reset,
      'an end without a response': does.endWithoutResponse,
      'a reset after the headers': does.resetAfterHeaders,
      'a truncated body': does.truncate,
      'bytes that are not HTTP': does.raw('hello\r\n\r\n'),
      'a length and chunks': framed(
        'content-length: 2\r\ntransfer-encoding: chunked',
        '2\r\n{}\r\n0\r\n\r\n',
      ),
      'two lengths': framed('content-length: 2\r\ncontent-length: 3', '{}'),
      'chunks without an end': framed('transfer-encoding: chunked', '2\r\n{}\r\n'),
      'an end after 100 Continue': does.raw('HTTP/1.1 100 Continue\r\n\r\n'),
      'an end after an interim response of HTTP/1.0': does.raw('HTTP/1.0 103 Early Hints\r\n\r\n'),
      'endless empty lines': endlessly('\r\n', '\r\n'.repeat(5_000)),
      'an endless reason': endlessly('HTTP/1.1 200 ', 'x'.repeat(10_000)),
      'endless blanks before the value of a header': endlessly('HTTP/1.1 200 OK\r\nx:', ' '.repeat(10_000)),
      'endless interim responses behind an empty line': endlessly(
        '\r\n',
        'HTTP/1.1 103 Hints\r\n\r\n'.repeat(500),
      ),
      'endless headers': endlessly('HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(1_000)),
      'endless chunk extensions': endlessly(`${chunked}2;`, 'x'.repeat(10_000)),
      'endless small chunks with extensions': endlessly(chunked, `1;${'x'.repeat(100)}\r\n \r\n`.repeat(100)),
      'endless trailers': endlessly(`${chunked}2\r\n{}\r\n0\r\n`, 'x: y\r\n'.repeat(1_000)),
      'status 101': does.raw(switching),
      'status 101 and a response': does.raw(`${switching}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`),
    },
  ],
  [
    'an unusable response',
    unclear('UPSTREAM_BAD_RESPONSE'),
    final('UPSTREAM_BAD_RESPONSE'),
    {
      'status 204': does.text(204, ''),
      'a redirect': does.text(302, '', { location: 'http://127.0.0.1:9/' }),
      'a response without end': does.endless,
      'a compression bomb': encoded('gzip', gzipSync(tooLarge)),
      'a compression bomb in two encodings': encoded('gzip, br', brotliCompressSync(gzipSync(tooLarge))),
      'five encodings': encoded(
        'gzip, gzip, gzip, gzip, gzip',
        [1, 2, 3, 4, 5].reduce((data) => gzipSync(data), Buffer.from(results)),
      ),
      'broken gzip': does.brokenGzip,
      'HTML with status 200': does.htmlPage(200),
      'no body': does.text(200, ''),
      'broken JSON': does.text(200, '{"a":'),
    },
  ],
];

const rows = [
  ...rejections.map(([what, behaviour, expected]) => [what, behaviour, expected, expected] as const),
  ...failures.flatMap(([group, write, read, behaviours]) =>
    Object.entries(behaviours).map(
      ([what, behaviour]) => [`${what}: ${group}`, behaviour, write, read] as const,
    ),
  ),
];

it.each(rows)('a write and a read have their error codes after %s', async (_what, behaviour, write, read) => {
  // The shortest waits before retries.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  service.will(behaviour);
  const gateway = forTest(await startWithDeadline(60_000));
  for (const { kind, send } of operations) {
    const { calls, ...outcome } = kind === 'read' ? read : write;
    service.received.length = 0;
    expect(outcomeOf(await send(gateway))).toEqual({ result: null, ...outcome });
    expect(service.received).toHaveLength(calls);
  }
});

/** Begins a response of this status line, and of these headers, that `end` does not complete. */
const inPart =
  (head: string, end: (socket: Socket) => void): does.Behaviour =>
  ({ socket }) =>
    void socket.write(`HTTP/1.1 ${head}\r\ncontent-length: 1000\r\n\r\n{"message":`, () => end(socket));
const cut = (socket: Socket) => void socket.end();

it.each<[string, Expected]>([
  ['400 Bad Request', final('InvalidInput')],
  ['401 Unauthorized', final('UNAUTHENTICATED')],
  ['413 Content Too Large', final('PAYLOAD_TOO_LARGE')],
  ['429 Too Many Requests', later('RATE_LIMITED')],
  ['503 Service Unavailable\r\nretry-after: 700', later('UPSTREAM_UNAVAILABLE')],
  ['500 Internal Server Error', unclear('UPSTREAM_UNAVAILABLE')],
])('a write ends by its status when the rest of the response is lost: %s', async (head, expected) => {
  service.will(inPart(head, cut));
  const { calls, ...outcome } = expected;
  for (const { send } of operations.filter(({ kind }) => kind === 'write')) {
    const answer = await send(gateway);
    // The scan selects nothing of it.
    if (outcome.code === 'InvalidInput')
      expect([{ __typename: 'InvalidInput' }, {}]).toContainEqual(resultOf(answer));
    else expect(outcomeOf(answer)).toEqual({ result: null, ...outcome });
  }
});

it.each<[string, (socket: Socket) => void]>([
  ['is cut', cut],
  ['is reset', (socket) => void socket.resetAndDestroy()],
  ['does not come in time', () => {}],
])('a write that was refused frees its key when the rest of the response %s', async (_how, end) => {
  const gateway = forTest(await startWithDeadline(1_500));
  const keyed = create.replace('{}', '{ idempotencyKey: "refused-in-part" }');
  service.will(inPart('401 Unauthorized', end), does.json(200, { createGroup: { id: 7 } }));
  const { calls, ...refused } = final('UNAUTHENTICATED');
  expect(outcomeOf(await gateway.ask(keyed))).toEqual({ result: null, ...refused });
  expect((await gateway.ask(keyed)).data).toEqual({ createGroup: { __typename: 'Group' } });
});

it.each<[string, (socket: Socket) => void]>([
  ['are cut', cut],
  ['do not come in time', () => {}],
])('writes end before they are sent when the responses of a service with a failure %s', async (_how, end) => {
  const gateway = forTest(await startWithDeadline(300));
  service.will(inPart('500 Internal Server Error', end));
  const tenTimes = async () =>
    (await Promise.all(Array.from({ length: 10 }, () => gateway.ask(create)))).map(outcomeOf);
  // On a slow machine some end before a response has begun, and a breaker that is half-open lets one of them through.
  await expect.poll(tenTimes).toContainEqual(expect.objectContaining({ sideEffect: 'NONE' }));
});

it.each([
  ['is late', does.hang],
  ['comes one byte at a time', does.trickle],
])('a call times out when its response %s', async (_what, behaviour) => {
  service.will(behaviour);
  // A busy machine needs a part of it to send the requests.
  const gateway = forTest(await startWithDeadline(1_500));
  const answers = await Promise.all(operations.map(({ send }) => send(gateway)));
  for (const [at, { kind }] of operations.entries()) {
    const { calls, ...outcome } = (kind === 'read' ? later : unclear)('UPSTREAM_TIMEOUT');
    expect(outcomeOf(answers[at] as GraphQLResponse)).toEqual({ result: null, ...outcome });
    const message = answers[at]?.errors?.[0]?.message;
    expect(message).toMatch(/ did not respond to \w+ within 1\.5 s[.;]/);
  }
  expect(service.received).toHaveLength(operations.length);
});

describe('a read', () => {
  it.each([400, 422])('that the service rejects with %i is BAD_USER_INPUT', async (status) => {
    service.will(does.json(status, {}));
    const { errors } = await gateway.ask(read);
    const { calls, ...expected } = final('BAD_USER_INPUT');
    expect(errors?.[0]?.extensions).toMatchObject(expected);
    expect(service.received).toHaveLength(calls);
  });

  it('succeeds when a response of less than 256 KiB has 15,000 different names of members', async () => {
    service.will(does.json(200, { status: 'queued', other: { ...Array(15_000).fill(0) } }));
    expect((await gateway.ask(read)).errors).toBeUndefined();
  });

  it.each<[string, does.Behaviour]>([
    ['a truncated response', does.truncate],
    ['503 with Retry-After 0', does.json(503, {}, retryAfter('0'))],
  ])('succeeds when it is retried after %s', async (_title, behaviour) => {
    service.will(behaviour, does.json(200, { status: 'queued' }));
    expect((await gateway.ask(read)).errors).toBeUndefined();
    expect(service.received).toHaveLength(2);
  });
});

it('a service that cannot be reached is UPSTREAM_UNAVAILABLE without side effect', async () => {
  const stopped = await does.startService();
  await stopped.close();
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: stopped.url }));
  const response = await gateway.ask(create);
  const { calls, ...expected } = later('UPSTREAM_UNAVAILABLE');
  expect(outcomeOf(response)).toEqual({ result: null, ...expected });
});

it('a write that waited too long for its turn says that the gateway did not send it', async () => {
  const deadlines = { UPSTREAM_WRITE_DEADLINE_MS: '200', UPSTREAM_READ_DEADLINE_MS: '60000' };
  const environment = { UPSTREAM_CONCURRENCY_PER_CALLER: '1', ...deadlines };
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...environment }));
  service.will(does.hang);
  gateway.ask(read).catch(() => {});
  await expect.poll(() => service.received.length).toBe(1);
  const { errors } = await gateway.ask(create);
  const expected = { code: 'UPSTREAM_TIMEOUT', sideEffect: 'NONE', retryable: true };
  expect(errors?.[0]?.extensions).toMatchObject(expected);
  expect(errors?.[0]?.message).toBe('The gateway could not send createGroup within 0.2 s; nothing was done.');
  expect(service.received).toHaveLength(1);
});

it('a write has the result that arrived in time, although the process was paused until after its deadline', async () => {
  const deadlineMs = 3_000;
  const gateway = forTest(await startWithDeadline(deadlineMs));
  const held = service.hold(does.json(200, { createGroup: { id: 1 } }));
  const asked = gateway.ask(create);
  const respond = await does.arrival(held, asked);
  respond();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, deadlineMs);
  expect(resultOf(await asked)).toEqual({ __typename: 'Group' });
});
