/** What one caller, and all newcomers together, can keep in the Redis that gateways share. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createRedisShare } from '../../src/shares/redis-ledger-share.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { alice, bob, startTestGateway } from '../support/gateway.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';

const limitBytes = 1_000_000;
const part = 750_000;
const soon = { timeout: 20_000, interval: 50 };

const redis = await redisForFile();
const service = await serviceForFile();
const known = holder('known');

describe.skipIf(!hasRedis())('of a Redis that gateways share', () => {
  beforeEach(async () => {
    await redis.client.flushall();
    await redis.client.config('SET', 'maxmemory', '0');
  });

  /** The share of one gateway, whose service has accepted one caller. */
  async function aShare(ttlMs = 60_000, limit = limitBytes) {
    const log = createLog({ level: 'silent', production: true });
    const connection = forTest(await connectRedis(redis.url, log));
    const shares = aShares(known);
    const report = vi.spyOn(shares, 'report');
    const share = createRedisShare(connection.commands, (whose) => `stored by ${whose}`, ttlMs, shares);
    const exchange = (limitBytes = limit) => share.exchange({ bytes: 5, limitBytes });
    await exchange();
    const fill = () => report.mock.lastCall?.[1]();
    return { ...share, exchange, fill, accept: shares.acceptedLanes.accept };
  }

  it('one caller may keep everything again when Redis has no limit any more', async () => {
    const { counterOf, reached, exchange } = await aShare();
    counterOf(known)(part);
    expect(reached(known)).toBe('ledger-owner');
    await exchange(0);
    expect(reached(known)).toBeUndefined();
  });

  it('one caller keeps at most three quarters, whichever gateways it writes through', async () => {
    const [one, other] = [await aShare(), await aShare()];
    one.counterOf(known)(part / 2);
    other.counterOf(known)(part / 2 - 1);
    expect(other.fill()).toEqual({ all: 5, newcomers: 0, owner: part / 2 - 1 });
    for (const { exchange } of [one, other, one]) await exchange();
    expect(one.fill()).toEqual({ all: 5, newcomers: 0, owner: part - 1 });
    expect(one.reached(known)).toBeUndefined();
    one.counterOf(known)(1);
    expect(one.reached(known)).toBe('ledger-owner');
    expect(one.reached(holder('other'))).toBeUndefined();
    for (const { exchange } of [one, other]) await exchange();
    expect(other.reached(known)).toBe('ledger-owner');
  });

  it('newcomers keep at most three quarters together, also of what made the service accept them', async () => {
    const share = await aShare();
    expect(share.fill()).toEqual({ all: 5, newcomers: 0, owner: 0 });
    for (let at = 0; at < 300; at += 1) {
      const invented = holder(`invented-${at}`);
      const count = share.counterOf(invented);
      share.accept(invented);
      count(part / 300);
    }
    expect(share.fill()).toEqual({ all: 5, newcomers: part, owner: part / 300 });
    for (let times = 0; times < 2; times += 1) {
      expect(share.reached(holder('one more'))).toBe('ledger-newcomers');
      expect(share.reached(known)).toBeUndefined();
      await share.exchange();
    }
  });

  it('there is room again when what was stored has expired', async () => {
    const share = await aShare(200);
    share.counterOf(known)(part);
    await share.exchange();
    expect(share.reached(known)).toBe('ledger-owner');
    await vi.waitFor(async () => {
      await share.exchange();
      expect(share.reached(known)).toBeUndefined();
    }, soon);
    expect(await redis.client.keys('*')).toEqual([]);
  });

  // All newcomers together count as one caller more.
  it.each([
    [9_998, 'ledger-owner'],
    [9_999, undefined],
  ])(
    'a caller who stores most, after %i others, is counted as one of 10,000: %s',
    async (others, reached) => {
      const share = await aShare();
      for (let at = 0; at < others; at += 1) share.counterOf(holder(`other-${at}`))(1);
      share.counterOf(known)(part);
      await share.exchange();
      expect(share.reached(known)).toBe(reached);
      expect(await redis.client.dbsize()).toBeLessThan(110);
    },
  );

  it('what was stored while Redis refuses to count is counted later', async () => {
    const share = await aShare();
    share.counterOf(known)(part);
    await redis.client.config('SET', 'maxmemory', '1');
    await share.exchange();
    expect(share.reached(known)).toBe('ledger-owner');
    await redis.client.config('SET', 'maxmemory', '0');
    await share.exchange();
    expect(share.reached(known)).toBe('ledger-owner');
    expect(await redis.client.dbsize()).toBe(1);
  });

  it('nothing is counted without a maxmemory', async () => {
    const share = await aShare(60_000, 0);
    share.counterOf(known)(Number.MAX_SAFE_INTEGER);
    await share.exchange();
    expect(share.reached(known)).toBeUndefined();
    expect(await redis.client.dbsize()).toBe(0);
  });

  it('a caller who has filled its part is refused, gets its outcomes, and leaves room for others', async () => {
    const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(redis) }));
    await redis.client.config('SET', 'maxmemory', '24mb');
    await vi.waitFor(
      async () => expect(await metricOf(gateway, 'folio_redis_limit_bytes')).toBeGreaterThan(0),
      soon,
    );
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
  }, 60_000);
});
