/** Holdings that wait for others before a bound is reached, so that none has to be dropped. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { TurnTakingBudget } from '../../src/shares/turn-taking-budget.ts';
import { fc } from '../support/fast-check.ts';
import { aShares, holder } from '../support/shares.ts';
import { leastCpuMs } from '../support/work.ts';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] }),
);
afterEach(() => {
  // Nothing that other tests of the process would wait for stays scheduled.
  nextTurn();
  vi.useRealTimers();
});

/** A budget with half of it as reserve, in which `a` to `e` are accepted. */
function aBudget(all = 64_000) {
  const shares = aShares(...[...'abcde'].map((name) => holder(name)));
  const share = shareOf('responses', all, { newcomers: all, owner: all });
  const budget = new TurnTakingBudget(share, shares, all / 2);
  const dropped: string[] = [];
  /** A response of which `bytes` have come; its name is that of its caller, and a number. */
  const open = (name: string, bytes: number, isGuest = false) => {
    const drop = () => dropped.push(name);
    const holding = budget.open({ holder: holder(name.charAt(0)), drop, isGuest });
    holding.hold(bytes);
    const one = { holding, isWaiting: false, wait: () => one.isWaiting };
    /** Whether it waits when it has held more. */
    one.wait = () => {
      one.isWaiting = budget.waits(holding, () => (one.isWaiting = false));
      return one.isWaiting;
    };
    return one;
  };
  return { budget, open, dropped };
}

/** Those that may go on do so in the next turn of the event loop. */
const nextTurn = () => void vi.advanceTimersByTime(1);

it('responses up to the reserve all end without a drop, in whatever order and pieces they come', () => {
  const responses = fc.array(fc.record({ size: fc.integer({ min: 100, max: 20_000 }), owner: fc.nat(6) }), {
    ...{ minLength: 1, maxLength: 25, size: 'max' },
  });
  fc.assert(
    fc.property(responses, fc.infiniteStream(fc.nat()), (all, choices) => {
      const { open, dropped, budget } = aBudget();
      let running = all.map(({ size, owner }) => ({
        ...{ size, bytes: 1 },
        one: open('abcdexy'[owner] ?? 'a', 1),
      }));
      while (running.length > 0) {
        const ready = running.filter(({ one }) => !one.isWaiting);
        if (ready.length === 0) expect.fail('None can go on.');
        const next = ready[choices.next().value % ready.length] as (typeof running)[number];
        next.bytes = Math.min(next.size, next.bytes + 128);
        next.one.holding.hold(next.bytes);
        if (next.bytes < next.size) {
          next.one.wait();
          continue;
        }
        next.one.holding.close();
        running = running.filter((one) => one !== next);
        nextTurn();
      }
      expect([dropped, budget.held]).toEqual([[], 0]);
    }),
    { seed: 20_310_409, numRuns: 50 },
  );
});

it('no response waits while the reserve is free, and what is small compared with the room never does', () => {
  const { open } = aBudget();
  const first = open('a', 16_000);
  const second = open('b', 15_900);
  expect([first.wait(), second.wait()]).toEqual([false, false]);
  const small = open('c', 450);
  const large = open('d', 550);
  expect([small.wait(), large.wait()]).toEqual([false, true]);
});

it('no response waits for guests, and the one whose turn it is is read to its end', () => {
  const { open, dropped } = aBudget();
  open('a', 20_000, true);
  open('b', 20_000, true);
  const [first, second] = [open('c', 12_000), open('d', 11_000)];
  expect([first.wait(), second.wait()]).toEqual([false, false]);
  second.holding.hold(21_000);
  expect([first.wait(), second.wait()]).toEqual([false, true]);
  first.holding.hold(32_000);
  expect([dropped, second.isWaiting]).toEqual([['a', 'b'], true]);
});

it('thousands of guests cost no time for each piece of a response', async () => {
  const { open } = aBudget(96_000);
  for (let guest = 0; guest < 3_000; guest += 1) open('a', 10, true);
  const [first] = [...'bcd'].map((name) => open(name, 12_000));
  const spentMs = await leastCpuMs(async () => {
    for (let piece = 0; piece < 1_000; piece += 1) first?.wait();
  }, 30);
  expect(spentMs).toBeLessThan(30);
});

it.each([
  ['of the caller who holds least', 8_000, [false, true, true, true]],
  [
    'of the largest response where that one could not end in the room that is left',
    12_000,
    [true, false, true, true],
  ],
])('the next turn is that %s', (_whose, bytes, areWaiting) => {
  const { open } = aBudget();
  const waiting = [open('a', 12_000), open('b', 12_000), open('c', 12_000)];
  expect(waiting.map(({ wait }) => wait())).toEqual([false, true, true]);
  const small = open('d', 2_000);
  expect(small.wait()).toBe(true);
  waiting[0]?.holding.close();
  const another = open('a', bytes);
  expect(another.wait()).toBe(true);
  nextTurn();
  expect([small, ...waiting.slice(1), another].map(({ isWaiting }) => isWaiting)).toEqual(areWaiting);
});

it('accepted callers have their turn before newcomers, and of two who hold the same the older response', () => {
  const { open } = aBudget();
  const [newcomer, first, second] = [open('x', 10_000), open('a', 12_000), open('b', 12_000)];
  expect([newcomer, first, second].map(({ wait }) => wait())).toEqual([true, false, true]);
  first.holding.hold(22_000);
  expect(first.wait()).toBe(false);
  first.holding.close();
  nextTurn();
  expect([newcomer.isWaiting, second.isWaiting]).toEqual([false, false]);
});

