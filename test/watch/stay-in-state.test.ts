/** How long values usually stay in a state, from those that were watched. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Holder, Lane, Owner } from '../../src/caller.ts';
import { type AcceptedLanes, createAcceptedLanes } from '../../src/shares/accepted-lanes.ts';
import { LifeTable, type UsualStay } from '../../src/watch/life-table.ts';
import { createStays, type Stay, type Stays } from '../../src/watch/stay-in-state.ts';
import { fc } from '../support/fast-check.ts';
import { Random } from '../support/random.ts';

const seconds = 1_000;
let now: number;
let accepted: AcceptedLanes;
let stays: Stays;
beforeEach(() => {
  now = 0;
  accepted = createAcceptedLanes();
  stays = createStays(accepted, { now: () => now, after: () => () => {} });
});

/** A caller whose credentials the service has accepted. */
function caller(name: string | number): Holder {
  const holder = stranger(name);
  accepted.accept(holder);
  return holder;
}

function stranger(name: string | number): Holder {
  return { lane: `lane ${name}` as Lane, owner: `owner ${name}` as Owner };
}

const callers = (index: number) => ({ holder: caller(index) });

interface Visit {
  readonly holder?: Holder;
  readonly state?: string;
  readonly isFirst?: boolean;
}

function begin({ holder = caller('alice'), state = 'SUBMITTED', isFirst = false }: Visit = {}): Stay {
  return stays.begin(holder, state, isFirst);
}

/** Values that enter the state now and leave it after these times (ms), which polls each second see. */
function leaveAfter(durations: readonly number[], visit: (index: number) => Visit = () => ({})): void {
  const begunAt = now;
  let open = durations.map((durationMs, index) => ({
    endsAt: begunAt + durationMs,
    stay: begin(visit(index)),
  }));
  while (open.length > 0) {
    now += seconds;
    open = open.filter(({ endsAt, stay }) => {
      if (endsAt > now) stay.stayedUntil(now);
      else stay.endedBy(now);
      return endsAt > now;
    });
  }
}

/** As many durations, from half of this one to one and a half. */
function around(ms: number, count: number): number[] {
  const random = new Random('around', ms);
  return Array.from({ length: count }, () => ms * (0.5 + random.next()));
}

const usual = (visit: Visit = {}) => begin(visit).seen.usual;
/** The ages at which half and 19 of 20 have left. */
const likelyMs = (usual: UsualStay | undefined) => usual?.leftBy(0.5, 0);
const atLatestMs = (usual: UsualStay | undefined) => usual?.leftBy(0.95, 0);

describe('the usual stay', () => {
  it('is not known until 100 values have left the state, and rests on all of them', () => {
    leaveAfter(around(30 * seconds, 99));
    expect(usual()).toBeUndefined();
    leaveAfter([30 * seconds]);
    expect(usual()).toMatchObject({ basis: 100 });
    expect(likelyMs(usual())).toBeGreaterThan(28 * seconds);
    expect(likelyMs(usual())).toBeLessThan(32 * seconds);
    expect(atLatestMs(usual())).toBeGreaterThan(41 * seconds);
    expect(atLatestMs(usual())).toBeLessThan(46 * seconds);
  });

  it('knows the age by which 19 of 20 have left once they have, also if 100 had left before them', () => {
    leaveAfter(Array.from({ length: 120 }, (_, index) => (index < 20 ? 9 : 5) * seconds));
    expect(atLatestMs(usual())).toBeGreaterThan(8 * seconds);
  });

  it('of one state says nothing about another, nor about values whose state began before they were watched', () => {
    leaveAfter(around(30 * seconds, 100));
    expect(usual({ state: 'QUEUED' })).toBeUndefined();
    expect(usual({ isFirst: true })).toBeUndefined();
    leaveAfter(around(5 * seconds, 100), () => ({ isFirst: true }));
    expect(atLatestMs(usual({ isFirst: true }))).toBeLessThan(8.1 * seconds);
    expect(atLatestMs(usual())).toBeGreaterThan(40 * seconds);
  });

  it('counts values that nobody watches any more for as long as they were watched', () => {
    // Half of the subscribers leave after 20 seconds, before most values change.
    const begunAt = now;
    const left = Array.from({ length: 200 }, () => begin());
    for (const stay of left.splice(100)) stay.stayedUntil(begunAt + 20 * seconds);
    for (const [index, durationMs] of around(40 * seconds, 100)
      .sort((a, b) => a - b)
      .entries()) {
      now = begunAt + durationMs;
      left[index]?.stayedUntil(now - 1);
      left[index]?.endedBy(now);
    }
    expect(likelyMs(usual())).toBeGreaterThan(35 * seconds);
    expect(atLatestMs(usual())).toBeGreaterThan(53 * seconds);
  });

  it('ends at the age that enough values have become, while they stay longer than before', () => {
    leaveAfter(around(10 * seconds, 200), callers);
    now += 120 * seconds;
    leaveAfter(around(10 * seconds, 100), callers);
    expect(atLatestMs(usual())).toBeDefined();
    // Of 200 values only 60 leave in each period, and all others are still in the state.
    for (let period = 0; period < 4; period += 1) {
      now += 120 * seconds;
      const begunAt = now;
      const stuck = Array.from({ length: 200 }, (_, index) =>
        begin({ holder: caller(`${period} ${index}`) }),
      );
      now += 10 * seconds;
      for (const stay of stuck) stay.stayedUntil(now);
      for (const stay of stuck.slice(0, 60)) stay.endedBy(now);
      now = begunAt + 120 * seconds;
      begin();
    }
    expect([likelyMs(usual()), atLatestMs(usual())]).toEqual([undefined, undefined]);
  });

  it('changes with 50 values at once, so that it shows no single value of another caller', () => {
    const bob = () => ({ holder: caller('bob') });
    leaveAfter(around(30 * seconds, 100));
    let shown = usual();
    for (let time = 0; time < 3; time += 1) {
      leaveAfter(around(90 * seconds, 49), bob);
      now += 600 * seconds;
      expect(usual()).toBe(shown);
      leaveAfter([90 * seconds], bob);
      expect(usual()).not.toBe(shown);
      shown = usual();
    }
  });

  it('does not follow one caller with any number of values', () => {
    const honest = around(30 * seconds, 2_000);
    leaveAfter(
      Array.from({ length: 4_000 }, (_, index) => (index % 2 === 0 ? (honest[index / 2] as number) : 1)),
      (index) => ({ holder: caller(index % 2 === 0 ? `honest ${(index / 2) % 100}` : 'mallory') }),
    );
    expect(usual()?.basis).toBeLessThan(4_000);
    expect(likelyMs(usual())).toBeGreaterThan(26 * seconds);
  });

  it('is not affected by callers that the service has not accepted', () => {
    leaveAfter(around(30 * seconds, 100));
    const shown = usual();
    now += 120 * seconds;
    leaveAfter(Array(5_000).fill(1), (index) => ({ holder: stranger(index) }));
    expect(usual()).toBe(shown);
    expect(usual({ holder: stranger('new') }), 'the same for newcomers').toBe(shown);
  });

  it('rests on newcomers for newcomers alone, while too few others are known', () => {
    leaveAfter(around(30 * seconds, 100), (index) => ({ holder: stranger(index % 3) }));
    expect(usual({ holder: stranger('new') })).toMatchObject({ basis: 100 });
    expect(usual()).toBeUndefined();
    leaveAfter(around(3 * seconds, 100));
    expect(likelyMs(usual({ holder: stranger('new') }))).toBeLessThan(4.1 * seconds);
  });
});

