/**
 * Retries inside one call: the wait before each, and the budget of all calls. `failure-table.ts` says which failed attempts
 * may be repeated; `call-in-progress.ts` makes the next attempt.
 */
import type { FailedOutcome } from './failed-outcome.ts';
import { TimeWindow } from './time-window.ts';

/** Attempts beyond the first. */
const maxRetries = 2;

const firstBackoffMs = 200;
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;

/**
 * Returns the wait before the next attempt (ms) and takes a retry from the budget; undefined when no attempt follows.
 * `attempts`: the attempts made. `remainingMs`: the time left for the call.
 */
export function retryDelay(
  { mayRetry, retryAfterMs }: Pick<FailedOutcome, 'mayRetry' | 'retryAfterMs'>,
  attempts: number,
  remainingMs: number,
  budget: RetryBudget,
): number | undefined {
  if (!mayRetry || attempts > maxRetries) return undefined;
  // A random part of 200 ms, then of 400 ms (full jitter), so that callers do not retry together.
  const delayMs = retryAfterMs ?? Math.random() * firstBackoffMs * 2 ** (attempts - 1);
  return delayMs < remainingMs && budget.takeRetry() ? delayMs : undefined;
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, as milliseconds from `now`. Returns undefined
 * for a malformed value and for a date in the past, and at most one day.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, maxRetryAfterMs);
  const date = epochOf(text);
  return date > now ? Math.min(date - now, maxRetryAfterMs) : undefined;
}

/** When a response was sent by the clock of the service, which may differ; without a `Date` by this one (epoch milliseconds). */
export function sentAt(date: string | undefined): number {
  const time = epochOf(date ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}

/** The form of `asctime`, which is always UTC and does not say so. */
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d [\d:]{8} \d{4}$/;

/** The three forms of a date in HTTP (RFC 9110, section 5.6.7); NaN for another text. */
function epochOf(text: string): number {
  if (asctime.test(text)) return Date.parse(`${text} GMT`);
  return /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
}

export type RetryBudget = ReturnType<typeof createRetryBudget>;

const minRetries = 10;
const share = 0.2;

/**
 * Creates a budget of retries: 20 % of the calls of the last 10 seconds, but at least 10, so that retries do not
 * overload a failing service.
 */
export function createRetryBudget() {
  const calls = new TimeWindow();
  const retries = new TimeWindow();
  return {
    /** Counts a call, which adds to the budget. */
    countCall: () => calls.add(),
    /** Takes one retry from the budget. Returns false when none is left. */
    takeRetry() {
      if (retries.sum() >= Math.max(minRetries, calls.sum() * share)) return false;
      retries.add();
      return true;
    },
  };
}
