import type { Cluster, Redis } from 'ioredis';
import type { Lane } from '../caller.ts';
import { GatewayError } from '../errors.ts';

export interface RateLimit {
  /** Counts an operation of the lane. Rejects with RATE_LIMITED if it exceeds the limit. */
  count(lane: Lane): Promise<void>;
}

/**
 * Limits the operations per minute of each lane; 0: no limit. With `redis`, the gateways that share it count together;
 * while it is lost, each counts alone.
 */
export async function createRateLimit(
  operationsPerMinute: number,
  redis?: Redis | Cluster,
): Promise<RateLimit> {
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
          message: `More than ${operationsPerMinute} operations in a minute. Nothing was done. Try again later.`,
          retryable: true,
          retryAfterMs: refusal.msBeforeNext,
          httpStatus: 429,
        });
      }
    },
  };
}
