/** How long requests may take to arrive, how long a refused one is read and dropped, and what bodies hold meanwhile. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMultipart } from '../../src/http/graphql/multipart-request.ts';
import { readJsonBody } from '../../src/http/graphql/request-body.ts';
import { restDropped } from '../../src/http/graphql/rest-of-body.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { type HoldingOptions, ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { UnreadUploadError } from '../../src/upstream/call/call.ts';
import { multipartBody } from '../../src/upstream/multipart.ts';
import {
  alice,
  fapiaoOperation,
  scanCard,
  scanOperation,
  startTestGateway,
  withKey,
} from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { form, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { aShares } from '../support/shares.ts';
import { onRequestStart } from '../support/work.ts';

const gateway = forFile(await startTestGateway({ MAX_XML_BYTES: '67108864', LOG_LEVEL: 'silent' }));
afterEach(() => void vi.useRealTimers());

/** Bytes of files that the gateway has read. */
const uploadedBytes = async () => (await metricOf(gateway, 'folio_upload_bytes_total')) || 0;

const KiB = 1024;
/** The head of a request with a file, whose body has so many bytes. */
const headOfForm = (length = '100000') =>
  headOf('POST /graphql', { ...alice, ...form.headers, 'content-length': length });
const beforeFile = form.beforeFile(fapiaoOperation, { file: null });
/** The response waits for the rest of the request for 2 of them. */
async function passSeconds(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise(setImmediate);
  }
}

const scanned = does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } });

describe('an upload', () => {
  beforeEach(() => void vi.useFakeTimers());

  const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

  /** Chunks of a file, with the time that the caller takes for each (s). */
  type Chunks = readonly [count: number, bytes: number, seconds: number];

  /** Uploads a file. The service takes some time for each chunk of at least 8 KiB (s). Returns how it ended. */
  async function uploadOf(chunks: readonly Chunks[], serviceSeconds = 0) {
    async function* content(): AsyncGenerator<Uint8Array> {
      for (const [count, bytes, callerSeconds] of chunks) {
        for (let sent = 0; sent < count; sent += 1) {
          if (callerSeconds > 0) await wait(callerSeconds);
          yield Buffer.alloc(bytes);
        }
      }
    }
    const part = { name: 'files', filename: 'a', contentType: 'image/png', content: content() };
    const { body } = multipartBody({}, part);
    const stream = body.open(() => {});
    const read = (async () => {
      for await (const { length } of stream) if (length >= 8 * KiB) await wait(serviceSeconds);
    })().catch(() => {});
    let seconds = 0;
    const isOver = () => stream.readableEnded || body.signal.aborted;
    while (!isOver() && seconds < 10_000) {
      await vi.advanceTimersByTimeAsync(1_000);
      seconds += 1;
    }
    if (body.signal.aborted) stream.destroy();
    await vi.runAllTimersAsync();
    await read;
    expect(vi.getTimerCount()).toBe(0);
    return { seconds, reason: body.signal.reason };
  }

  const endless = Number.POSITIVE_INFINITY;
  /** 50 seconds of the first minute. */
  const slow: Chunks = [50, KiB, 1];

  it.each<[string, Chunks[], number, number]>([
    ['of 500 bytes a second is aborted after 30 seconds', [[endless, 500, 1]], 30, 35],
    ['of 600 bytes a second is aborted after its first minute', [[endless, 600, 1]], 60, 70],
    ['of 40 KiB a second is aborted before three minutes', [[endless, 40 * KiB, 1]], 60, 180],
    ['is aborted as slow while its caller sends nothing', [slow, [1, KiB, 25]], 60, 70],
  ])('%s, without side effect', async (_title, chunks, least, most) => {
    const { seconds, reason } = await uploadOf(chunks);
    const extensions = { code: 'BAD_REQUEST', sideEffect: 'NONE', retryable: true };
    expect(reason).toMatchObject({ ...extensions, httpStatus: 408 });
    expect(seconds).toBeGreaterThanOrEqual(least);
    expect(seconds).toBeLessThan(most);
  });

  it('that the service stops reading is aborted after 30 seconds', async () => {
    const { seconds, reason } = await uploadOf(
      [
        [1, 8 * KiB, 0],
        [endless, 64 * KiB, 0],
      ],
      100,
    );
    expect(reason).toBeInstanceOf(UnreadUploadError);
    expect(seconds).toBeLessThanOrEqual(61);
  });

  it.each<[string, Chunks[], number, number]>([
    ['may be as slow as 1 KiB a second if it takes less than a minute', [[59, KiB, 1]], 0, 50],
    ['of 80 KiB a second may be of any length', [[512, 80 * KiB, 1]], 0, 500],
    ['is not aborted as slow when the service reads it slowly', [[512, 8 * KiB, 0]], 1, 200],
    ['may take the service time after its caller has used a minute', [slow, [6, 64 * KiB, 0]], 20, 120],
  ])('%s', async (_title, chunks, serviceSeconds, least) => {
    const { seconds, reason } = await uploadOf(chunks, serviceSeconds);
    expect(reason).toBeUndefined();
    expect(seconds).toBeGreaterThan(least);
  });
});

