/** One attempt through dispatchers that fail at every stage: whether a byte may have been sent; and the time of a call. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { brotliCompressSync, zstdCompressSync } from 'node:zlib';
import { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createGroupEndpoint } from '../../src/features/group/group.api.ts';
import { statusEndpoint } from '../../src/features/malaysia/malaysia.api.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { TurnTakingBudget } from '../../src/shares/turn-taking-budget.ts';
import { noSpan } from '../../src/telemetry/tracing.ts';
import { beginReading } from '../../src/tools/event-loop-turns.ts';
import { Attempt } from '../../src/upstream/call/attempt.ts';
import { type StreamedBody, UnreadUploadError } from '../../src/upstream/call/call.ts';
import { Deadline } from '../../src/upstream/call/deadline.ts';
import { DecompressionQueue } from '../../src/upstream/call/decompression-queue.ts';
import type { AttemptOutcome } from '../../src/upstream/call/response-outcome.ts';
import { createDispatcher } from '../../src/upstream/dispatcher.ts';
import type { Endpoint } from '../../src/upstream/endpoint.ts';
import { forTest } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { aShares, holder } from '../support/shares.ts';
import { work } from '../support/work.ts';

afterEach(() => void vi.useRealTimers());

type Dispatch = (handler: Dispatcher.DispatchHandler) => void;

const controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;

/** A dispatcher whose `dispatch` calls the function and reports that it accepted the request. */
function dispatcherThat(dispatch: Dispatch): Dispatcher {
  return new (class extends Dispatcher {
    override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      dispatch(handler);
      return true;
    }
  })();
}

interface AttemptOptions {
  readonly deadline?: Deadline;
  readonly onFree?: () => void;
  readonly body?: string | StreamedBody;
  readonly endpoint?: Endpoint;
  readonly decompressionQueue?: DecompressionQueue;
  readonly responses?: TurnTakingBudget;
}

async function attemptWith(
  dispatch: Dispatch,
  {
    deadline = new Deadline(5_000),
    onFree = () => {},
    body = '{}',
    endpoint = createGroupEndpoint,
    decompressionQueue = new DecompressionQueue(aShares().acceptedLanes),
    responses = new TurnTakingBudget(shareOf('responses', 1_000_000), aShares(), 0),
  }: AttemptOptions = {},
) {
  const call = Object.assign(deadline, {
    environment: {
      dispatcher: dispatcherThat(dispatch),
      origin: 'http://service.example',
      userAgent: 'test',
      maxResponseBytes: 1_000_000,
      responses,
      decompressionQueue,
      shares: aShares(),
      onDrift() {},
    },
    description: { endpoint, body, decode: (json: unknown) => json },
    endpoint,
    path: '/groups',
    caller: {
      ...holder('a'),
      requestId: 'request-1',
      credentials: { apiKey: 'a', authorization: undefined },
    },
  });
  const outcome = await new Promise<AttemptOutcome<unknown>>((resolve) =>
    new Attempt(call, noSpan, resolve, onFree).start(),
  );
  deadline.stop();
  return outcome;
}

function fail(): never {
  throw new TypeError('unexpected');
}

const start: Dispatch = (handler) => handler.onRequestStart?.(controller, {});
const endWithError: Dispatch = (handler) => handler.onResponseError?.(controller, new Error('no connection'));

const respond = (handler: Dispatcher.DispatchHandler, headers: object, body = Buffer.from('{}')) => {
  start(handler);
  handler.onResponseStart?.(controller, 200, headers as never, 'OK');
  handler.onResponseData?.(controller, body);
  handler.onResponseEnd?.(controller, {});
};

it('a request that ends while it waits for a connection is free when undici has dropped it', async () => {
  const deadline = new Deadline(5_000);
  const onFree = vi.fn();
  const waiting: Dispatcher.DispatchHandler[] = [];
  const ended = attemptWith((handler) => waiting.push(handler), { deadline, onFree });
  await afterOtherWork();
  deadline.abort(new Error('the caller left'));
  await ended;
  expect(onFree).not.toHaveBeenCalled();
  const abort = vi.fn();
  waiting[0]?.onRequestStart?.({ abort } as unknown as Dispatcher.DispatchController, {});
  expect(abort).toHaveBeenCalled();
  waiting[0]?.onResponseError?.(controller, new Error('aborted'));
  expect(onFree).toHaveBeenCalledOnce();
});