it.each([
  ['accepted callers', 'abcd'],
  ['newcomers', 'wxyz'],
])(
  'of %s a response that does not grow delays others for half a second, and its owner only once',
  (_who, names) => {
    const [first = '', second = '', third = '', fourth = ''] = names;
    const { open } = aBudget();
    const slow = Array.from({ length: 4 }, (_, index) => open(`${first}${index}`, 9_000));
    expect(slow.map(({ wait }) => wait())).toEqual([false, true, true, true]);
    const honest = open(second, 2_000);
    expect(honest.wait()).toBe(true);
    vi.advanceTimersByTime(625);
    expect([...slow, honest].map(({ isWaiting }) => isWaiting)).toEqual([false, true, true, true, false]);
    honest.holding.close();
    const another = open(third, 2_000);
    expect([another.wait(), slow[0]?.wait()]).toEqual([false, true]);
    another.holding.close();
    // Also when it leaves and begins again with less than another, for a minute.
    for (const { holding } of slow) holding.close();
    const turns = (...responses: [name: string, bytes: number][]) => {
      const both = responses.map(([name, bytes]) => open(name, bytes));
      const waits = both.map(({ wait }) => wait());
      for (const { holding } of both) holding.close();
      return waits;
    };
    expect(turns([first, 14_000], [fourth, 20_000])).toEqual([true, false]);
    expect(turns([first, 20_000], [first, 20_000]), 'among themselves').toEqual([false, true]);
    vi.advanceTimersByTime(60_000);
    expect(turns([first, 14_000], [fourth, 20_000])).toEqual([false, true]);
  },
);

it('the turn of a response is not over after a stall of the event loop, in which nothing can come', () => {
  const { open } = aBudget();
  const [first, second] = [open('a', 20_000), open('b', 20_000)];
  expect([first.wait(), second.wait()]).toEqual([false, true]);
  const stalled = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
  onTestFinished(() => stalled.mockRestore());
  expect([first.wait(), second.wait()]).toEqual([false, true]);
});

it('all responses go on when the turn of each is over, and the largest of the caller who holds most is dropped at the bound', () => {
  const { open, dropped } = aBudget();
  const [first, second] = [open('a', 20_000), open('b', 20_000)];
  expect([first.wait(), second.wait()]).toEqual([false, true]);
  vi.advanceTimersByTime(625);
  expect([first.wait(), second.wait()]).toEqual([true, false]);
  vi.advanceTimersByTime(625);
  expect([first.isWaiting, second.wait()]).toEqual([false, false]);
  second.holding.hold(40_000);
  expect(dropped).toEqual([]);
  first.holding.hold(30_000);
  expect(dropped).toEqual(['b']);
});

it('the turn of a response that grows by 4 MiB in a second lasts until it ends, however long others wait', () => {
  const { open } = aBudget(256_000_000);
  const [first, second] = [open('a', 64_000_000), open('b', 70_000_000)];
  expect([first.wait(), second.wait()]).toEqual([false, true]);
  for (let passedMs = 0; passedMs <= 20_000; passedMs += 125) {
    first.holding.hold(64_000_000 + passedMs * 4 * 1_024);
    expect([first.wait(), second.isWaiting]).toEqual([false, true]);
    vi.advanceTimersByTime(125);
  }
  vi.advanceTimersByTime(625);
  expect(second.isWaiting).toBe(false);
});

it('a response that waits for something else has no turn', () => {
  const { open } = aBudget();
  const [small, large] = [open('a', 10_000), open('b', 25_000)];
  small.holding.canGrow = false;
  expect(large.wait()).toBe(false);
});

it('a response that ends while it waits is not continued, and no timer is left', () => {
  const { open } = aBudget();
  const [first, second] = [open('a', 20_000), open('b', 20_000)];
  first.wait();
  second.wait();
  second.holding.close();
  first.holding.close();
  vi.advanceTimersByTime(20_000);
  expect(second.isWaiting).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('a response that has ended does not wait', () => {
  const { open } = aBudget();
  open('a', 40_000);
  const ended = open('b', 20_000);
  ended.holding.close();
  expect(ended.wait()).toBe(false);
});

it('an owner whose turn was over is forgotten a minute later, while others wait', () => {
  const { open } = aBudget();
  const slow = open('a', 20_000);
  const next = open('b', 20_000);
  expect([slow.wait(), next.wait()]).toEqual([false, true]);
  vi.advanceTimersByTime(625);
  slow.holding.close();
  next.holding.close();
  const forgotten = vi.spyOn(Map.prototype, 'delete');
  onTestFinished(() => forgotten.mockRestore());
  vi.advanceTimersByTime(60_000);
  open('c', 20_000).wait();
  expect(open('d', 20_000).wait()).toBe(true);
  expect(forgotten).not.toHaveBeenCalledWith(holder('a').owner);
  vi.advanceTimersByTime(125);
  expect(forgotten).toHaveBeenCalledWith(holder('a').owner);
});

it('responses that wait are looked at once after a turn of the event loop in which many others ended', () => {
  const { budget, open } = aBudget();
  const ended = Array.from({ length: 20 }, () => open('a', 100).holding);
  const waiting = [...'bcd'].map((name) => open(name, 15_000));
  expect(waiting.map(({ wait }) => wait())).toEqual([false, true, true]);
  const looks = vi.spyOn(budget, 'rooms');
  for (const holding of ended) holding.close();
  nextTurn();
  expect(looks).toHaveBeenCalledTimes(2);
});
