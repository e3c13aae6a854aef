/** One budget of polls for all gateways, in Redis. */
import { describe, expect, it } from 'vitest';
import { createFleetPollBudget } from '../../src/state/fleet-poll-budget.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { hasRedis, silentLog } from '../support/redis.ts';

const redis = await redisForFile();

describe.skipIf(!hasRedis())('a budget in Redis', () => {
  const connect = async () => forTest(await connectRedis({ kind: 'server', url: redis.url }, silentLog));

  it('gives all gateways together a second’s polls at once, then the rate', async () => {
    const startedAt = performance.now();
    const shared = await connect();
    const gateways = Array.from({ length: 4 }, () => createFleetPollBudget(shared, 'rate', 200));
    let taken = 0;
    for (let round = 0; round < 100; round += 1)
      for (const gateway of gateways) taken += (await gateway.take(50, 1)) ?? 0;
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(taken).toBeGreaterThanOrEqual(190);
    expect(taken).toBeLessThanOrEqual(200 + 200 * seconds + 1);
  });

  it('divides what is left by the callers that wait at each gateway', async () => {
    const many = createFleetPollBudget(await connect(), 'callers', 100);
    const few = createFleetPollBudget(await connect(), 'callers', 100);
    const taken = { many: 0, few: 0 };
    await many.take(0, 9);
    await few.take(0, 1);
    for (let round = 0; round < 3; round += 1) {
      taken.few += (await few.take(100, 1)) ?? 0;
      taken.many += (await many.take(100, 9)) ?? 0;
    }
    expect(taken.few).toBeLessThanOrEqual(30);
    expect(taken.many).toBeGreaterThan(60);
    expect((await few.take(0, 1)) ?? 1, 'nothing is taken for nothing').toBe(0);
  });

  it('is one for all gateways also while Redis is full', async () => {
    const gateways = [await connect(), await connect()].map((shared) =>
      createFleetPollBudget(shared, 'full', 1_000),
    );
    await redis.client.config('SET', 'maxmemory', '1');
    const taken: (number | undefined)[] = [];
    for (let round = 0; round < 10; round += 1)
      for (const gateway of gateways) taken.push(await gateway.take(1, 1));
    await redis.client.config('SET', 'maxmemory', '0');
    expect(taken).toEqual(Array(20).fill(1));
  });

  it.each(['nan', '-1e300', 'inf', 'foreign'])(
    'is as large as ever when another program writes %s into it',
    async (value) => {
      const startedAt = performance.now();
      const budget = createFleetPollBudget(await connect(), value, 100);
      await budget.take(0, 1);
      for (const member of ['tokens', 'at', 'waiting', 'before'])
        await redis.client.hset(value, member, value);
      let taken = 0;
      for (let round = 0; round < 10; round += 1) taken += (await budget.take(100, 1)) ?? 0;
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(taken).toBeGreaterThanOrEqual(100);
      expect(taken).toBeLessThanOrEqual(100 + 100 * seconds + 1);
    },
  );

  it('is unreachable, without an error, while Redis is away', async () => {
    const budget = createFleetPollBudget(await connect(), 'away', 100);
    await redis.stop();
    expect(await budget.take(1, 1)).toBeUndefined();
    await redis.start();
    await expect.poll(() => budget.take(1, 1)).toBe(1);
  });
});