it('a request whose caller leaves before the end of its turn is not sent, and is free', async () => {
  const deadline = new Deadline(5_000);
  const [dispatch, onFree] = [vi.fn(), vi.fn()];
  const ended = attemptWith(dispatch, { deadline, onFree });
  const reason = new Error('the caller left');
  deadline.abort(reason);
  expect(await ended).toMatchObject({ failure: reason });
  await afterOtherWork();
  expect(dispatch).not.toHaveBeenCalled();
  expect(onFree).toHaveBeenCalledOnce();
});

it('a connection that is not made within 5 seconds has failed', async () => {
  const silent = createServer();
  const { port } = forTest(await listen(silent));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const url = new URL(`https://127.0.0.1:${port}`);
  const dispatcher = createDispatcher(readConfig({ UPSTREAM_URL: url.href }), url);
  let code: string | undefined;
  dispatcher.request({ origin: url.origin, path: '/', method: 'GET' }).catch((error) => ({ code } = error));
  const [connection] = await once(silent, 'connection');
  forTest({ close: () => connection.destroy() });
  // undici counts time in steps of half a second.
  for (const [advanceMs, expected] of [
    [4_400, undefined],
    [1_600, 'UND_ERR_CONNECT_TIMEOUT'],
  ] as const) {
    await vi.advanceTimersByTimeAsync(advanceMs);
    await afterOtherWork();
    expect(code).toBe(expected);
  }
});

const unsent = {
  mayRetry: true,
  failure: { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true },
};
const unclear = { mayRetry: false, failure: { sideEffect: 'POSSIBLE', retryable: false } };
const failedInside = { ...unclear, health: 'unknown' };

/** Resolves when everything that could be done by now is done. */
const afterOtherWork = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a write', () => {
  it.each<[string, Dispatch, object]>([
    ['is retried when the connection was refused', endWithError, { ...unsent, health: 'bad' }],
    ['is retried when dispatch threw before the request started', fail, unsent],
    [
      'is unclear when dispatch threw after the request started',
      (handler) => {
        start(handler);
        fail();
      },
      unclear,
    ],
    [
      'is unclear when reading the content encoding threw',
      (handler) => respond(handler, { 'content-encoding': { toString: fail } }),
      failedInside,
    ],
    [
      'is unclear when reading the headers threw',
      (handler) => respond(handler, Object.defineProperty({}, 'content-encoding', { get: fail })),
      unclear,
    ],
  ])('%s', async (_claim, dispatch, expected) => {
    expect(await attemptWith(dispatch)).toMatchObject(expected);
  });

  it('says nothing about the service when its caller disconnects', async () => {
    const leaving = new AbortController();
    const left = attemptWith(start, { deadline: new Deadline(5_000, { signals: [leaving.signal] }) });
    leaving.abort();
    expect(await left).toMatchObject({ health: 'unknown' });
  });

  it('says nothing about the service when its deadline passes before the request starts', async () => {
    const late = await attemptWith(() => {}, { deadline: new Deadline(5) });
    expect(late).toMatchObject({ health: 'unknown', mayRetry: false });
  });
});

/** An upload of which so many bytes were sent. */
function anUpload(
  bytesSent: number,
  hasStarted: boolean,
  signal = new AbortController().signal,
): StreamedBody {
  return { open: () => Readable.from([]), hasStarted: () => hasStarted, bytesSent: () => bytesSent, signal };
}

it('an upload that the service stops reading may have had an effect, and names the request', async () => {
  const unread = new AbortController();
  const { signal } = unread;
  const deadline = new Deadline(5_000, { paused: true, signals: [signal] });
  const ended = attemptWith(start, { deadline, body: anUpload(1, true, signal) });
  await afterOtherWork();
  unread.abort(new UnreadUploadError());
  expect(await ended).toMatchObject({
    mayRetry: false,
    health: 'unknown',
    failure: {
      code: 'UPSTREAM_TIMEOUT',
      sideEffect: 'POSSIBLE',
      message: 'The document service stopped reading the file of createGroup.',
      upstream: { operation: 'createGroup', requestId: 'request-1' },
    },
  });
});

it.each([
  ['is retried', false],
  ['is not retried when some of its file was read', true],
])('an upload whose connection was refused %s', async (_claim, hasStarted) => {
  const outcome = await attemptWith(endWithError, { body: anUpload(0, hasStarted) });
  expect(outcome).toMatchObject({ mayRetry: !hasStarted });
});

it.each([
  ['the largest size is read', 1_000_000, 'x'.repeat(999_998)],
  ['one byte more has no body', 1_000_001, undefined],
])('a response of %s', async (_size, bytes, value) => {
  const responses = new TurnTakingBudget(shareOf('responses', 10_000_000), aShares(), 0);
  const body = Buffer.from(`"${'x'.repeat(bytes - 2)}"`);
  const dispatch: Dispatch = (handler) => respond(handler, {}, body);
  const outcome = await attemptWith(dispatch, { responses });
  expect('value' in outcome && outcome.value === value).toBe(true);
});

