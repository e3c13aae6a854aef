/** What one caller, and all newcomers together, can keep in the Redis that gateways share. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Holder } from '../../src/caller.ts';
import { createBoundedRedisStore } from '../../src/state/ledger/bounded-redis-store.ts';
import type { LedgerStore } from '../../src/state/ledger/ledger.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { alice, bob, startTestGateway } from '../support/gateway.ts';
import { keyed } from '../support/ledgers.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { fleetOf, hasRedis, silentLog } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';

const part = 750_000;

const redis = await redisForFile();
const service = await serviceForFile();
const known = holder('known');

describe.skipIf(!hasRedis())('of a Redis that gateways share', () => {
  beforeEach(async () => {
    await redis.client.flushall();
    await redis.client.config('SET', 'maxmemory', '0');
  });

  /** The store of one gateway, whose service has accepted one caller. */
  async function aStore(ttlMs = 60_000) {
    const { commands } = forTest(await connectRedis({ kind: 'server', url: redis.url }, silentLog));
    const shares = aShares(known);
    const report = vi.spyOn(shares, 'report');
    let count: (bytes: number) => void = () => {};
    const unbounded: LedgerStore = {
      async reserve({ onStored = count }) {
        count = onStored;
        return { settle: async () => {} };
      },
      find: async () => undefined,
    };
    const keyOf = (whose: string) => `stored by ${whose}`;
    const store = createBoundedRedisStore(unbounded, commands, keyOf, ttlMs, shares);
    /** Begins a write, and returns a function that counts what is stored for it. */
    const write = async ({ lane, owner }: Holder) => {
      await store.reserve({ ...keyed('key'), lane, owner });
      return count;
    };
    const keep = async (holder: Holder, bytes: number) => (await write(holder))(bytes);
    /** The part of the bound for which a write is refused. */
    const reached = (holder: Holder) =>
      write(holder).then(
        () => undefined,
        ({ bound }) => bound,
      );
    const exchange = (limitBytes = 1_000_000) => store.exchange({ bytes: 5, limitBytes });
    await exchange();
    const fill = () => report.mock.lastCall?.[1]();
    return { write, keep, reached, exchange, fill, commands, accept: shares.acceptedLanes.accept };
  }

  it('one caller may keep everything again, and nothing is counted, when Redis has no limit any more', async () => {
    const { keep, reached, exchange } = await aStore();
    await keep(known, part);
    expect(await reached(known)).toBe('ledger-owner');
    await exchange(0);
    await keep(known, Number.MAX_SAFE_INTEGER);
    await exchange(0);
    expect(await reached(known)).toBeUndefined();
    expect(await redis.client.dbsize()).toBe(0);
  });

  it('one caller keeps at most three quarters, whichever gateways it writes through', async () => {
    const [one, other] = [await aStore(), await aStore()];
    await one.keep(known, part / 2);
    await other.keep(known, part / 2 - 1);
    expect(other.fill()).toEqual({ all: 5, newcomers: 0, owner: part / 2 - 1 });
    for (const { exchange } of [one, other, one]) await exchange();
    expect(one.fill()).toEqual({ all: 5, newcomers: 0, owner: part - 1 });
    expect(await one.reached(known)).toBeUndefined();
    await one.keep(known, 1);
    expect(await one.reached(known)).toBe('ledger-owner');
    expect(await one.reached(holder('other'))).toBeUndefined();
    for (const { exchange } of [one, other]) await exchange();
    expect(await other.reached(known)).toBe('ledger-owner');
  });

  it('newcomers keep at most three quarters together, also of what made the service accept them', async () => {
    const store = await aStore();
    expect(store.fill()).toEqual({ all: 5, newcomers: 0, owner: 0 });
    for (let at = 0; at < 300; at += 1) {
      const invented = holder(`invented-${at}`);
      const count = await store.write(invented);
      store.accept(invented);
      count(part / 300);
    }
    expect(store.fill()).toEqual({ all: 5, newcomers: part, owner: part / 300 });
    for (let times = 0; times < 2; times += 1) {
      expect(await store.reached(holder('one more'))).toBe('ledger-newcomers');
      expect(await store.reached(known)).toBeUndefined();
      await store.exchange();
    }
  });

  it('there is room again when what was stored has expired', async () => {
    const store = await aStore(200);
    await store.keep(known, part);
    await store.exchange();
    expect(await store.reached(known)).toBe('ledger-owner');
    const reached = async () => {
      await store.exchange();
      return await store.reached(known);
    };
    await expect.poll(reached).toBeUndefined();
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('callers who store something between two exchanges are counted each, up to 10,000 of them', async () => {
    const store = await aStore();
    // All newcomers together count as one caller more.
    for (let at = 0; at < 9_998; at += 1) await store.keep(holder(`other-${at}`), 1);
    const late = holder('late');
    store.accept(late);
    for (const each of [known, late]) await store.keep(each, part);
    await store.exchange();
    expect(await store.reached(known)).toBe('ledger-owner');
    expect(await store.reached(late)).toBeUndefined();
    expect(await redis.client.dbsize()).toBeLessThan(110);
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['value of another type', (name) => redis.client.set(name, 'foreign')],
    ['time that is none', (name) => redis.client.hset(name, 'foreign', part)],
    ['count that is none', (name) => redis.client.hset(name, Date.now(), 'foreign')],
    ['count without an end', (name) => redis.client.hset(name, Date.now(), 'inf')],
    ['count below zero', (name) => redis.client.hset(name, Date.now(), -part)],
    ['time in the future', (name) => redis.client.hset(name, 2 * Date.now(), part)],
  ])('a %s, which no gateway has written, is removed, and counting goes on', async (_what, write) => {
    const { keep, exchange, fill } = await aStore();
    await write(`stored by ${known.owner}`);
    for (const total of [10, 20]) {
      await keep(known, 10);
      await exchange();
      expect(fill()).toMatchObject({ owner: total });
    }
    const counts = await redis.client.hvals(`stored by ${known.owner}`);
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(20);
  });

  it('what was stored while Redis refuses to count is counted later', async () => {
    const store = await aStore();
    await store.keep(known, part);
    await redis.client.config('SET', 'maxmemory', '1');
    await store.exchange();
    expect(await store.reached(known)).toBe('ledger-owner');
    await redis.client.config('SET', 'maxmemory', '0');
    await store.exchange();
    expect(await store.reached(known)).toBe('ledger-owner');
    expect(await redis.client.dbsize()).toBe(1);
  });

  it('what a caller has stored is not forgotten when Redis replies what is not a number', async () => {
    const { keep, exchange, reached, commands } = await aStore();
    await keep(known, part);
    await exchange();
    vi.spyOn(commands, 'callBuffer').mockImplementation(async (...sent) => [sent.at(-1), 'many']);
    await exchange();
    expect(await reached(known)).toBe('ledger-owner');
  });

  it('a caller who has filled its part is refused, gets its outcomes, and leaves room for others', async () => {
    await redis.client.config('SET', 'maxmemory', '24mb');
    const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(redis) }));
    await expect.poll(() => metricOf(gateway, 'folio_redis_limit_bytes')).toBeGreaterThan(0);
    service.will(does.json(200, { createGroup: { id: 7, name: 'x'.repeat(130_000) } }));
    const create = async (key: string, headers = alice) => {
      const query = `mutation ($key: String) { createGroup(input: { idempotencyKey: $key }) { ... on Group { id } } }`;
      const { data, errors } = await gateway.ask(query, { key }, headers);
      return errors?.[0]?.extensions ?? data.createGroup;
    };
    const keys = Array.from({ length: 300 }, () => randomUUID());
    const results = [];
    for (const key of keys) {
      results.push(await create(key));
      if (results.at(-1).code) break;
    }
    expect(results.at(-1)).toMatchObject({
      ...{ code: 'RATE_LIMITED', bound: 'ledger-owner', sideEffect: 'NONE', retryable: true },
    });
    expect(await create(keys[0] as string)).toEqual({ id: '7' });
    expect(await create(randomUUID(), bob)).toEqual({ id: '7' });
    expect(service.received).toHaveLength(results.length);
  });
});
