/** What arrives in pieces, and is dropped when its bound is reached: the costliest body, or the largest response of one caller. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GatewayError } from '../../src/errors.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { type HoldingOptions, ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { aShares, holder } from '../support/shares.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // As in a process, the time is not 0.
  vi.advanceTimersByTime(1);
});
afterEach(() => void vi.useRealTimers());

/** A budget in which `a` to `e` are accepted. Default: of 1,000 bytes, a quarter of them for one owner. */
function aBudget(share = shareOf('bodies', 1_000), victim: 'costliest' | 'of largest owner' = 'costliest') {
  const shares = aShares(...[...'abcde'].map((name) => holder(name)));
  const reported = vi.spyOn(shares, 'dropped');
  const budget = new ReclaimingBudget(share, shares, victim);
  const dropped: [name: string, error: GatewayError][] = [];
  /** A body of `bytes` that begins now; its name is that of its caller, and a number. */
  const open = (name: string, bytes: number, options: Partial<HoldingOptions> = {}) => {
    const drop = (error: GatewayError) => dropped.push([name, error]);
    const holding = budget.open({ holder: holder(name.charAt(0)), drop, ...options });
    holding.hold(bytes);
    return holding;
  };
  return { budget, shares, open, dropped, names: () => dropped.map(([name]) => name), reported };
}

it('a body that is sent slowly is dropped before larger ones that are sent fast', () => {
  const { budget, open, names } = aBudget();
  const slow = open('a', 100);
  vi.advanceTimersByTime(10_000);
  slow.hold(200);
  for (const name of ['b', 'c', 'd']) open(name, 250);
  vi.advanceTimersByTime(1_000);
  open('e', 100);
  expect(names()).toEqual(['a']);
  expect(budget.held).toBe(850);
});

it('a caller with too many bytes loses the largest of their own bodies, and not a costlier one of another', () => {
  const { open, dropped, names } = aBudget();
  open('a', 250);
  vi.advanceTimersByTime(60_000);
  open('b1', 100);
  open('b2', 150);
  open('b3', 1);
  expect(names()).toEqual(['b2']);
  expect(dropped[0]?.[1]).toMatchObject({
    code: 'RATE_LIMITED',
    bound: 'bodies-owner',
    httpStatus: 503,
  });
});

it('guests are dropped before all others, also when a newcomer has the most', () => {
  const all = shareOf('responses', 1_000, { newcomers: 1_000, owner: 1_000 });
  const { open, names } = aBudget(all, 'of largest owner');
  open('a', 100, { isGuest: true });
  open('b', 150, { isGuest: true });
  open('x1', 400);
  open('c', 300);
  open('x2', 130);
  expect(names()).toEqual(['b']);
  open('d', 150);
  expect(names()).toEqual(['b', 'a']);
  open('e', 100);
  expect(names()).toEqual(['b', 'a', 'x1']);
});

it('a body that was dropped or has ended holds nothing when more of it arrives', () => {
  const { budget, open, names } = aBudget();
  const first = open('a1', 200);
  vi.advanceTimersByTime(1);
  const second = open('a2', 100);
  expect(names()).toEqual(['a1']);
  first.hold(250);
  expect(budget.held).toBe(100);
  second.close();
  second.hold(100);
  expect(budget.held).toBe(0);
  vi.advanceTimersByTime(10_000);
  open('a3', 250);
  open('a4', 1);
  expect(names(), 'one that has ended is not dropped').toEqual(['a1', 'a3']);
});

it('a drop is reported where no caller sees its error, and only there', () => {
  const { open, names, reported } = aBudget();
  open('a1', 250, { isSilent: true });
  open('a2', 250);
  expect(names()).toEqual(['a1']);
  expect(reported.mock.calls).toEqual([['bodies-owner']]);
  open('a3', 250);
  expect(names()).toEqual(['a1', 'a2']);
  expect(reported).toHaveBeenCalledOnce();
});

it('bodies of callers with malformed credentials count as those of one newcomer', () => {
  const { open, names } = aBudget();
  open('x', 150, { holder: undefined });
  open('y', 200, { holder: undefined });
  expect(names()).toEqual(['y']);
});

it('a holding of newcomers, who may have all, is dropped when they have more than half of what is full', () => {
  const share = shareOf('responses', 1_000, { newcomers: 1_000, owner: 750 });
  const { open, names } = aBudget(share, 'of largest owner');
  for (const name of ['w', 'x', 'y', 'z']) open(name, 225);
  // Larger than each of the newcomers', and so the first to be dropped of all.
  const known = open('a', 400);
  expect(names()).toHaveLength(2);
  open('v', 240);
  expect(names()).toHaveLength(3);
  expect(names()).not.toContain('a');
  // Newcomers have less than half of it now.
  known.hold(600);
  open('u', 200);
  expect(names().at(-1)).toBe('a');
});

it('a holding of newcomers is dropped when they have half, and not one of an accepted caller', () => {
  const { budget, shares, open, names } = aBudget(shareOf('results', 1_000), 'of largest owner');
  open('a', 490);
  open('x', 100);
  open('y', 410);
  expect(names()).toEqual(['y']);
  // Everything that a lane holds moves when it is accepted.
  shares.acceptedLanes.accept(holder('x'));
  open('z', 400);
  expect(names()).toEqual(['y']);
  expect(budget.held).toBe(990);
});