describe('a request of which nothing arrives for 30 seconds is refused with 408, and may be sent again:', () => {
  it.each([
    ['a JSON body', postOf('', { 'content-length': '100000' }), 'body must'],
    ['a file that does not begin', headOfForm() + beforeFile, 'file must begin'],
    ['a file that stops', headOfForm() + beforeFile + form.file('x'), 'no byte arrived'],
  ])('%s', async (_what, bytes, reason) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { text, until } = forTest(await openConnection(gateway.url, bytes));
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(29_000);
    await new Promise(setImmediate);
    expect(text()).toBe('');
    const refused = until(
      new RegExp(`^HTTP/1\\.1 408 [^]*${reason}[^]*"retryable":true,"sideEffect":"NONE"`),
    );
    await passSeconds(4);
    await refused;
  });
});

it('a file is not refused because the process has no time to read it', async () => {
  const requests: IncomingMessage[] = [];
  onRequestStart((request) => void requests.push(request));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const bytes = headOfForm() + beforeFile + form.file('x');
  const { text } = forTest(await openConnection(gateway.url, bytes));
  while (vi.getTimerCount() < 2) await new Promise(setImmediate);
  for (const ms of [29_000, 29_000]) {
    await vi.advanceTimersByTimeAsync(ms);
    for (const request of requests) request.emit('postponed');
  }
  await new Promise(setImmediate);
  expect(text()).toBe('');
});

describe('a file that is held as a whole', () => {
  /** Sends so many bytes of a file a second, at the end of every 10, for 200 seconds. Returns when it was refused (s). */
  async function refusedAfter(bytes: number): Promise<number | undefined> {
    const before = await uploadedBytes();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const begin = headOfForm('100000000') + beforeFile + form.file('');
    const { socket, text } = forTest(await openConnection(gateway.url, begin));
    for (let seconds = 10; seconds <= 200; seconds += 10) {
      await vi.advanceTimersByTimeAsync(10_000);
      socket.write(Buffer.alloc(10 * bytes));
      const received = async () => (await uploadedBytes()) - before;
      // The response waits for the rest of the request for 2 seconds.
      while (text() === '' && (await received()) < seconds * bytes) await vi.advanceTimersByTimeAsync(50);
      if (text() === '') continue;
      expect(text()).toMatch(
        /^HTTP\/1\.1 408 [\s\S]*arrived too slowly.*"code":"BAD_REQUEST","retryable":true/,
      );
      return seconds;
    }
    return undefined;
  }

  it('may take minutes with 64 KiB a second', async () => {
    expect(await refusedAfter(64 * KiB)).toBeUndefined();
  });

  it('is refused with 408 after about two minutes with 32 KiB a second', async () => {
    const refusedAt = await refusedAfter(32 * KiB);
    expect(refusedAt).toBeGreaterThan(110);
    expect(refusedAt).toBeLessThan(150);
  });
});

it('a request that does not end within 30 seconds after its file is refused with 408', async () => {
  const before = await uploadedBytes();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const parts = `${headOfForm()}${beforeFile}${form.file('x')}--x\r\na: `;
  const { socket, text, until } = forTest(await openConnection(gateway.url, parts));
  while ((await uploadedBytes()) === before) await new Promise(setImmediate);
  for (let seconds = 0; seconds < 25; seconds += 5) {
    await vi.advanceTimersByTimeAsync(5_000);
    expect(text()).toBe('');
    socket.write('b');
  }
  const refused = until(/^HTTP\/1\.1 408 [\s\S]*after its file[\s\S]*"retryable":true,"sideEffect":"NONE"/);
  await passSeconds(8);
  await refused;
});

it('a file that arrives for longer than the deadline of a scan is scanned', async () => {
  const service = forTest(await does.startService(scanned));
  const deadline = { UPSTREAM_SCAN_DEADLINE_MS: '1000' };
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...deadline }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const [begin, end] = [form.beforeFile(scanOperation, { file: null }) + form.file('x'), `x\r\n${form.end}`];
  const head = headOfForm(String(begin.length + end.length));
  const { socket, until } = forTest(await openConnection(gateway.url, head + begin));
  while ((await metricOf(gateway, 'folio_uploads_in_flight')) < 1) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(2_000);
  socket.write(end);
  await until(/"documentId":"7"/);
});

it('slow uploads with invented keys use at most half of the upload slots, and never delay the scan of an accepted caller', async () => {
  const service = forTest(await does.startService(scanned));
  // 16 slots: 8 for uploads, of which 4 for lanes never accepted and 2 for one lane.
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, UPSTREAM_CONNECTIONS: '16' }));
  const callsInFlight = () => metricOf(gateway, 'folio_service_calls_in_flight');
  /** A scan requires the API key only, so that a token of the caller would prove nothing. */
  const expectScan = async () =>
    expect((await scanCard(gateway, 'abc', withKey('accepted'))).data.scanIdentityCard.documentId).toBe('7');

  await expectScan();
  const body = form.beforeFile(scanOperation, { file: null }) + form.file('x'.repeat(3_000));
  for (let index = 0; index < 40; index += 1) {
    const headers = { ...form.headers, ...withKey(`invented-${index % 20}`), 'content-length': '100000' };
    forTest(await openConnection(gateway.url, headOf('POST /graphql', headers) + body));
  }
  await expect.poll(() => metricOf(gateway, 'folio_uploads_in_flight')).toBe(40);
  expect(await callsInFlight()).toBe(4);
  for (let index = 0; index < 3; index += 1) await expectScan();
  expect(await callsInFlight()).toBe(4);
});

