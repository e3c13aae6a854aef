/** The intervals between the polls of a document follow how long the last documents stayed in the same state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPollIntervals,
  jittered,
  leaseFor,
  type PollIntervals,
  takeOverAfter,
} from '../../src/watch/poll-interval.ts';
import { Random } from '../support/random.ts';

const bounds = { minMs: 2_000, maxMs: 30_000 };
const growing = [2_000, 3_000, 4_500, 6_750, 10_125, 15_187.5, 22_781.25, 30_000, 30_000];

/** Polls a document that leaves its state at `leavesMs`; returns the ages at which it was polled. */
function follow(intervals: PollIntervals, leavesMs: number, state = 'SUBMITTED'): number[] {
  const ages: number[] = [];
  let ageMs = 0;
  let lastMs: number | undefined;
  while (ageMs < leavesMs) {
    const fromMs = ageMs;
    lastMs = intervals.next(state, ageMs, lastMs);
    ageMs += lastMs;
    ages.push(ageMs);
    if (ageMs >= leavesMs) intervals.left(state, fromMs, ageMs);
  }
  return ages;
}

function firstIntervals(intervals: PollIntervals, state: string): number[] {
  const found: number[] = [];
  let ageMs = 0;
  for (const _each of growing) {
    found.push(intervals.next(state, ageMs, found.at(-1)));
    ageMs += found.at(-1) ?? 0;
  }
  return found;
}

/** Half a minute in the median, with a standard deviation of a half in the logarithm. */
function aDuration(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return 25_000 * Math.exp(normal / 2);
}

describe('the interval between polls', () => {
  it('grows by a half from the minimum to the maximum until 100 documents have left the state', () => {
    const intervals = createPollIntervals(bounds);
    const random = new Random('growing');
    for (let document = 0; document < 99; document += 1) {
      expect(firstIntervals(intervals, 'SUBMITTED')).toEqual(growing);
      follow(intervals, aDuration(random));
    }
    follow(intervals, aDuration(random));
    expect(firstIntervals(intervals, 'SUBMITTED')).not.toEqual(growing);
    expect(firstIntervals(intervals, 'QUEUED'), 'another state').toEqual(growing);
  });

  it('sees changes twice as soon as the growing interval, for as many polls', () => {
    const measure = (isAdaptive: boolean) => {
      const intervals = createPollIntervals(bounds);
      const random = new Random('as many polls');
      let polls = 0;
      const delays: number[] = [];
      for (let document = 0; document < 3_000; document += 1) {
        const leavesMs = aDuration(random);
        const ages = follow(intervals, leavesMs, isAdaptive ? 'SUBMITTED' : String(document));
        if (document < 1_000) continue;
        polls += ages.length;
        delays.push((ages.at(-1) ?? 0) - leavesMs);
      }
      delays.sort((a, b) => a - b);
      return { polls, medianMs: delays[1_000] ?? 0, p99Ms: delays[1_980] ?? 0 };
    };
    const adaptive = measure(true);
    const growing = measure(false);
    expect(adaptive.polls / growing.polls).toBeGreaterThan(0.9);
    expect(adaptive.polls / growing.polls).toBeLessThan(1.05);
    expect(adaptive.medianMs).toBeLessThan(growing.medianMs / 2);
    expect(adaptive.p99Ms).toBeLessThan(growing.p99Ms / 2);
  });

  it('waits while no document has left the state, up to the maximum', () => {
    const intervals = createPollIntervals(bounds);
    for (let document = 0; document < 500; document += 1) follow(intervals, 100_000 + 20 * document);
    const [first = 0, second = 0] = firstIntervals(intervals, 'SUBMITTED');
    expect([first, second]).toEqual([bounds.maxMs, bounds.maxMs]);
    const ages = follow(intervals, 105_000);
    expect((ages.at(-1) ?? 0) - 105_000).toBeLessThan(5_000);
  });

  it('follows the last 500 documents', () => {
    const intervals = createPollIntervals(bounds);
    for (let document = 0; document < 1_000; document += 1) follow(intervals, 60_000 + 10 * document);
    expect(firstIntervals(intervals, 'SUBMITTED')[0]).toBeGreaterThan(20_000);
    for (let document = 0; document < 500; document += 1) follow(intervals, 3_000 + 2 * document);
    expect(firstIntervals(intervals, 'SUBMITTED')[0]).toBeLessThan(5_000);
  });

  it.each([
    [4, 12_000],
    [5, 20_000],
  ])('after 40 seconds, which %i documents of 500 have reached, is %i ms', (beyond, intervalMs) => {
    const intervals = createPollIntervals(bounds);
    for (let document = 0; document < 500; document += 1) {
      const leftMs = document < beyond ? 60_000 : 5_000;
      intervals.left('SUBMITTED', leftMs, leftMs);
    }
    expect(intervals.next('SUBMITTED', 40_000, 8_000)).toBe(intervalMs);
    expect(intervals.next('SUBMITTED', 600_000, 25_000), 'none has reached it').toBe(30_000);
  });

  it('expects a document to leave between the ages at which others were polled before and after', () => {
    const intervals = createPollIntervals(bounds);
    for (let document = 0; document < 100; document += 1) intervals.left('SUBMITTED', 10_000, 11_000);
    expect(intervals.next('SUBMITTED', 9_999, 8_000)).toBe(bounds.minMs);
    expect(intervals.next('SUBMITTED', 11_000, 8_000)).toBe(12_000);
  });

  it('is never below the minimum nor above the maximum, whatever the polls have seen', () => {
    const ms = fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(10_000_000));
    const polls = fc.record({ fromMs: ms, lengthMs: ms, times: fc.nat(150) });
    const limits = fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat(60_000));
    fc.assert(
      fc.property(
        limits,
        fc.array(polls, { maxLength: 12 }),
        ms,
        ms,
        ([minMs, moreMs], seen, ageMs, last) => {
          const maxMs = minMs + moreMs;
          const intervals = createPollIntervals({ minMs, maxMs });
          for (const { fromMs, lengthMs, times } of seen)
            for (let each = 0; each < times; each += 1) intervals.left('QUEUED', fromMs, fromMs + lengthMs);
          const lastMs = Math.min(Math.max(last, minMs), maxMs);
          for (const each of [undefined, lastMs]) {
            const next = intervals.next('QUEUED', ageMs, each);
            expect(next).toBeGreaterThanOrEqual(minMs);
            expect(next).toBeLessThanOrEqual(maxMs);
          }
          expect(intervals.afterFailure(lastMs)).toBeLessThanOrEqual(maxMs);
        },
      ),
      { seed: 16_03, numRuns: 60 },
    );
  });
});

it.each([0, 1])(
  'a lease ends after the next poll and before another gateway takes over (random: %i)',
  (random) => {
    expect(Math.abs(jittered(1_000, random) - 1_000)).toBeCloseTo(100);
    expect(jittered(1_000, random)).toBeLessThan(leaseFor(1_000));
    const takenOverMs = jittered(takeOverAfter(leaseFor(1_000)), random);
    expect(takenOverMs).toBeGreaterThan(leaseFor(1_000));
    expect(takenOverMs, 'within two intervals').toBeLessThan(2_000);
  },
);
