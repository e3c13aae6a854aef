import { expect, it } from 'vitest';
import { createAdmission } from '../../src/shares/admission.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { isTurnLong } from '../../src/tools/event-loop-turns.ts';
import { holder, sharesWith } from '../support/shares.ts';
import { pass } from '../support/work.ts';

/**
 * Callers whose names begin with `new` are newcomers; the others were accepted before. `room`: requests of size 1 that may wait. `msPerReading`: time that
 * passes until the clock is read again.
 */
function start({ room = 1_000, msPerReading = 2 } = {}) {
  const order: string[] = [];
  const shares = sharesWith({ admission: shareOf('admission', room) });
  const clock = { ms: 1_000_000 };
  const admission = createAdmission(shares, () => {
    clock.ms += msPerReading;
    return clock.ms;
  });
  return {
    admission,
    shares,
    clock,
    order,
    refused: () => order.filter((entry) => entry.includes(':')),
    /** Lets turns of the event loop pass that take so long (ms) each. */
    async turn(ms = 1, turns = 1) {
      for (let passed = 0; passed < turns; passed += 1) {
        clock.ms += ms;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    /** Records the lane when its request starts, and the lane and the bound when it is refused. */
    async request(caller: string, hasDisconnected = () => false, size = 1) {
      if (!caller.startsWith('new')) shares.acceptedLanes.accept(holder(caller));
      try {
        await admission.enter(holder(caller), size, hasDisconnected);
        if (!hasDisconnected()) order.push(caller);
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

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

it('starts eight requests of one turn at once, and the others in the next turns', async () => {
  const { admission, order, request, turn } = start();
  for (const lane of times(17, (at) => `lane ${at}`)) void request(lane);
  await Promise.resolve();
  expect([order.length, admission.waiting()]).toEqual([8, 9]);
  await turn();
  expect([order.length, admission.waiting()]).toEqual([16, 1]);
  await turn();
  expect(order).toEqual(times(17, (at) => `lane ${at}`));
});

it('starts one in each turn while eight that have started wait for the time of the event loop', async () => {
  const { order, request, shares, turn } = start();
  isTurnLong();
  pass(20);
  const waiting = times(12, () => shares.scheduler.waitForTurn(holder('started'))?.then(() => pass(20)));
  for (const lane of times(80, (at) => `lane ${at}`)) void request(lane);
  await Promise.resolve();
  const before = order.length;
  await turn(1, 3);
  expect(order.length - before).toBe(3);
  await Promise.all(waiting);
  await turn();
  const after = order.length;
  await turn();
  expect(order.length - after).toBe(8);
});

it('starts all requests of the first 2 ms of a turn, and no more of one that takes longer', async () => {
  const { order, request, turn } = start({ msPerReading: 0.1 });
  for (const lane of times(100, (at) => `lane ${at}`)) void request(lane);
  await Promise.resolve();
  expect(order.length).toBeGreaterThan(20);
  expect(order.length).toBeLessThan(40);
  await turn();
  expect(order.length).toBeLessThan(50);
});

it('starts nothing more in a turn that has worked for long, and again in the next', async () => {
  const { admission, turn } = start();
  expect(admission.tryStart()).toBe(true);
  pass(20);
  expect(admission.tryStart()).toBe(false);
  await turn();
  expect(admission.tryStart()).toBe(true);
});

it.each([
  [2, 8],
  [10, 3],
  [21, 1],
])('starts what takes %i ms each %i times in a turn: no more after 20 ms', async (ms, starts) => {
  const { admission, clock, order, turn } = start({ msPerReading: 0 });
  const work = () => {
    clock.ms += ms;
    return order.push('a') > 0;
  };
  for (let sent = 0; sent < 20; sent += 1) admission.startLater(holder('a'), work);
  await turn();
  expect(order).toHaveLength(starts);
});

it('gives a lane that sends one request after another no more turns than one with many waiting', async () => {
  const { order, request, turn } = start();
  for (const lane of times(100, () => 'many')) void request(lane);
  const oneByOne = async () => {
    for (const lane of times(100, () => 'one by one')) await request(lane);
  };
  void oneByOne();
  await turn(1, 6);
  expect(order.filter((lane) => lane === 'many').length).toBeGreaterThan(20);
});

it('refuses newcomers first, then busy accepted callers, and no only request of an accepted caller', async () => {
  const { order, refused, request, turn } = start();
  for (const lane of times(200, () => 'busy')) void request(lane);
  for (const at of times(200, (at) => at)) void request(`new ${at}`);
  // Turns that take long.
  await turn(400, 2);
  void request('new last');
  void request('calm');
  void request('busy');
  await turn(1, 2);
  expect(refused()).toEqual(['new last: admission-newcomers']);
  expect(order).toContain('calm');
  await turn(400, 2);
  void request('busy');
  await turn();
  expect(refused().filter((entry) => entry.startsWith('busy'))).toEqual(['busy: admission-owner']);
  for (const lane of times(10, (at) => `calm ${at}`)) void request(lane);
  await turn(400, 420);
  expect(refused().filter((entry) => entry.startsWith('calm'))).toEqual([]);
  expect(refused()).toContain('busy: admission');
  expect(order.length).toBe(414);
});

it('has refused what waits before 2 s have passed since the end of an overload', async () => {
  const { admission, refused, request, turn } = start({ msPerReading: 0.05 });
  for (const lane of times(200, () => 'busy')) void request(lane);
  await turn(425, 4);
  expect(refused()).toEqual([]);
  await turn(100);
  expect(refused()).toContain('busy: admission');
  expect(admission.waiting()).toBeLessThan(2);
});

it('refuses nothing after a stall of the machine, however long', async () => {
  const { order, request, turn } = start();
  for (const at of times(12, (at) => at)) void request(`accepted ${at}`);
  void request('new');
  await turn(60_000);
  void request('calm');
  void request('new');
  await turn(1, 3);
  expect(order).toHaveLength(15);
  expect(order.filter((entry) => entry.includes(':'))).toEqual([]);
});

it('refuses an only request of an accepted caller when all that wait are such, and others before', async () => {
  const { order, refused, request, turn } = start({ room: 100_000 });
  for (const at of times(200, (at) => at)) void request(`accepted ${at}`);
  for (const lane of ['busy', 'busy']) void request(lane);
  await turn(400, 17);
  for (const lane of ['new', 'calm 1', 'calm 2', 'calm 3']) void request(lane);
  await turn();
  expect(refused().sort()).toEqual(['busy: admission', 'calm 3: admission', 'new: admission-newcomers']);
  await turn(1, 100);
  expect(order).toContain('calm 2');
});

it('starts messages alternately with requests, in turn by caller, and refuses none however long they wait', async () => {
  const { admission, order, request, turn } = start();
  while (admission.tryStart()) order.push('at once');
  const message = (caller: string) =>
    admission.startLater(holder(caller), () => order.push(`message of ${caller}`) > 0);
  for (let sent = 0; sent < 20; sent += 1) for (const caller of ['new', 'new', 'other']) message(caller);
  for (let at = 0; at < 4; at += 1) void request(`calm ${at}`);
  expect(order).toEqual(Array(8).fill('at once'));
  await turn();
  expect(order.slice(8)).toEqual([
    ...['message of new', 'message of other', 'message of new', 'message of other'],
    ...['calm 0', 'calm 1', 'calm 2', 'calm 3'],
  ]);
  await turn(400, 70);
  expect(order.filter((entry) => entry === 'message of new')).toHaveLength(40);
  expect(order.filter((entry) => entry === 'message of other')).toHaveLength(20);
  expect(admission.waiting()).toBe(0);
});

it('refuses as many requests as make room for a larger one that is the only one of an accepted caller', async () => {
  const { admission, order, refused, request, turn } = start({ room: 20 });
  for (const at of times(30, (at) => at)) void request(`new ${at}`);
  await Promise.resolve();
  const before = refused().length;
  expect(admission.waiting()).toBe(10);
  // The last eighth, 2, is kept for smaller ones: 6 of the 10 can stay.
  void request('calm', () => false, 12);
  await Promise.resolve();
  expect(refused().slice(before)).toEqual(
    Array(4).fill(expect.stringMatching(/^new .*: admission-newcomers$/)),
  );
  await turn(1, 10);
  expect(order).toContain('calm');
});

it('skips requests whose caller is gone, 256 in a turn up to the last, and holds nothing for them', async () => {
  const { admission, order, request, turn } = start({ room: 10_000, msPerReading: 0.01 });
  let areGone = false;
  while (admission.waiting() < 512) void request('left', () => areGone);
  void request('stayed');
  await Promise.resolve();
  areGone = true;
  order.length = 0;
  for (const waiting of [257, 1, 0]) {
    await turn();
    expect([order, admission.waiting()]).toEqual([['stayed'], waiting]);
  }
});

it('refuses what its memory has no room for until others have started, and starts everything at once when nothing waits', async () => {
  const { admission, order, request, refused, turn } = start({ room: 8 });
  const refusedOf = async (sent: number) => {
    order.length = 0;
    for (const lane of times(sent, () => 'a')) void request(lane);
    await turn(1, 3);
    return refused();
  };
  const first = await refusedOf(15);
  expect(first).toContain('a: admission-owner');
  expect(await refusedOf(15)).toEqual(first);
  expect(admission.enter(holder('b'), 1, () => false)).toBeUndefined();
});
