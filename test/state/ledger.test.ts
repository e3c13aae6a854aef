/** The outcome that a caller gets with an idempotency key, with each of the two stores. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeWith, GatewayError, InvalidInputError } from '../../src/errors.ts';
import type { IdempotencyLedger } from '../../src/state/ledger/ledger.ts';
import type { SharedRedis } from '../../src/state/redis.ts';
import { lane, memoryLedger, otherLane, owner, redisLedger } from '../support/ledgers.ts';
import { hasRedis, startRedis, startSlowRedis, type TestRedis } from '../support/redis.ts';

const leaseMs = 300;
const soon = { timeout: 10_000, interval: 20 };

/** `first` gets a write and `other` its repetitions: one ledger in memory, or two that share a Redis. */
interface Pair {
  readonly first: IdempotencyLedger;
  readonly other: IdempotencyLedger;
}
interface Store {
  readonly open: (ttlMs: number, leaseMs?: number, firstUrl?: string) => Pair | Promise<Pair>;
}

let redis: TestRedis | undefined;
let shared: SharedRedis[] = [];

const memory: Store = {
  open(ttlMs) {
    const ledger = memoryLedger(ttlMs);
    return { first: ledger, other: ledger };
  },
};

const redisStore: Store = {
  async open(ttlMs, lease = leaseMs, firstUrl = redis?.url) {
    const ledgers = [firstUrl, redis?.url].map((url = '') => redisLedger(url, ttlMs, lease));
    const opened = await Promise.all(ledgers);
    shared.push(...opened.map(({ connection }) => connection));
    const [first, other] = opened.map(({ ledger }) => ledger);
    return { first, other } as Pair;
  },
};

let key = 0;
let writes = 0;
beforeEach(() => {
  key += 1;
  writes = 0;
});

const request = (input: string | Promise<string> = 'input', asked = lane) => ({
  owner,
  lane: asked,
  key: `key-${key}`,
  input: { digest: Promise.resolve(input), consume() {} },
});

/** A write that the test ends. */
function write<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const begun = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    resolve,
    reject,
    run(): Promise<T> {
      writes += 1;
      begun.resolve();
      return promise;
    },
  };
}

const again = () => {
  writes += 1;
  return Promise.resolve('sent again');
};

/** The outcome as a caller sees it. */
async function seen(outcome: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await outcome };
  } catch (error) {
    if (error instanceof InvalidInputError) return { problems: error.problems };
    if (!(error instanceof GatewayError)) return { unforeseen: error };
    const { code, sideEffect, retryable, retryAfterMs, upstream } = error;
    return { code, sideEffect, retryable, retryAfterMs, upstream };
  }
}

const upstream = { operation: 'createGroup', status: 503, requestId: 'r-1' };
const problem = { rule: 'refused-by-service', severity: 'ERROR' as const, path: ['a'], message: 'no' };
const error = ({
  code = 'UPSTREAM_UNAVAILABLE',
  sideEffect,
  ...options
}: Omit<Partial<GatewayError>, 'bound'>) =>
  new GatewayError({ message: 'm', ...options, ...codeWith(code), ...(sideEffect && { sideEffect }) });
const shown = (code: string, sideEffect: string, more = {}) => ({
  code,
  sideEffect,
  retryable: false,
  retryAfterMs: undefined,
  upstream: undefined,
  ...more,
});
const sentAgain = { value: 'sent again' };

const refusals: [string, Error, unknown][] = [
  ['refused as input', new InvalidInputError('no', [problem]), { problems: [problem] }],
  [
    'refused credentials',
    error({ code: 'UNAUTHENTICATED', upstream }),
    shown('UNAUTHENTICATED', 'NONE', { upstream }),
  ],
  [
    'asked to wait',
    error({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1_500 }),
    shown('RATE_LIMITED', 'NONE', { retryable: true, retryAfterMs: 1_500 }),
  ],
];

const doubts: [string, Error, unknown, unknown][] = [
  [
    'not answered in time',
    error({ code: 'UPSTREAM_TIMEOUT', sideEffect: 'POSSIBLE', upstream }),
    shown('UPSTREAM_TIMEOUT', 'POSSIBLE', { upstream }),
    shown('OUTCOME_UNKNOWN', 'POSSIBLE', { upstream }),
  ],
  [
    'done, but answered unreadably',
    error({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'APPLIED' }),
    shown('UPSTREAM_BAD_RESPONSE', 'APPLIED'),
    shown('OUTCOME_UNKNOWN', 'APPLIED'),
  ],
  [
    'ended by a mistake of the gateway',
    new TypeError('x is not a function'),
    shown('INTERNAL_SERVER_ERROR', 'POSSIBLE'),
    shown('OUTCOME_UNKNOWN', 'POSSIBLE'),
  ],
];