it('a response that is dropped while it waits to be parsed is freed at once', async () => {
  const body = Buffer.alloc(200_000);
  const responses = new TurnTakingBudget(shareOf('responses', 1_000_000), aShares(), 0);
  const dispatch: Dispatch = (handler) => {
    respond(handler, {}, body);
    responses.open({ holder: holder('a'), drop() {} }).hold(100_000);
  };
  const dropped = await attemptWith(dispatch, { responses });
  expect(dropped).toMatchObject({ failure: { code: 'OUTCOME_UNKNOWN' } });
  expect(body).toHaveLength(0);
});

it('a response that is too large counts as one, also in a turn of the event loop that has worked for long', async () => {
  const outcome = await attemptWith((handler) => {
    const aborting = { abort: (reason: Error) => handler.onResponseError?.(aborting as never, reason) };
    handler.onRequestStart?.(aborting as never, {});
    handler.onResponseStart?.(aborting as never, 200, {}, 'OK');
    beginReading();
    work(20);
    handler.onResponseData?.(aborting as never, Buffer.alloc(1_000_001));
  });
  // Not as a lost connection: a read would be repeated, and a write would have an unknown outcome.
  expect(outcome).toMatchObject({ status: 200, health: 'good' });
});

it('a response that has come to its end is read to it in any turn: its connection may be lost in the next one', async () => {
  const pause = vi.fn();
  await attemptWith((handler) => {
    start(handler);
    handler.onResponseStart?.(controller, 200, { 'content-length': '2' }, 'OK');
    beginReading();
    work(20);
    handler.onResponseData?.({ ...controller, pause } as never, Buffer.from('{}'));
    handler.onResponseEnd?.(controller, {});
  });
  expect(pause).not.toHaveBeenCalled();
});

/** An attempt whose response has begun with 100,000 bytes and has to wait for another one, and whether it is paused. */
function attemptBehindAnother(headers: object) {
  const share = shareOf('responses', 1_000_000);
  const responses = new TurnTakingBudget(share, aShares(), share.all);
  responses.open({ holder: holder('other'), drop() {} }).hold(200_000);
  const pause = vi.fn();
  const begin: Dispatch = (handler) => {
    start(handler);
    handler.onResponseStart?.(controller, 200, headers as never, 'OK');
    handler.onResponseData?.({ ...controller, pause } as never, Buffer.alloc(100_000));
  };
  const outcome = attemptWith(begin, { deadline: new Deadline(1_000), responses });
  return { outcome, isPaused: () => pause.mock.calls.length > 0 };
}

it.each([
  ['to its end does not wait', '100000', false],
  ['in part waits', '100001', true],
])('a response that has come %s for others that are being read', async (_part, length, waits) => {
  vi.useFakeTimers();
  const { isPaused } = attemptBehindAnother({ 'content-length': length });
  await vi.advanceTimersByTimeAsync(0);
  expect(isPaused()).toBe(waits);
});

describe('a timeout', () => {
  beforeEach(() => void vi.useFakeTimers());

  /** The health that an attempt reports when the service does not respond within the deadline of 1 s. */
  async function healthAfterTimeout(spentBeforeMs: number) {
    const deadline = new Deadline(1_000);
    await vi.advanceTimersByTimeAsync(spentBeforeMs);
    const outcome = attemptWith(
      (handler) => {
        const aborting = { abort: (reason: Error) => handler.onResponseError?.(aborting as never, reason) };
        handler.onRequestStart?.(aborting as never, {});
      },
      { deadline },
    );
    await vi.advanceTimersByTimeAsync(1_000 - spentBeforeMs);
    return (await outcome).health;
  }

  it.each([
    ['bad service', 'had most of the deadline', 100, 'bad'],
    ['service of unknown health', 'had waited for most of the deadline', 600, 'unknown'],
  ])('reports a %s if its request %s', async (_health, _when, spentBeforeMs, health) => {
    expect(await healthAfterTimeout(spentBeforeMs)).toBe(health);
  });

  it('reports a service of unknown health if its response waited for others that are being read', async () => {
    const { outcome } = attemptBehindAnother({});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toMatchObject({ failure: { code: 'UPSTREAM_TIMEOUT' }, health: 'unknown' });
  });
});

