/** The outcome that a caller gets with an idempotency key, with each of the two stores. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { codeWith, GatewayError, InvalidInputError } from '../../src/errors.ts';
import type { IdempotencyLedger } from '../../src/state/ledger/ledger.ts';
import type { SharedRedis } from '../../src/state/redis.ts';
import { keyed, lane, memoryLedger, otherLane, redisLedger } from '../support/ledgers.ts';
import { redisForFile } from '../support/lifetimes.ts';
import { commandCalls, hasRedis } from '../support/redis.ts';

const redis = await redisForFile();
/** So long that a busy machine renews it in time. */
const leaseMs = 2_000;

/** `first` gets a write and `other` its repetitions: one ledger in memory, or two that share a Redis. */
interface Pair {
  readonly first: IdempotencyLedger;
  readonly other: IdempotencyLedger;
}

/** The connections of the two ledgers of the running test. */
let shared: SharedRedis[] = [];
afterEach(() => {
  for (const connection of shared.splice(0)) connection.close();
});

async function inMemory(ttlMs: number): Promise<Pair> {
  const ledger = memoryLedger(ttlMs);
  return { first: ledger, other: ledger };
}

async function inRedis(ttlMs: number, lease = leaseMs): Promise<Pair> {
  const start = () => redisLedger(redis.url, ttlMs, lease);
  const [first, other] = await Promise.all([start(), start()]);
  shared = [first.connection, other.connection];
  return { first: first.ledger, other: other.ledger };
}

let key = 0;
let writes = 0;
beforeEach(() => {
  key += 1;
  writes = 0;
});

const request = (input?: string | Promise<string>, asked = lane) => keyed(`key-${key}`, asked, input);

