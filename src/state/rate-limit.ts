import type { Redis } from 'ioredis';
import type { Lane } from '../caller.ts';
import { GatewayError } from '../errors.ts';

export interface RateLimit {
  /** Counts an operation of the lane; rejects with RATE_LIMITED when it is one too many. */
  count(lane: Lane): Promise<void>;
}

/**
 * So many operations a minute in each lane; 0: no limit. With `redis` the gateways that share it count
 * together, and each by itself while it is lost.
 */
export async function createRateLimit(operationsPerMinute: number, redis?: Redis): Promise<RateLimit> {
  if (operationsPerMinute === 0) return { count: async () => {} };
  const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
  const limits = { points: operationsPerMinute, duration: 60 };
  const alone = new RateLimiterMemory(limits);
  const limiter = redis
    ? new RateLimiterRedis({
        ...limits,
        storeClient: redis,
        keyPrefix: 'folio:rate',
        insuranceLimiter: alone,
      })
    : alone;
  return {
    async count(lane) {
      try {
        await limiter.consume(lane);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new GatewayError({
          code: 'RATE_LIMITED',
          message: `More than ${operationsPerMinute} operations in a minute; nothing was done.`,
          retryable: true,
          retryAfterMs: refusal.msBeforeNext,
          httpStatus: 429,
        });
      }
    },
  };
}
