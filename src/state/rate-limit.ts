import type { Cluster, Redis } from 'ioredis';
import type { Lane } from '../caller.ts';
import { tryAgainLater } from '../errors.ts';
import type { AcceptedLanes } from './accepted-lanes.ts';

export interface RateLimit {
  /** Counts an operation of the lane. Rejects with RATE_LIMITED if it exceeds the limit. */
  count(lane: Lane): Promise<void>;
}

/** Length of the interval in which operations are counted (s). */
const duration = 60;
/** Most lanes that the service has not accepted and that are counted in one interval, about 5 MB. */
const maxUnproven = 10_000;

/**
 * Limits the operations per minute of each lane; 0: no limit. With `redis`, the gateways that share it count together;
 * while it is lost, each counts alone. Of the lanes that the service has not accepted, the first 10,000 in a minute are
 * counted: a caller who invents credentials for each operation has a lane for each, which no limit per lane bounds.
 */
export async function createRateLimit(
  operationsPerMinute: number,
  acceptedLanes: Pick<AcceptedLanes, 'has'>,
  redis?: Redis | Cluster,
): Promise<RateLimit> {
  if (operationsPerMinute === 0) return { count: async () => {} };
  const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
  const limits = { points: operationsPerMinute, duration };
  const alone = new RateLimiterMemory(limits);
  const limiter = redis
    ? new RateLimiterRedis({
        ...limits,
        storeClient: redis,
        keyPrefix: 'folio:rate',
        insuranceLimiter: alone,
      })
    : alone;
  let unproven = new Set<Lane>();
  let countedSince = performance.now();

  function isCounted(lane: Lane): boolean {
    if (acceptedLanes.has(lane)) return true;
    if (performance.now() - countedSince >= duration * 1_000) {
      unproven = new Set();
      countedSince = performance.now();
    }
    if (unproven.size < maxUnproven) unproven.add(lane);
    return unproven.has(lane);
  }

  return {
    async count(lane) {
      if (!isCounted(lane)) return;
      try {
        await limiter.consume(lane);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const message = `More than ${operationsPerMinute} operations in a minute. Nothing was done. Try again later.`;
        throw tryAgainLater('rate-owner', message, { retryAfterMs: refusal.msBeforeNext, httpStatus: 429 });
      }
    },
  };
}