/** A write that the test ends. */
function startWrite() {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    resolve,
    reject,
    run() {
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
const value = { id: '7', at: new Date(0), missing: undefined };
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

type End = { readonly value: unknown } | { readonly failure: Error };

const end = (write: ReturnType<typeof startWrite>, end: End) =>
  'failure' in end ? write.reject(end.failure) : write.resolve(end.value);

/** How a write ends, what a repetition that joined it gets, and what later ones get. */
const ends: [string, End, unknown, unknown][] = [
  ['done', { value }, { value }, { value }],
  [
    'refused as input',
    { failure: new InvalidInputError('no', [problem]) },
    { problems: [problem] },
    sentAgain,
  ],
  [
    'asked to wait',
    { failure: error({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1_500, upstream }) },
    shown('RATE_LIMITED', 'NONE', { retryable: true, retryAfterMs: 1_500, upstream }),
    sentAgain,
  ],
  [
    'done, but answered unreadably',
    { failure: error({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'APPLIED', upstream }) },
    shown('UPSTREAM_BAD_RESPONSE', 'APPLIED', { upstream }),
    shown('OUTCOME_UNKNOWN', 'APPLIED', { upstream }),
  ],
  [
    'ended by a mistake of the gateway',
    { failure: new TypeError('x is not a function') },
    shown('INTERNAL_SERVER_ERROR', 'POSSIBLE'),
    shown('OUTCOME_UNKNOWN', 'POSSIBLE'),
  ],
];

/** A write that a ledger has begun. */
async function begun(ledger: IdempotencyLedger, input?: Promise<string>) {
  const write = startWrite();
  const outcome = seen(ledger.runOnce(request(input), write.run));
  await write.begun;
  return { write, outcome };
}

/** A write in progress and a repetition that has joined it. */
async function joined(pair: Pair, repetition = request(), input?: Promise<string>) {
  const { write, outcome: first } = await begun(pair.first, input);
  const second = seen(pair.other.runOnce(repetition, again));
  // When a later repetition with another token has found the key, so has this one.
  await seen(pair.other.runOnce(request('input', otherLane), again));
  return { write, first, second };
}

describe.each([
  ['in memory', inMemory, 0] as const,
  ...(hasRedis() ? [['shared by two gateways in Redis', inRedis, leaseMs] as const] : []),
])('a key %s', (_title, open, lease) => {
  it.each(ends)(
    'of a write that was %s has its outcome for repetitions',
    async (_how, ending, joins, later) => {
      const pair = await open(60_000);
      const { write, first, second } = await joined(pair);
      end(write, ending);
      expect(await second).toEqual(joins);
      if (later === sentAgain) expect(await first).toEqual(joins);
      expect(writes).toBe(1);
      expect(await seen(pair.other.runOnce(request(), again))).toEqual(later);
      if (later !== sentAgain) expect(await seen(pair.first.runOnce(request(), again))).toEqual(later);
      expect(writes).toBe(later === sentAgain ? 2 : 1);
    },
  );

  it.each<[string, End]>([
    ['succeeds', { value: 1 }],
    ['is refused', { failure: error({ code: 'FORBIDDEN' }) }],
  ])('rejects a repetition with another input that joins a write which %s', async (_end, ending) => {
    const { write, second } = await joined(await open(60_000), request('other'));
    end(write, ending);
    expect(await second).toEqual(shown('IDEMPOTENCY_CONFLICT', 'NONE'));
    expect(writes).toBe(1);
  });

  it.each<[string, End, unknown]>([
    [
      'refused',
      { failure: error({ code: 'FORBIDDEN' }) },
      shown('UPSTREAM_UNAVAILABLE', 'NONE', { retryable: true }),
    ],
    ['done', { value: 'PRIVATE' }, shown('OUTCOME_UNKNOWN', 'APPLIED')],
  ])(
    'with a truncated file, when the write was %s, gets the side effect without the outcome',
    async (_end, ending, expected) => {
      const broken = Promise.withResolvers<string>();
      const { write, first, second } = await joined(await open(60_000), request(), broken.promise);
      broken.reject(error({ code: 'BAD_REQUEST' }));
      end(write, ending);
      await first;
      expect(await second).toEqual(expected);
      expect(writes).toBe(1);
    },
  );

  it('is kept while its write runs, and its outcome for the TTL after the end', async () => {
    // Longer than the lease, so that this is over as well when the outcome of a write that began later is forgotten.
    const pair = await open(Math.max(1_000, 1.25 * lease));
    const { write, outcome } = await begun(pair.first);
    const short = keyed(`short-${key}`);
    await pair.first.runOnce(short, async () => 'done');
    await expect.poll(() => pair.other.find(short)).toBeUndefined();
    expect(await pair.other.find(request())).toEqual({ state: 'running' });
    const second = seen(pair.other.runOnce(request(), again));
    write.resolve('done');
    expect(await outcome).toEqual({ value: 'done' });
    expect(await second).toEqual({ value: 'done' });
    expect(writes).toBe(1);
    await expect.poll(() => seen(pair.other.runOnce(request(), again))).toEqual(sentAgain);
  });
});

describe.skipIf(!hasRedis())('a key shared by two gateways in Redis', () => {
  it('whose gateway has ended is found as running until its lease is over, and then as unknown', async () => {
    const pair = await inRedis(60_000);
    const { write } = await begun(pair.first);
    expect(await pair.other.find(request())).toEqual({ state: 'running' });
    shared[0]?.close();
    await expect.poll(() => pair.other.find(request())).toEqual({ state: 'unknown' });
    write.resolve('done');
  });

  it('whose gateway has ended is unknown after the time of a lease, also where the clock of Redis was set back', async () => {
    await redis.client.flushall();
    const pair = await inRedis(3_600_000);
    const { write } = await begun(pair.first);
    shared[0]?.close();
    const [lease = ''] = await redis.client.keys('*:lease');
    await redis.client.pexpire(lease, 3_600_000);
    expect(await pair.other.find(request())).toEqual({ state: 'running' });
    await expect.poll(() => pair.other.find(request())).toEqual({ state: 'unknown' });
    await redis.client.set(lease, 'first', 'PX', 3_600_000);
    expect(await seen(pair.other.runOnce(request(), again))).toMatchObject({
      ...{ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', retryable: false },
    });
    write.resolve('done');
    expect(writes).toBe(1);
  });

  it('whose write runs is found as running when the clock of Redis is set back, and after a lease', async () => {
    await redis.client.flushall();
    const pair = await inRedis(60_000);
    const { write, outcome } = await begun(pair.first);
    const [lease = ''] = await redis.client.keys('*:lease');
    await redis.client.pexpire(lease, 3_600_000);
    await redis.client.set('later', '', 'PX', 1.25 * leaseMs);
    const states = new Set<unknown>();
    await expect
      .poll(async () => {
        states.add((await pair.other.find(request()))?.state);
        return await redis.client.exists('later');
      })
      .toBe(0);
    expect([...states]).toEqual(['running']);
    write.resolve('done');
    expect(await outcome).toEqual({ value: 'done' });
  });

  it('stays reserved for longer than its write can run while its gateway is cut off, however short outcomes are kept', async () => {
    await redis.client.flushall();
    const pair = await inRedis(1_000);
    const { write } = await begun(pair.first);
    const names = await redis.client.keys('folio:ledger:*');
    const [name = ''] = names.filter((each) => !each.endsWith(':lease'));
    expect(await redis.client.pttl(name)).toBeGreaterThan(3_600_000);
    write.resolve('done');
  });

  it('that Redis lost during its write is reserved again, and not sent twice', async () => {
    const pair = await inRedis(60_000);
    const { write, outcome } = await begun(pair.first);
    await redis.client.flushall();
    await expect.poll(() => redis.client.dbsize()).toBe(2);
    const second = seen(pair.other.runOnce(request(), again));
    write.resolve('done');
    expect(await Promise.all([outcome, second])).toEqual([{ value: 'done' }, { value: 'done' }]);
    expect(writes).toBe(1);
  });

  it('has its outcome stored again over each new connection, also where the primary is the same', async () => {
    const pair = await inRedis(60_000);
    await pair.first.runOnce(request(), again);
    await redis.client.flushall();
    shared[0]?.commands.disconnect(true);
    await expect.poll(() => pair.other.find(request())).toMatchObject({ value: 'sent again' });
  });

  it('whose write runs when Redis becomes full has its outcome', async () => {
    const pair = await inRedis(60_000);
    const { write, outcome } = await begun(pair.first);
    await redis.client.config('SET', 'maxmemory', '1');
    write.resolve('done');
    const seenByAll = [await outcome, await seen(pair.other.runOnce(request(), again))];
    await redis.client.config('SET', 'maxmemory', '0');
    expect(seenByAll).toEqual(Array(2).fill({ value: 'done' }));
    expect(writes).toBe(1);
  });

  it('that was freed stays free when a renewal of its write arrives late, and is not held by that of a write that lost it', async () => {
    const { connection, entries } = await redisLedger(redis.url, 60_000, leaseMs);
    shared = [connection];
    const reservation = { name: `folio:ledger:{${key}}`, holder: 'first.', lane };
    expect(await entries.reserve(reservation)).toBeUndefined();
    await entries.settle(reservation, 'digest', Buffer.from('refused'), true);
    await entries.renew(reservation);
    expect(await entries.find(reservation.name)).toBeUndefined();
    await entries.reserve({ ...reservation, holder: 'second.' });
    await redis.client.del(`${reservation.name}:lease`);
    await entries.renew({ ...reservation, holder: 'lost.' });
    expect(await entries.find(reservation.name)).toMatchObject({ holder: 'second.', heldMs: 0 });
  });

  it('has the outcome for those who wait when Redis is unreachable for a moment at the end of a lease', async () => {
    const pair = await Promise.all([1, 2].map(() => redisLedger(redis.url, 60_000, leaseMs)));
    shared = pair.map(({ connection }) => connection);
    const [first, other] = pair as [(typeof pair)[0], (typeof pair)[0]];
    const { write, outcome } = await begun(first.ledger);
    const { find } = other.entries;
    let readAt = performance.now();
    const lost = Promise.withResolvers<void>();
    vi.spyOn(other.entries, 'find').mockImplementation(async (...entry) => {
      const waitedMs = performance.now() - readAt;
      readAt = performance.now();
      if (waitedMs < leaseMs / 2) return await find(...entry);
      lost.resolve();
      throw new Error('Connection is closed.');
    });
    const repeated = seen(other.ledger.runOnce(request(), again));
    await lost.promise;
    write.resolve('done');
    expect(await Promise.all([outcome, repeated])).toEqual(Array(2).fill({ value: 'done' }));
    expect(writes).toBe(1);
  });

  it('that was reserved by an attempt whose reply was lost is free when Redis refuses the last attempt', async () => {
    const { connection, entries, ledger } = await redisLedger(redis.url, 60_000, leaseMs);
    shared = [connection];
    const { reserve } = entries;
    vi.spyOn(entries, 'reserve').mockImplementationOnce(async (reservation) => {
      await reserve(reservation);
      // As in a cluster, which sends a command again.
      throw Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
    });
    expect(await seen(ledger.runOnce(request(), again))).toMatchObject({
      code: 'RATE_LIMITED',
      sideEffect: 'NONE',
    });
    await expect.poll(() => ledger.find(request())).toBeUndefined();
    expect(await seen(ledger.runOnce(request(), again))).toEqual(sentAgain);
    expect(writes).toBe(1);
  });

  it('that Redis refused to reserve has no settlement to store later', async () => {
    const pair = await inRedis(60_000);
    const { commands } = shared[0] as SharedRedis;
    await redis.client.flushall();
    await redis.client.config('SET', 'maxmemory', '1');
    const refused = await seen(pair.first.runOnce(request(), again));
    await redis.client.config('SET', 'maxmemory', '0');
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', sideEffect: 'NONE', retryable: true });
    const isBack = new Promise((resolve) => commands.once('ready', resolve));
    commands.disconnect(true);
    await isBack;
    expect(await seen(pair.first.runOnce(request(), again))).toEqual(sentAgain);
    expect(await redis.client.keys('*freed*')).toEqual([]);
    expect(writes).toBe(1);
  });

  it('wakes a waiting repetition by a message, without reading its entry again and again, also where another program has made its lease years long', async () => {
    await redis.client.flushall();
    const pair = await inRedis(60_000, 600_000);
    const { write } = await begun(pair.first);
    const [lease = ''] = await redis.client.keys('*:lease');
    await redis.client.pexpire(lease, 2 ** 40);
    const warned = vi.fn();
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const second = seen(pair.other.runOnce(request(), again));
    const scripts = () => commandCalls(redis.client, 'eval');
    const [before, askedAt] = [await scripts(), performance.now()];
    await expect.poll(() => performance.now() - askedAt).toBeGreaterThan(400);
    expect((await scripts()) - before).toBeLessThanOrEqual(2);
    write.resolve('done');
    expect(await second).toEqual({ value: 'done' });
    expect(warned).not.toHaveBeenCalled();
  });

  /** With as many reasons as a refusal of the service can have, each as long as it can be. */
  const refusal = new InvalidInputError('no', Array(20).fill({ ...problem, message: 'ж'.repeat(500) }));

  /** The bytes of all that the ledgers have stored. */
  async function storedBytes(): Promise<number> {
    const names = await redis.client.keys('folio:ledger:*');
    const sizes = await Promise.all(names.map((name) => redis.client.memory('USAGE', name)));
    return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  }

  it('takes under 1 KiB when its write was refused and nobody has joined', async () => {
    await redis.client.flushall();
    const { first } = await inRedis(60_000);
    for (let at = 0; at < 10; at += 1)
      await seen(first.runOnce(keyed(`refused-${key}-${at}`), () => Promise.reject(refusal)));
    expect(await redis.client.dbsize()).toBe(10);
    expect(await storedBytes()).toBeLessThan(10 * 1_024);
  });

  it('whose outcome is above 256 KiB keeps that its write was carried out', async () => {
    await redis.client.flushall();
    const { first } = await inRedis(60_000);
    const [large, most] = ['x'.repeat(256 * 1_024), 'x'.repeat(255 * 1_024)];
    expect(await first.runOnce(request(), async () => large)).toBe(large);
    expect(await seen(first.runOnce(request(), again))).toEqual(shown('OUTCOME_UNKNOWN', 'APPLIED'));
    expect(await storedBytes()).toBeLessThan(1_024);
    const other = keyed(`most-${key}`);
    await first.runOnce(other, async () => most);
    expect(await first.runOnce(other, again)).toBe(most);
  });

  it('keeps the reasons of a refusal until the repetition that has joined has read them', async () => {
    await redis.client.flushall();
    const { write, second } = await joined(await inRedis(60_000));
    write.reject(refusal);
    expect(await second).toEqual({ problems: refusal.problems });
    expect(await storedBytes()).toBeLessThan(1_024);
  });
});