describe.each([
  ['in memory', memory],
  ...(hasRedis() ? [['shared by two gateways in Redis', redisStore] as [string, Store]] : []),
])('a key %s', { timeout: 30_000 }, (_title, store) => {
  beforeAll(async () => {
    if (store === redisStore) redis = await startRedis();
  });
  afterEach(() => {
    for (const connection of shared) connection.close();
    shared = [];
  });
  afterAll(async () => {
    await redis?.stop();
    redis = undefined;
  });

  /** A write in progress and a repetition that has joined it. */
  async function joined(pair: Pair, repetition = request()) {
    const running = write<unknown>();
    const first = seen(pair.first.runOnce(request(), running.run));
    await running.begun;
    const second = seen(pair.other.runOnce(repetition, again));
    // When a later repetition with another token has found the key, so has this one.
    await seen(pair.other.runOnce(request('input', otherLane), again));
    return { running, first, second };
  }

  it('returns a write’s value to a repetition that joins it, and to later ones', async () => {
    const pair = await store.open(60_000);
    const { running, second } = await joined(pair);
    const value = { id: '7', at: new Date(0), missing: undefined };
    running.resolve(value);
    expect(await second).toEqual({ value });
    expect(await seen(pair.other.runOnce(request(), again))).toEqual({ value });
    expect(writes).toBe(1);
  });

  it.each(refusals)(
    'returns the refusal of a write that was %s to a repetition that joined it, then can be used again',
    async (...row) => {
      const [, failure, expected] = row;
      const pair = await store.open(60_000);
      const { running, first, second } = await joined(pair);
      running.reject(failure);
      expect(await second).toEqual(expected);
      expect(await first).toEqual(expected);
      expect(writes).toBe(1);
      expect(await seen(pair.other.runOnce(request(), again))).toEqual(sentAgain);
      expect(writes).toBe(2);
    },
  );

  it.each(doubts)(
    'returns the error of a write that was %s to a repetition that joined it, and is never sent again',
    async (...row) => {
      const [, failure, expected, later] = row;
      const pair = await store.open(60_000);
      const { running, second } = await joined(pair);
      running.reject(failure);
      expect(await second).toEqual(expected);
      expect(await seen(pair.other.runOnce(request(), again))).toEqual(later);
      expect(await seen(pair.first.runOnce(request(), again))).toEqual(later);
      expect(writes).toBe(1);
    },
  );

  it.each([
    ['succeeds', undefined],
    ['is refused', error({ code: 'FORBIDDEN' })],
  ])('rejects a repetition with another input that joins a write which %s', async (_end, failure) => {
    const { running, second } = await joined(await store.open(60_000), request('other'));
    if (failure) running.reject(failure);
    else running.resolve(1);
    expect(await second).toEqual(shown('IDEMPOTENCY_CONFLICT', 'NONE'));
    expect(writes).toBe(1);
  });

  it.each([
    ['refused', error({ code: 'FORBIDDEN' }), shown('UPSTREAM_UNAVAILABLE', 'NONE', { retryable: true })],
    ['done', undefined, shown('OUTCOME_UNKNOWN', 'APPLIED')],
  ])(
    'with a truncated file, when the write was %s, gets the side effect without the outcome',
    async (_end, failure, expected) => {
      const pair = await store.open(60_000);
      const running = write<unknown>();
      const broken = Promise.withResolvers<string>();
      const first = seen(pair.first.runOnce(request(broken.promise), running.run));
      await running.begun;
      const second = seen(pair.other.runOnce(request(), again));
      await seen(pair.other.runOnce(request('input', otherLane), again));
      broken.reject(error({ code: 'BAD_REQUEST' }));
      if (failure) running.reject(failure);
      else running.resolve('PRIVATE');
      await first;
      expect(await second).toEqual(expected);
      expect(writes).toBe(1);
    },
  );

  it('is kept while its write runs, and its outcome for the TTL after the end', async () => {
    const ttlMs = 400;
    const pair = await store.open(ttlMs);
    const running = write<unknown>();
    const first = seen(pair.first.runOnce(request(), running.run));
    await running.begun;
    await new Promise((resolve) => setTimeout(resolve, 2 * (ttlMs + leaseMs)));
    const second = seen(pair.other.runOnce(request(), again));
    running.resolve('done');
    expect(await first).toEqual({ value: 'done' });
    expect(await second).toEqual({ value: 'done' });
    expect(await seen(pair.other.runOnce(request(), again))).toEqual({ value: 'done' });
    expect(writes).toBe(1);
    await vi.waitFor(
      async () => expect(await seen(pair.other.runOnce(request(), again))).toEqual(sentAgain),
      soon,
    );
  });

  it.runIf(store === redisStore)(
    'that Redis and its gateway lost has an unknown outcome for a waiting repetition',
    async () => {
      const pair = await store.open(60_000);
      const { running, second } = await joined(pair);
      shared[0]?.close();
      await shared[1]?.commands.flushall();
      expect(await second).toEqual(shown('OUTCOME_UNKNOWN', 'POSSIBLE'));
      running.resolve('done');
      expect(writes).toBe(1);
    },
  );

  it.runIf(store === redisStore)(
    'that Redis lost during its write is reserved again, and not sent twice',
    async () => {
      const pair = await store.open(60_000);
      const running = write<unknown>();
      const first = seen(pair.first.runOnce(request(), running.run));
      await running.begun;
      await shared[0]?.commands.flushall();
      await vi.waitFor(async () => expect(await shared[0]?.commands.dbsize()).toBe(2), soon);
      const second = seen(pair.other.runOnce(request(), again));
      running.resolve('done');
      expect(await Promise.all([first, second])).toEqual([{ value: 'done' }, { value: 'done' }]);
      expect(writes).toBe(1);
    },
  );

  it.runIf(store === redisStore).each([
    ['a refusal frees the key', error({ code: 'FORBIDDEN' }), sentAgain],
    ['a value is kept', undefined, { value: 'done' }],
  ])('is settled once Redis is back: %s', async (_what, failure, expected) => {
    const pair = await store.open(60_000);
    const running = write<unknown>();
    const first = seen(pair.first.runOnce(request(), running.run));
    await running.begun;
    shared[0]?.commands.disconnect(true);
    if (failure) running.reject(failure);
    else running.resolve('done');
    await first;
    await vi.waitFor(() => expect(shared[0]?.isLost()).toBe(false), soon);
    await vi.waitFor(async () => {
      writes = 1;
      expect(await seen(pair.other.runOnce(request(), again))).toEqual(expected);
    }, soon);
    expect(writes).toBe(failure ? 2 : 1);
  });

  it.runIf(store === redisStore)(
    'whose outcome Redis refused to store has it once Redis is no longer full, over the same connection',
    async () => {
      const pair = await store.open(60_000);
      const { commands } = shared[0] as SharedRedis;
      const running = write<unknown>();
      const first = seen(pair.first.runOnce(request(), running.run));
      await running.begun;
      await commands.config('SET', 'maxmemory', '1');
      running.resolve('done');
      expect(await first).toEqual({ value: 'done' });
      await commands.config('SET', 'maxmemory', '0');
      await vi.waitFor(
        async () => expect(await seen(pair.other.runOnce(request(), again))).toEqual({ value: 'done' }),
        soon,
      );
      expect(writes).toBe(1);
    },
  );

  it.runIf(store === redisStore)(
    'that Redis refused to reserve has no settlement to store later',
    async () => {
      const pair = await store.open(60_000);
      const { commands } = shared[0] as SharedRedis;
      await commands.flushall();
      await commands.config('SET', 'maxmemory', '1');
      const refused = await seen(pair.first.runOnce(request(), again));
      await commands.config('SET', 'maxmemory', '0');
      expect(refused).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true });
      const isBack = new Promise((resolve) => commands.once('ready', resolve));
      commands.disconnect(true);
      await isBack;
      expect(await seen(pair.first.runOnce(request(), again))).toEqual(sentAgain);
      expect((await commands.keys('*freed*')).length).toBe(0);
      expect(writes).toBe(1);
    },
  );

  it.runIf(store === redisStore)(
    'wakes a waiting repetition by a message, without reading the entry again and again',
    async () => {
      const pair = await store.open(60_000, 60_000);
      const { running, second } = await joined(pair);
      const { commands } = shared[0] as SharedRedis;
      const scripts = async () =>
        Number(/cmdstat_eval:calls=(\d+)/.exec(await commands.info('commandstats'))?.[1]);
      const before = await scripts();
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect((await scripts()) - before).toBeLessThanOrEqual(1);
      running.resolve('done');
      expect(await second).toEqual({ value: 'done' });
    },
  );

  it.runIf(store === redisStore)(
    'whose reservation was made, but not confirmed in time, is free again: nothing was sent',
    async () => {
      const slow = await startSlowRedis(redis as TestRedis);
      const pair = await store.open(60_000, 60_000, slow.url);
      slow.hold();
      expect(await seen(pair.first.runOnce(request(), again))).toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
        sideEffect: 'NONE',
        retryable: true,
      });
      expect(writes).toBe(0);
      slow.release();
      await vi.waitFor(
        async () => expect(await seen(pair.other.runOnce(request(), again))).toEqual(sentAgain),
        soon,
      );
      expect(writes).toBe(1);
      await slow.close();
    },
  );
});
