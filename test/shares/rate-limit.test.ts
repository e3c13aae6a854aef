import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRateLimit } from '../../src/shares/rate-limit.ts';
import { createFleetCounter } from '../../src/state/fleet-rate-limit.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { alice, startTestGateway, withKey } from '../support/gateway.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { hasRedis, silentLog } from '../support/redis.ts';
import { holder } from '../support/shares.ts';

const redis = await redisForFile();

describe('the rate limit', () => {
  it('counts the operations of each API key by the minute, whatever tokens it sends', async () => {
    const limited = forTest(await startTestGateway({ RATE_LIMIT_PER_MINUTE: '3' }));
    const answers = [];
    for (let index = 0; index < 5; index += 1)
      answers.push(await limited.ask('{ __typename }', {}, { ...alice, authorization: `Bearer ${index}` }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    const refusal = { code: 'RATE_LIMITED', retryable: true, sideEffect: 'NONE' };
    expect(answers[3]?.errors?.[0]?.extensions).toMatchObject(refusal);
    expect(answers[3]?.errors?.[0]?.extensions.retryAfterMs).toBeGreaterThan(0);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.ask('{ __typename }', {}, withKey('another'))).status).toBe(200);
  });

  it('limits each of the first 10,000 newcomers in a minute, and further ones in groups', async () => {
    const customer = holder('customer');
    const limit = createRateLimit(1, { has: (lane) => lane === customer.lane });
    await limit.count(holder('first'));
    for (let index = 1; index < 10_000; index += 1) await limit.count(holder(`invented ${index}`));
    await expect(limit.count(holder('first'))).rejects.toMatchObject({ bound: 'rate-owner' });

    await limit.count(holder('one more'));
    await expect(limit.count(holder('one more'))).rejects.toMatchObject({ bound: 'rate-newcomers' });
    const counted = await Promise.allSettled(
      Array.from({ length: 8_000 }, (_, index) => limit.count(holder(`further ${index}`))),
    );
    const served = counted.filter(({ status }) => status === 'fulfilled').length;
    expect(served).toBeGreaterThan(3_000);
    expect(served).toBeLessThanOrEqual(4_096);
    await limit.count(customer);
    await expect(limit.count(customer)).rejects.toMatchObject({ code: 'RATE_LIMITED', bound: 'rate-owner' });

    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    await limit.count(holder('a minute later'));
    await expect(limit.count(holder('a minute later'))).rejects.toMatchObject({ bound: 'rate-owner' });
  });

  it('counts alone while Redis does not count, and logs that once until a minute without a failure', async () => {
    const fleet = { commands: { callBuffer: () => Promise.reject(new Error('Connection is closed.')) } };
    const warn = vi.fn();
    const limit = createRateLimit(2, { has: () => true }, createFleetCounter(fleet as never, { warn }));
    await limit.count(holder('owner'));
    await limit.count(holder('owner'));
    await expect(limit.count(holder('owner'))).rejects.toMatchObject({ bound: 'rate-owner' });
    expect(warn.mock.calls).toMatchObject([[expect.anything(), 'redis does not count operations']]);

    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    await limit.count(holder('owner'));
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it.skipIf(!hasRedis())(
    'refuses nobody for longer than a minute where the clock of Redis was set back',
    async () => {
      const connection = forTest(await connectRedis({ kind: 'server', url: redis.url }, silentLog));
      const limit = createRateLimit(1, { has: () => true }, createFleetCounter(connection, silentLog));
      await limit.count(holder('owner'));
      const [counted = ''] = await redis.client.keys('folio:rate:*');
      await redis.client.pexpire(counted, 3_600_000);
      const refusal = await Promise.resolve(limit.count(holder('owner'))).catch((error) => error);
      expect(refusal).toMatchObject({ code: 'RATE_LIMITED', bound: 'rate-owner' });
      expect(refusal.retryAfterMs).toBeLessThanOrEqual(60_000);
      expect(await redis.client.pttl(counted)).toBeLessThanOrEqual(60_000);
    },
  );
});
