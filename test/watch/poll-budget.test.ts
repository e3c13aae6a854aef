import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lane, Owner } from '../../src/caller.ts';
import { type AcceptedLanes, createAcceptedLanes } from '../../src/shares/accepted-lanes.ts';
import type { FleetPollBudget } from '../../src/state/fleet-poll-budget.ts';
import type { Clock } from '../../src/watch/clock.ts';
import { createPollBudget, type PollBudget } from '../../src/watch/poll-budget.ts';
import { fc } from '../support/fast-check.ts';
import { countingClock } from '../support/watched-parcels.ts';

const perSecond = 20;
const lane = (name: string | number) => `lane-${name}` as Lane;
const callerOf = (lane: Lane) => ({ lane, owner: lane as string as Owner });

let acceptedLanes: AcceptedLanes;
let budget: PollBudget;
let served: string[];
let counting: ReturnType<typeof countingClock>;
const startBudget = (fleet?: FleetPollBudget, ...accepted: string[]) => {
  acceptedLanes = createAcceptedLanes();
  for (const name of accepted) acceptedLanes.accept(callerOf(lane(name)));
  counting = countingClock();
  budget = createPollBudget(perSecond, acceptedLanes, counting.clock, fleet);
  served = [];
};
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  startBudget();
});
afterEach(() => vi.useRealTimers());

const schedule = (name: string, of: Lane = lane(name)) =>
  budget.schedule(callerOf(of), () => void served.push(name));

describe('the poll budget', () => {
  it('serves an accepted caller immediately next to a thousand invented credentials', async () => {
    acceptedLanes.accept(callerOf(lane('honest')));
    for (let index = 0; index < 1_000; index += 1) schedule('crowd', lane(index));
    for (let poll = 0; poll < 20; poll += 1) {
      const before = served.length;
      schedule('honest');
      await vi.advanceTimersByTimeAsync(200);
      expect(served.slice(before).indexOf('honest')).toBeGreaterThanOrEqual(0);
      expect(served.slice(before).indexOf('honest')).toBeLessThanOrEqual(1);
    }
  });

  it('gives unaccepted callers all polls while no other needs them, at most at its rate', async () => {
    for (let index = 0; index < 1_000; index += 1) schedule('crowd', lane(index));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(served.length).toBeGreaterThanOrEqual(perSecond * 10);
    expect(served.length).toBeLessThanOrEqual(perSecond * 11);
  });

  it('of one poll a second polls once a second, although each timer ends a millisecond early', async () => {
    const { clock } = counting;
    const early: Clock = { ...clock, after: (ms, run) => clock.after(ms - 1, run) };
    const slow = createPollBudget(1, acceptedLanes, early);
    for (let index = 0; index < 100; index += 1)
      slow.schedule(callerOf(lane('crowd')), () => void served.push('crowd'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(served.length).toBeGreaterThanOrEqual(58);
    expect(served.length).toBeLessThanOrEqual(61);
  });

  it('serves waiting polls of a caller as accepted once the service accepts it', async () => {
    for (let index = 0; index < 1_000; index += 1) schedule('crowd', lane(index));
    for (let poll = 0; poll < 10; poll += 1) schedule('honest');
    acceptedLanes.accept(callerOf(lane('honest')));
    const before = served.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(served.slice(before).filter((name) => name === 'honest').length).toBeGreaterThanOrEqual(9);
  });

  it('serves every poll once unless it was cancelled, at most at its rate, and leaves no timer behind', async () => {
    const step = fc.record({
      lane: fc.nat(4),
      accepts: fc.option(fc.nat(4), { nil: undefined }),
      afterMs: fc.integer({ min: 0, max: 300 }),
      cancels: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
        startBudget();
        const startedAt = Date.now();
        const expected: string[] = [];
        for (const [index, { lane: of, accepts, afterMs, cancels }] of steps.entries()) {
          if (accepts !== undefined) acceptedLanes.accept(callerOf(lane(accepts)));
          const cancel = schedule(String(index), lane(of));
          await vi.advanceTimersByTimeAsync(afterMs);
          if (cancels) cancel();
          if (!cancels || served.includes(String(index))) expected.push(String(index));
          const seconds = (Date.now() - startedAt) / 1_000;
          expect(served.length).toBeLessThanOrEqual(perSecond * (1 + seconds));
        }
        await vi.advanceTimersByTimeAsync(60_000);
        expect([...served].sort()).toEqual(expected.sort());
        expect(counting.timers.size).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a gateway with a budget of the fleet', () => {
  /** A budget of the fleet with this many polls left; undefined: unreachable. */
  const aFleet = (left: number | undefined) => ({
    left,
    calls: [] as { wanted: number; callers: number }[],
    async take(wanted: number, callers: number) {
      this.calls.push({ wanted, callers });
      if (this.left === undefined) return undefined;
      const taken = Math.min(wanted, this.left);
      this.left -= taken;
      return taken;
    },
  });

  it('polls as often as it has taken from the fleet, with the callers in turn', async () => {
    const fleet = aFleet(6);
    startBudget(fleet, 'a', 'b', 'c');
    for (const name of ['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c']) schedule(name);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(served.slice(0, 4).sort()).toEqual(['a', 'a', 'b', 'c']);
    expect(served).toHaveLength(6);
    expect(fleet.calls[0]).toEqual({ wanted: 1, callers: 1 });
    expect(Math.max(...fleet.calls.map(({ callers }) => callers))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...fleet.calls.map(({ wanted }) => wanted)), 'a tenth of a second').toBe(2);
  });

  it.each([
    [1, []],
    [4, ['honest', 'another']],
  ])(
    'requests a share for %i callers with a thousand invented credentials and the accepted callers %j',
    async (callers, accepted) => {
      const fleet = aFleet(0);
      startBudget(fleet, ...accepted);
      for (let name = 0; name < 1_000; name += 1) schedule(String(name));
      for (const name of accepted) schedule(name);
      await vi.advanceTimersByTimeAsync(200);
      expect(fleet.calls[0]?.callers).toBe(1);
      expect(Math.max(...fleet.calls.map(({ callers }) => callers))).toBe(callers);
    },
  );

  it('requests one batch at a time', async () => {
    let requests = 0;
    startBudget({
      take() {
        requests += 1;
        return new Promise(() => {});
      },
    });
    for (let name = 0; name < 5; name += 1) schedule(String(name));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toBe(1);
  });

  it('does not run a poll that was cancelled while it asked, and gives its turn to another', async () => {
    startBudget(aFleet(100));
    const cancel = schedule('a');
    cancel();
    schedule('b');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(served).toEqual(['b']);
    expect(counting.timers.size).toBe(0);
  });

  it('polls within its own budget while the fleet is unreachable, and with the fleet again afterwards', async () => {
    const fleet = aFleet(undefined);
    startBudget(fleet);
    for (let poll = 0; poll < 200; poll += 1) schedule(`caller ${poll % 7}`);
    await vi.advanceTimersByTimeAsync(0);
    expect(served.length, 'nothing waits for the fleet').toBe(perSecond);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(served.length).toBeGreaterThanOrEqual(3.5 * perSecond);
    expect(served.length).toBeLessThanOrEqual(4 * perSecond);
    expect(fleet.calls.length, 'asks about once a second').toBeLessThanOrEqual(4);
    fleet.left = 0;
    await vi.advanceTimersByTimeAsync(1_100);
    const before = served.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(served.length, 'the fleet has nothing left').toBe(before);
    fleet.left = 1_000;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(served.length).toBe(200);
    expect(counting.timers.size).toBe(0);
  });
});
