/** One budget of polls for all gateways: in Redis, and at a gateway that takes batches of it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lane, Owner } from '../../src/caller.ts';
import { createAcceptedLanes } from '../../src/shares/accepted-lanes.ts';
import { createFleetBudget, type FleetBudget } from '../../src/state/fleet-budget.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createPollBudget } from '../../src/watch/poll-budget.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { fleetSecret, hasRedis } from '../support/redis.ts';

const redis = await redisForFile();
const perSecond = 20;
const lane = (name: string | number) => `lane-${name}` as Lane;
const callerOf = (lane: Lane) => ({ lane, owner: lane as string as Owner });

describe('a gateway with a budget of the fleet', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => vi.useRealTimers());

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

  function aBudget(fleet: FleetBudget, ...accepted: string[]) {
    const served: string[] = [];
    const acceptedLanes = createAcceptedLanes();
    for (const name of accepted) acceptedLanes.accept(callerOf(lane(name)));
    const budget = createPollBudget(perSecond, acceptedLanes, undefined, fleet);
    const schedule = (name: string) => budget.schedule(callerOf(lane(name)), () => void served.push(name));
    return { served, schedule };
  }

  it('polls as often as it has taken from the fleet, with the callers in turn', async () => {
    const fleet = aFleet(6);
    const { served, schedule } = aBudget(fleet, 'a', 'b', 'c');
    for (const name of ['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c']) schedule(name);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(served.slice(0, 4).sort()).toEqual(['a', 'a', 'b', 'c']);
    expect(served).toHaveLength(6);
    expect(fleet.calls[0]).toEqual({ wanted: 1, callers: 1 });
    expect(Math.max(...fleet.calls.map(({ callers }) => callers))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...fleet.calls.map(({ wanted }) => wanted)), 'a tenth of a second').toBe(2);
  });

  it('requests no larger share for a thousand invented credentials than for its accepted callers', async () => {
    const fleet = aFleet(0);
    const { schedule } = aBudget(fleet, 'honest', 'another');
    for (let name = 0; name < 1_000; name += 1) schedule(String(name));
    schedule('honest');
    schedule('another');
    await vi.advanceTimersByTimeAsync(200);
    expect(fleet.calls[0]?.callers).toBe(1);
    expect(Math.max(...fleet.calls.map(({ callers }) => callers))).toBe(4);
  });

  it('requests nothing while no poll is due, and leaves no timer behind', async () => {
    const fleet = aFleet(100);
    const { served, schedule } = aBudget(fleet);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fleet.calls).toEqual([]);
    schedule('a');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(served).toEqual(['a']);
    expect(fleet.left).toBe(99);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not run a poll that was cancelled while it asked, and gives its turn to another', async () => {
    const { served, schedule } = aBudget(aFleet(100));
    const cancel = schedule('a');
    cancel();
    schedule('b');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(served).toEqual(['b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('polls within its own budget while the fleet is unreachable, and with the fleet again afterwards', async () => {
    const fleet = aFleet(undefined);
    const { served, schedule } = aBudget(fleet);
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
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.skipIf(!hasRedis())('a budget in Redis', { timeout: 60_000 }, () => {
  const log = createLog({ level: 'silent', production: true });
  const connect = async () => forTest(await connectRedis(redis.url, fleetSecret, log));

  it('gives all gateways together a second’s polls at once, then the rate', async () => {
    const startedAt = performance.now();
    const shared = await connect();
    const gateways = Array.from({ length: 4 }, () => createFleetBudget(shared, 'rate', 200));
    let taken = 0;
    for (let round = 0; round < 100; round += 1)
      for (const gateway of gateways) taken += (await gateway.take(50, 1)) ?? 0;
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(taken).toBeGreaterThanOrEqual(190);
    expect(taken).toBeLessThanOrEqual(200 + 200 * seconds + 1);
  });

  it('divides what is left by the callers that wait at each gateway', async () => {
    const many = createFleetBudget(await connect(), 'callers', 100);
    const few = createFleetBudget(await connect(), 'callers', 100);
    const taken = { many: 0, few: 0 };
    await many.take(0, 9);
    await few.take(0, 1);
    for (let round = 0; round < 3; round += 1) {
      taken.few += (await few.take(100, 1)) ?? 0;
      taken.many += (await many.take(100, 9)) ?? 0;
    }
    expect(taken.few).toBeLessThan(30);
    expect(taken.many).toBeGreaterThan(60);
    expect((await few.take(0, 1)) ?? 1, 'nothing is taken for nothing').toBe(0);
  });

  it('gives everything to a gateway at which alone callers wait', async () => {
    const alone = createFleetBudget(await connect(), 'alone', 100);
    expect(await alone.take(60, 1)).toBe(60);
    expect(await alone.take(1_000, 3)).toBeGreaterThanOrEqual(40);
  });

  it('is unreachable, without an error, while Redis is away', async () => {
    const budget = createFleetBudget(await connect(), 'away', 100);
    await redis.stop();
    expect(await budget.take(1, 1)).toBeUndefined();
    await redis.start();
    await vi.waitFor(async () => expect(await budget.take(1, 1)).toBe(1), { timeout: 20_000, interval: 20 });
  });
});
