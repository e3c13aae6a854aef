/** When a call is tried again, and how long it waits before. */

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

const windowMs = 10_000;
const slotMs = 1_000;
const leastRetries = 10;
const share = 0.2;

/**
 * 20 % of the calls of the last 10 seconds, never less than 10: a service in trouble is not given the rest
 * by its callers' retries.
 */
export function createRetryBudget(now: () => number = Date.now): RetryBudget {
  let slots: { readonly since: number; calls: number; retries: number }[] = [];

  function current() {
    const time = now();
    const last = slots.at(-1);
    if (last !== undefined && last.since > time - slotMs) return last;
    slots = slots.filter((slot) => slot.since > time - windowMs);
    const slot = { since: time, calls: 0, retries: 0 };
    slots.push(slot);
    return slot;
  }

  return {
    countCall() {
      current().calls += 1;
    },
    takeRetry() {
      const slot = current();
      const calls = slots.reduce((sum, { calls }) => sum + calls, 0);
      const retries = slots.reduce((sum, { retries }) => sum + retries, 0);
      if (retries >= Math.max(leastRetries, calls * share)) return false;
      slot.retries += 1;
      return true;
    },
  };
}