describe('the rest of a refused request', () => {
  let request: PassThrough;
  let isOver = false;

  function refuse(
    responseLength: number,
    response: object = { writableFinished: true },
  ): Promise<void> | undefined {
    request = Object.assign(new PassThrough(), { complete: false, url: '/graphql', rawHeaders: [] });
    const share = { hold() {}, close() {} };
    const exchange = { request, response, holdBody: () => share };
    return restDropped(exchange as never, responseLength);
  }

  beforeEach(() => {
    vi.useFakeTimers();
    isOver = false;
    void refuse(16_384)?.then(() => (isOver = true));
  });

  it('is read to at most 64 MiB', async () => {
    for (let mebibyte = 0; mebibyte < 64; mebibyte += 1) request.write(Buffer.alloc(1024 * 1024));
    await vi.advanceTimersByTimeAsync(0);
    expect([isOver, request.destroyed]).toEqual([false, false]);
    request.write('x');
    await vi.advanceTimersByTimeAsync(0);
    expect([isOver, request.destroyed]).toEqual([true, true]);
  });

  it.each([
    ['nothing of it arrives for 2 seconds', 2_000, 2_000],
    ['all of it has not arrived after a minute', 60_000, 1_500],
  ])('is given up when %s', async (_why, ms, intervalMs) => {
    const sending = setInterval(() => request.write('x'), intervalMs);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([isOver, request.destroyed]).toEqual([true, true]);
    clearInterval(sending);
  });

  it('that is given up before its response is sent closes the connection after it', async () => {
    const response = Object.assign(new EventEmitter(), { writableFinished: false });
    void refuse(1, response);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(request.destroyed).toBe(false);
    response.emit('finish');
    expect(request.destroyed).toBe(true);
  });

  it('is not given up because the process has no time to read it', async () => {
    await vi.advanceTimersByTimeAsync(1_500);
    request.emit('postponed');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it('is not awaited by a response of more than 16,384 characters', () => {
    expect(refuse(16_385)).toBeUndefined();
  });
});

describe('a body whose caller has left', () => {
  beforeEach(() => void vi.useFakeTimers());

  /** A request whose body counts in a budget of its own. */
  function aRequest(headers: Readonly<Record<string, string>>) {
    const bodies = new ReclaimingBudget(shareOf('bodies', 1_000_000), aShares(), 'costliest');
    const request = Object.assign(new PassThrough(), { headers, rawHeaders: [] });
    const response = new EventEmitter();
    const holdBody = (drop: HoldingOptions['drop']) => bodies.open({ drop, holder: undefined });
    const metrics = { uploads: { inc() {}, dec() {} }, uploadBytes: { inc() {} } };
    const dependencies = { metrics, config: { limits: { maxRequestBytes: 1_000, maxUploadBytes: 1_000 } } };
    const http = { request, response, dependencies, holdBody, holdFile: () => () => {}, waitForTurn() {} };
    return { bodies, request, response, http: http as never };
  }

  it('before it was read holds nothing', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '100' };
    const { bodies, request, http } = aRequest(headers);
    request.write('{"query":');
    const operation = new Promise<() => unknown>((resolve) => readJsonBody(http, resolve));
    request.emit('cut');
    expect(await operation).toThrow('The request ended before its body');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([request.readableLength, bodies.held]).toEqual([0, 0]);
  });

  it('and that is dropped while it waits for its turn is refused once', async () => {
    const { bodies, request, http } = aRequest({ 'content-type': 'application/json' });
    const turn = Promise.withResolvers<void>();
    const onBody = vi.fn();
    readJsonBody(Object.assign(http, { waitForTurn: () => turn.promise }), onBody);
    request.end('{}');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(onBody).not.toHaveBeenCalled();
    bodies.open({ drop() {}, holder: undefined }).hold(995_000);
    expect(onBody).toHaveBeenCalledOnce();
    turn.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(onBody).toHaveBeenCalledOnce();
  });

  const text = form.beforeFile('mutation { nope }', { file: null });

  it('holds nothing of a file that is read afterwards', async () => {
    const { bodies, request, response, http } = aRequest(form.headers);
    request.end(text + form.file('x') + form.end);
    const { variables } = await readMultipart(http);
    response.emit('close');
    (variables as any).file.hold(100);
    expect(bodies.held).toBe(0);
  });

  it('before its file began is not awaited any more', async () => {
    const { bodies, request, response, http } = aRequest(form.headers);
    request.write(text);
    const operation = readMultipart(http);
    await vi.advanceTimersByTimeAsync(0);
    response.emit('close');
    await expect(operation).rejects.toThrow('The request ended before the end of its file');
    request.destroy();
    await expect.poll(() => [bodies.held, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
