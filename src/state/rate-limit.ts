import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayError } from '../errors.ts';
import type { Lane } from './lane.ts';

export interface RateLimit {
  /** Counts an operation of the lane; rejects with RATE_LIMITED when it is one too many. */
  count(lane: Lane): Promise<void>;
}

/** So many operations a minute in each lane; 0: no limit. */
export function createRateLimit(operationsPerMinute: number): RateLimit {
  if (operationsPerMinute === 0) return { count: async () => {} };
  const limiter = new RateLimiterMemory({ points: operationsPerMinute, duration: 60 });
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
