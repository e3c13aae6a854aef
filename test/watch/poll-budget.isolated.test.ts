import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lane, Owner } from '../../src/caller.ts';
import { type AcceptedLanes, createAcceptedLanes } from '../../src/shares/accepted-lanes.ts';
import { createPollBudget, type PollBudget } from '../../src/watch/poll-budget.ts';

const perSecond = 20;
const lane = (name: string | number) => `lane-${name}` as Lane;
const callerOf = (lane: Lane) => ({ lane, owner: lane as string as Owner });

let acceptedLanes: AcceptedLanes;
let budget: PollBudget;
let served: string[];
const startBudget = () => {
  acceptedLanes = createAcceptedLanes();
  budget = createPollBudget(perSecond, acceptedLanes);
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
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
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
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });
});