it('a request whose dispatch threw is free, and aborted if it starts later', async () => {
  const [onFree, abort] = [vi.fn(), vi.fn()];
  let startLater: (() => void) | undefined;
  const dispatch: Dispatch = (handler) => {
    startLater = () => handler.onRequestStart?.({ abort } as never, {});
    fail();
  };
  await attemptWith(dispatch, { onFree });
  expect(onFree).toHaveBeenCalledOnce();
  startLater?.();
  expect(abort).toHaveBeenCalled();
});

describe('a response in an encoding with a wide window that waits for its turn', () => {
  /** An attempt whose response waits, since two others are decompressed until `endDecompressions`. */
  function waitingAttempt(
    endpoint: Endpoint,
    deadline = new Deadline(5_000),
    encoding: 'br' | 'zstd' = 'br',
  ) {
    const decompressionQueue = new DecompressionQueue(aShares().acceptedLanes);
    for (const name of ['one', 'other']) decompressionQueue.wait(holder(name), () => {});
    const wait = vi.spyOn(decompressionQueue, 'wait');
    const onFree = vi.fn();
    const compress = encoding === 'br' ? brotliCompressSync : zstdCompressSync;
    const dispatch: Dispatch = (handler) =>
      respond(handler, { 'content-encoding': encoding }, compress('{}'));
    const outcome = attemptWith(dispatch, { deadline, onFree, endpoint, decompressionQueue });
    const endDecompressions = () => {
      for (let ended = 0; ended < 2; ended += 1) decompressionQueue.end();
    };
    return { outcome, onFree, endDecompressions, decompressionQueue, wait };
  }

  it.each(['br', 'zstd'] as const)(
    'keeps its slot until then, so that no more wait than calls may run: %s',
    async (encoding) => {
      const { outcome, onFree, endDecompressions, wait } = waitingAttempt(
        statusEndpoint,
        undefined,
        encoding,
      );
      await afterOtherWork();
      expect(wait).toHaveBeenCalledOnce();
      expect(onFree).not.toHaveBeenCalled();
      endDecompressions();
      expect(await outcome).toMatchObject({ value: {} });
      expect(onFree).toHaveBeenCalledOnce();
    },
  );

  it('follows one response of another caller, and not all of them', () => {
    const queue = new DecompressionQueue(aShares().acceptedLanes);
    const order: string[] = [];
    for (const name of 'aaaaab') queue.wait(holder(name), () => order.push(name));
    expect(order.join('')).toBe('aa');
    for (let ended = 0; ended < 2; ended += 1) queue.end();
    expect(order).toContain('b');
  });

  it('leaves the queue when nobody waits for the read any more', async () => {
    const deadline = new Deadline(5_000);
    const { outcome, onFree, endDecompressions, decompressionQueue } = waitingAttempt(
      statusEndpoint,
      deadline,
    );
    await afterOtherWork();
    const reason = new Error('the caller left');
    deadline.abort(reason);
    expect(await outcome).toMatchObject({ failure: reason, health: 'unknown' });
    await afterOtherWork();
    expect(onFree).toHaveBeenCalledOnce();
    endDecompressions();
    const started: string[] = [];
    for (const name of ['one', 'other']) decompressionQueue.wait(holder(name), () => started.push(name));
    expect(started).toEqual(['one', 'other']);
  });

  it('ends with the time of the read, which says nothing about the service', async () => {
    const { outcome } = waitingAttempt(statusEndpoint, new Deadline(5));
    expect(await outcome).toMatchObject({ failure: { code: 'UPSTREAM_TIMEOUT' }, health: 'unknown' });
  });

  it('is read for a write whatever ends: the service has done it', async () => {
    const deadline = new Deadline(5_000);
    const { outcome, endDecompressions } = waitingAttempt(createGroupEndpoint, deadline);
    await afterOtherWork();
    deadline.abort(new Error('the time is over'));
    endDecompressions();
    expect(await outcome).toMatchObject({ value: {}, health: 'good' });
  });
});

describe('the time of a call', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('a paused deadline has its time left until it is resumed', () => {
    const deadline = new Deadline(1_000, { elapsedMs: 400, paused: true });
    vi.advanceTimersByTime(2_000);
    expect(deadline.remainingMs()).toBe(600);
    deadline.resume();
    vi.advanceTimersByTime(500);
    // The clock runs already.
    deadline.resume();
    expect(deadline.remainingMs()).toBe(100);
  });

  it('a deadline that is over before it starts has expired at once, a paused one when it is resumed', () => {
    expect(new Deadline(1_000, { elapsedMs: 1_000 }).hasExpired()).toBe(true);
    const paused = new Deadline(1_000, { elapsedMs: 1_200, paused: true });
    expect(paused.aborted).toBe(false);
    paused.resume();
    expect(paused.hasExpired()).toBe(true);
  });
});
