import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadline } from '../../src/upstream/call/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  [1_000, {}],
  [600, { elapsedMs: 400 }],
])('a deadline of 1,000 ms expires after %i ms with the options %j', (remainingMs, options) => {
  const deadline = new Deadline(1_000, options);
  expect(deadline.remainingMs()).toBe(remainingMs);
  vi.advanceTimersByTime(remainingMs - 1);
  expect(deadline.remainingMs()).toBe(1);
  expect(deadline.hasExpired()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.hasExpired()).toBe(true);
});

it('a paused deadline has its time left until it is resumed', () => {
  const deadline = new Deadline(1_000, { elapsedMs: 400, paused: true });
  vi.advanceTimersByTime(2_000);
  expect(deadline.remainingMs()).toBe(600);
  deadline.resume();
  vi.advanceTimersByTime(500);
  // The clock runs already.
  deadline.resume();
  expect(deadline.remainingMs()).toBe(100);
});

it('a deadline that is over before it starts has expired at once, a paused one when it is resumed', () => {
  expect(new Deadline(1_000, { elapsedMs: 1_000 }).hasExpired()).toBe(true);
  const paused = new Deadline(1_000, { elapsedMs: 1_200, paused: true });
  expect(paused.aborted).toBe(false);
  paused.resume();
  expect(paused.hasExpired()).toBe(true);
});
