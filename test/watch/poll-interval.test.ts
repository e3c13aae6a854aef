/** The intervals between the polls of a document follow how long other documents stay in the same state. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { Owner } from '../../src/caller.ts';
import { LifeTable } from '../../src/watch/life-table.ts';
import {
  growingInterval,
  handOverLease,
  jittered,
  leaseFor,
  nextInterval,
  takeOverAfter,
} from '../../src/watch/poll-interval.ts';
import { fc } from '../support/fast-check.ts';
import { Random } from '../support/random.ts';

const bounds = { pollMinMs: 2_000, pollMaxMs: 30_000 };
const growing = [2_000, 3_000, 4_500, 6_750, 10_125, 15_187.5, 22_781.25, 30_000, 30_000];

let table: LifeTable;
beforeEach(() => {
  table = new LifeTable(0);
});

const interval = (ageMs: number, lastMs?: number) => nextInterval(bounds, table.usual, ageMs, lastMs);

/** Documents of different owners that leave the state between two polls at these ages. */
function leave(count: number, fromMs: number, toMs = fromMs): void {
  for (let document = 0; document < count; document += 1) {
    table.begin(String(document) as Owner, 0);
    table.stayed(0, fromMs);
    table.left(fromMs, toMs, 0);
  }
}

/** Polls a document that leaves its state at `leavesMs`; returns the ages at which it was polled. */
function follow(leavesMs: number, next = interval): number[] {
  table.begin(String(leavesMs) as Owner, 0);
  const ages: number[] = [];
  let [fromMs, lastMs] = [0, next(0)];
  while (fromMs + lastMs < leavesMs) {
    table.stayed(fromMs, fromMs + lastMs);
    fromMs += lastMs;
    ages.push(fromMs);
    lastMs = next(fromMs, lastMs);
  }
  table.left(fromMs, fromMs + lastMs, 0);
  return [...ages, fromMs + lastMs];
}

function firstIntervals(): number[] {
  const found: number[] = [];
  let ageMs = 0;
  for (const _each of growing) {
    found.push(interval(ageMs, found.at(-1)));
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
    const random = new Random('growing');
    for (let document = 0; document < 99; document += 1) {
      expect(firstIntervals()).toEqual(growing);
      follow(aDuration(random));
    }
    follow(aDuration(random));
    expect(firstIntervals()).not.toEqual(growing);
  });

  it('shows changes twice as soon as the growing interval, for as many polls', () => {
    const measure = (next: typeof interval) => {
      table = new LifeTable(0);
      const random = new Random('as many polls');
      let polls = 0;
      const delays: number[] = [];
      for (let document = 0; document < 1_500; document += 1) {
        const leavesMs = aDuration(random);
        const ages = follow(leavesMs, next);
        if (document < 500) continue;
        polls += ages.length;
        delays.push((ages.at(-1) ?? 0) - leavesMs);
      }
      delays.sort((a, b) => a - b);
      return { polls, medianMs: delays[500] ?? 0, p99Ms: delays[990] ?? 0 };
    };
    const followed = measure(interval);
    const grown = measure((_ageMs, lastMs) => growingInterval(bounds, lastMs));
    expect(followed.polls / grown.polls).toBeGreaterThan(0.9);
    expect(followed.polls / grown.polls).toBeLessThan(1.08);
    expect(followed.medianMs).toBeLessThan(grown.medianMs / 2);
    expect(followed.p99Ms).toBeLessThan(grown.p99Ms / 2);
  });

  it('grows at an age that fewer than five documents have reached', () => {
    leave(496, 5_000);
    leave(4, 60_000);
    expect(interval(40_000, 8_000)).toBe(12_000);
    table = new LifeTable(0);
    leave(495, 5_000);
    leave(5, 60_000);
    expect(40_000 + interval(40_000, 8_000)).toBeGreaterThanOrEqual(60_000);
    expect(40_000 + interval(40_000, 8_000)).toBeLessThan(1.05 * 60_000);
    expect(interval(600_000, 25_000), 'none has reached it').toBe(30_000);
  });

  it('follows when documents leave between two polls, not when polls show it', () => {
    leave(100, 10_000, 30_000);
    const ages = follow(1_000_000).slice(0, 6);
    expect(ages[0]).toBeGreaterThan(10_000);
    expect(ages[0]).toBeLessThan(15_000);
    expect(ages[5]).toBeLessThan(30_000);
  });

  it('is never below the minimum nor above the maximum, whatever the polls have shown', () => {
    const ms = fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(10_000_000));
    const polls = fc.record({ fromMs: ms, lengthMs: ms, times: fc.nat(150) });
    const limits = fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat(60_000));
    fc.assert(
      fc.property(
        limits,
        fc.array(polls, { maxLength: 12 }),
        ms,
        ms,
        ([pollMinMs, moreMs], seen, ageMs, last) => {
          const pollMaxMs = pollMinMs + moreMs;
          table = new LifeTable(0);
          for (const { fromMs, lengthMs, times } of seen) leave(times, fromMs, fromMs + lengthMs);
          const lastMs = Math.min(Math.max(last, pollMinMs), pollMaxMs);
          for (const each of [undefined, lastMs]) {
            const next = nextInterval({ pollMinMs, pollMaxMs }, table.usual, ageMs, each);
            expect(next).toBeGreaterThanOrEqual(pollMinMs);
            expect(next).toBeLessThanOrEqual(pollMaxMs);
          }
          expect(growingInterval({ pollMinMs, pollMaxMs }, lastMs)).toBeLessThanOrEqual(pollMaxMs);
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
    expect(takeOverAfter(handOverLease(1_000)), 'one that is handed over').toBeCloseTo(jittered(1_000, 0));
  },
);