describe('a life table', () => {
  let table: LifeTable;
  beforeEach(() => {
    table = new LifeTable(0);
  });

  /** A value of this owner is seen at each of these ages (ms). */
  function see(ages: readonly number[], name: number): void {
    table.begin(stranger(name).owner, 0);
    for (const [at, ageMs] of ages.entries()) table.stayed(ages[at - 1] ?? 0, ageMs);
  }

  /** Values that are seen at these ages (ms), and left at the last one. */
  function leave(values: readonly (readonly number[])[]): void {
    for (const [name, ages] of values.entries()) {
      see(ages, name);
      const leftMs = ages.at(-1) as number;
      table.left(leftMs, leftMs, 0);
    }
  }

  it('shows when a half and 19 of 20 have left, to a twentieth, however often they were polled', () => {
    const age = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.nat(10_000), fc.nat(80_000_000));
    const value = fc.array(age, { minLength: 1, maxLength: 5 }).map((ages) => ages.sort((a, b) => a - b));
    const values = fc
      .constantFrom(100, 150, 200)
      .chain((count) => fc.array(value, { minLength: count, maxLength: count }));
    fc.assert(
      fc.property(values, (ages) => {
        table = new LifeTable(0);
        leave(ages);
        expect(table.usual?.basis).toBe(ages.length);
        for (const [share, ms = 0] of [
          [0.5, likelyMs(table.usual)],
          [0.95, atLatestMs(table.usual)],
        ] as const) {
          const leftBy = (limit: number) => ages.filter((seen) => (seen.at(-1) as number) <= limit).length;
          expect(leftBy(ms * 1.0001)).toBeGreaterThanOrEqual(share * ages.length);
          expect(ms > 100 ? leftBy(ms / 1.0501) : 0).toBeLessThanOrEqual(share * ages.length);
        }
      }),
      { seed: 20_310_409, numRuns: 30 },
    );
  });

  it('shows no age by which 19 of 20 have left while more than 5 of 100 stay for longer than a day', () => {
    for (let value = 0; value < 10; value += 1) see([48 * 3_600 * seconds], value);
    leave(Array(100).fill([seconds]));
    expect(atLatestMs(table.usual)).toBeUndefined();
    leave(Array(100).fill([seconds]));
    expect(atLatestMs(table.usual)).toBeDefined();
  });

  it('counts at most 200 values of one owner and 4,000 of all in two minutes', () => {
    const counted = (count: number, name: (value: number) => string, at: number) =>
      Array.from({ length: count }, (_, value) => table.begin(stranger(name(value)).owner, at)).filter(
        Boolean,
      ).length;
    for (const at of [0, 120 * seconds]) {
      expect(counted(300, () => 'one', at)).toBe(200);
      expect(counted(5_000, String, at + 120 * seconds - 1)).toBe(3_800);
    }
  });
});
