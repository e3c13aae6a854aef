/** What the ledger keeps in Redis of a refused write, whose reasons can be long, and of one whose outcome is large. */
import { describe, expect, it, vi } from 'vitest';
import { InvalidInputError } from '../../src/errors.ts';
import { keyed, otherLane, redisLedger } from '../support/ledgers.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { hasRedis } from '../support/redis.ts';

const redis = await redisForFile();

/** As many reasons as a refusal of the service can have, each as long as it can be. */
const problems = Array.from({ length: 20 }, () => ({
  rule: 'refused-by-service',
  severity: 'ERROR' as const,
  path: ['input', 'lines', '0', 'description'],
  message: 'ж'.repeat(500),
}));
const refusal = new InvalidInputError('The service refused the input.', problems);

const aLedger = async () => {
  const { ledger, connection } = await redisLedger(redis.url, 60_000, 10_000);
  forTest(connection);
  return ledger;
};

/** The bytes of all that the ledger has stored. */
async function storedBytes(): Promise<number> {
  const names = await redis.client.keys('folio:ledger:*');
  const sizes = await Promise.all(names.map((name) => redis.client.memory('USAGE', name)));
  return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

describe.skipIf(!hasRedis())('Redis', () => {
  it('keeps under 1 KiB of a refused write that nobody has joined', async () => {
    await redis.client.flushall();
    const ledger = await aLedger();
    const writes = 10;
    for (let at = 0; at < writes; at += 1) {
      const sent = ledger.runOnce(keyed(`key-${at}`), () => Promise.reject(refusal));
      await expect(sent).rejects.toBe(refusal);
    }
    expect(await redis.client.dbsize()).toBe(writes);
    expect(await storedBytes()).toBeLessThan(writes * 1_024);
  });

  it('keeps of an outcome above 256 KiB that the write was carried out', async () => {
    await redis.client.flushall();
    const ledger = await aLedger();
    const large = 'x'.repeat(256 * 1_024);
    expect(await ledger.runOnce(keyed('large'), async () => large)).toBe(large);
    const lost = { code: 'OUTCOME_UNKNOWN', sideEffect: 'APPLIED' };
    await expect(ledger.runOnce(keyed('large'), async () => 'again')).rejects.toMatchObject(lost);
    expect(await storedBytes()).toBeLessThan(1_024);
    const most = 'x'.repeat(255 * 1_024);
    await ledger.runOnce(keyed('most'), async () => most);
    expect(await ledger.runOnce(keyed('most'), async () => 'again')).toBe(most);
  });

  /** What the repetition gets that has joined a write which the service refuses. `meanwhile` happens in between. */
  async function joinedRefusal(key: string, meanwhile: () => Promise<void>): Promise<unknown> {
    const [first, other] = [await aLedger(), await aLedger()];
    const write = Promise.withResolvers<never>();
    const begun = Promise.withResolvers<void>();
    const sent = first.runOnce(keyed(key), () => {
      begun.resolve();
      return write.promise;
    });
    await begun.promise;
    const again = vi.fn();
    const outcomes = Promise.allSettled([other.runOnce(keyed(key), again), sent]);
    // When a repetition with another token has found the key, so has the one before.
    await other.runOnce(keyed(key, otherLane), again).catch(() => {});
    await meanwhile();
    write.reject(refusal);
    const [joined] = await outcomes;
    expect(again).not.toHaveBeenCalled();
    return joined;
  }

  it('keeps the reasons until the repetition that has joined has read them', async () => {
    await redis.client.flushall();
    expect(await joinedRefusal('joined', async () => {})).toMatchObject({
      reason: { message: refusal.message, problems },
    });
    expect(await storedBytes()).toBeLessThan(1_024);
  });

  it('that has lost the number of joined repetitions reports that nothing was done to each', async () => {
    const lose = async () => {
      for (const name of await redis.client.keys('folio:ledger:*}')) {
        await redis.client.hdel(name, 'joined');
      }
    };
    expect(await joinedRefusal('lost', lose)).toMatchObject({
      reason: { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true },
    });
  });
});
