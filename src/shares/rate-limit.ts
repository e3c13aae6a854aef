/** Refuses operations beyond `RATE_LIMIT_PER_MINUTE`, counted in this process or by all gateways with one Redis. */
import type { Holder, Owner } from '../caller.ts';
import { tryAgainLater } from '../errors.ts';
import type { AcceptedLanes } from './accepted-lanes.ts';

export type RateLimit = Awaited<ReturnType<typeof createRateLimit>>;

/** Length of the interval in which operations are counted (s). */
const duration = 60;
/** Most owners of newcomers that are counted each by themselves in one interval, about 5 MB. */
const maxNewcomers = 10_000;
/**
 * Counts as the script of the library does, but no longer than its interval: where the clock of Redis is set back, the count of
 * an owner would be kept for so much longer.
 */
const countScript = `
redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed, ttl = redis.call('INCRBY', KEYS[1], ARGV[1]), redis.call('PTTL', KEYS[1])
if ttl < 0 or ttl > 1000 * ARGV[2] then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  ttl = 1000 * ARGV[2]
end
return {consumed, ttl}`;
/** Characters of an owner by which further newcomers are counted together: 4,096 groups. */
const groupLength = 2;

/**
 * Limits the operations per minute of each owner; 0: no limit. With `redis`, which runs scripts, the gateways that share it
 * count together; while it is lost, each counts alone. A newcomer who invents credentials for each operation is another owner
 * each time: beyond the first 10,000 in a minute, 4,096 groups of them have the limit of one owner each.
 */
export async function createRateLimit(
  operationsPerMinute: number,
  acceptedLanes: Pick<AcceptedLanes, 'has'>,
  redis?: object,
) {
  if (operationsPerMinute === 0) return { count: () => undefined };
  const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
  const limits = { points: operationsPerMinute, duration };
  const alone = new RateLimiterMemory(limits);
  const limiter = redis
    ? new RateLimiterRedis({
        ...limits,
        storeClient: redis,
        keyPrefix: 'folio:rate',
        insuranceLimiter: alone,
        customIncrTtlLuaScript: countScript,
      })
    : alone;
  let newcomers = new Set<Owner>();
  let countedSince = performance.now();

  function keyOf({ lane, owner }: Holder): string {
    if (acceptedLanes.has(lane)) return owner;
    if (performance.now() - countedSince >= duration * 1_000) {
      newcomers = new Set();
      countedSince = performance.now();
    }
    if (newcomers.size < maxNewcomers) newcomers.add(owner);
    return newcomers.has(owner) ? owner : owner.slice(0, groupLength);
  }

  return {
    /** Counts an operation of the owner. Rejects with RATE_LIMITED if it exceeds the limit. */
    async count(holder: Holder) {
      const key = keyOf(holder);
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const message = `More than ${operationsPerMinute} operations in a minute. Nothing was done. Try again later.`;
        const bound = key === holder.owner ? 'rate-owner' : 'rate-newcomers';
        throw tryAgainLater(bound, message, { retryAfterMs: refusal.msBeforeNext, httpStatus: 429 });
      }
    },
  };
}
