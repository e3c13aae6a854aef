import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdmission } from '../../src/shares/admission.ts';
import { shareOf } from '../../src/shares/share.ts';
import { aShares, holder } from '../support/shares.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Callers whose names begin with `new` are newcomers; the others were accepted before. `room`: requests that may wait. */
function start(room = 1_000) {
  const order: string[] = [];
  const shares = aShares();
  const admission = createAdmission(shareOf('admission', room), shares);
  return {
    admission,
    order,
    /** Records the lane when its request starts, and the lane and the bound when it is refused. */
    async request(caller: string, isGone = () => false) {
      if (!caller.startsWith('new')) shares.acceptedLanes.accept(holder(caller));
      try {
        await admission.enter(holder(caller), 1, isGone);
        if (!isGone()) order.push(caller);
      } catch (error) {
        order.push(`${caller}: ${(error as { bound: string }).bound}`);
        expect(error).toMatchObject({
          code: 'RATE_LIMITED',
          sideEffect: 'NONE',
          retryable: true,
          retryAfterMs: 1_000,
          httpStatus: 503,
        });
      }
    },
  };
}

/** Lets one turn of the event loop pass that takes so long (ms). */
async function turn(ms = 1) {
  vi.advanceTimersByTime(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

it('starts eight requests of one turn at once, and the others in the next turns', async () => {
  const { admission, order, request } = start();
  for (const lane of times(20, (at) => `lane ${at}`)) void request(lane);
  await Promise.resolve();
  expect([order.length, admission.waiting()]).toEqual([8, 12]);
  await turn();
  expect([order.length, admission.waiting()]).toEqual([16, 4]);
  await turn();
  expect(order).toEqual(times(20, (at) => `lane ${at}`));
});

it('starts the request of a calm lane before those that wait in a busy one', async () => {
  const { order, request } = start();
  for (const lane of times(40, () => 'busy')) void request(lane);
  await turn();
  void request('calm');
  await turn();
  expect(order.indexOf('calm')).toBeLessThan(18);
});

it('gives a lane that sends one request after another no more turns than one with many waiting', async () => {
  const { order, request } = start();
  for (const lane of times(100, () => 'many')) void request(lane);
  const oneByOne = async () => {
    for (const lane of times(100, () => 'one by one')) await request(lane);
  };
  void oneByOne();
  for (const _ of times(6, () => 0)) await turn();
  expect(order.filter((lane) => lane === 'many').length).toBeGreaterThan(20);
});

it('refuses newcomers before accepted lanes, and a busy lane before a calm one', async () => {
  const { order, request } = start();
  for (const lane of times(30, () => 'busy')) void request(lane);
  for (const at of times(30, (at) => at)) void request(`new ${at}`);
  // Turns that take very long.
  await turn(900);
  void request('new last');
  void request('accepted');
  void request('busy');
  await turn(900);
  void request('busy');
  await turn(1);
  const refused = order.filter((entry) => entry.includes(':'));
  expect(refused).toContain('new last: admission-newcomers');
  expect(refused).toContain('busy: admission-owner');
  expect(order).toContain('accepted');
  for (const _ of times(10, () => 0)) await turn(900);
  expect(order.filter((entry) => entry.includes('new') && !entry.includes(':')).length).toBeLessThan(20);
  expect(order.length).toBe(64);
});

it('skips requests whose caller is gone, and holds nothing for them', async () => {
  const { admission, order, request } = start();
  let areGone = false;
  for (const lane of times(8, () => 'a')) void request(lane);
  for (const lane of times(100, () => 'left')) void request(lane, () => areGone);
  void request('stayed');
  areGone = true;
  await turn();
  expect(order.slice(8)).toEqual(['stayed']);
  expect(admission.waiting()).toBe(0);
});

it('refuses what its memory has no room for, and starts everything at once when nothing waits', async () => {
  const { admission, order, request } = start(8);
  for (const lane of times(11, () => 'a')) void request(lane);
  await Promise.resolve();
  expect(order).toContain('a: admission-owner');
  await turn();
  await turn();
  expect(admission.enter(holder('b'), 1, () => false)).toBeUndefined();
});
