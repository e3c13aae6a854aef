/** When a call is tried again, and how long it waits before. */
import { createTimeWindow } from './time-window.ts';

/** Tries beyond the first. */
export const maxRetries = 2;

const firstBackoffMs = 100;
const longestRetryAfterMs = 24 * 60 * 60 * 1_000;

/** Full jitter: anything between none and twice as long as before, so that callers do not come back together. */
export function backoffMs(retry: number): number {
  return Math.random() * firstBackoffMs * 2 ** retry;
}

/**
 * `Retry-After` as milliseconds from `now` (RFC 9110, section 10.2.3): seconds or a date. Junk, and what
 * lies in the past, is undefined; more than a day counts as a day.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, longestRetryAfterMs);
  const date = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
  return date > now ? Math.min(date - now, longestRetryAfterMs) : undefined;
}

export interface RetryBudget {
  countCall(): void;
  /** Takes a retry out of the budget; false when there is none left. */
  takeRetry(): boolean;
}

const leastRetries = 10;
const share = 0.2;

/**
 * 20 % of the calls of the last 10 seconds, never less than 10: a service in trouble is not given the rest
 * by its callers' retries. `now`: milliseconds of a clock that never goes back.
 */
export function createRetryBudget(now: () => number = () => performance.now()): RetryBudget {
  const recent = createTimeWindow<'call' | 'retry'>(now);
  return {
    countCall: () => recent.add('call'),
    takeRetry() {
      if (recent.count('retry') >= Math.max(leastRetries, recent.count('call') * share)) return false;
      recent.add('retry');
      return true;
    },
  };
}
