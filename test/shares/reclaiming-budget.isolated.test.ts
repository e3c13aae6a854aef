/** Bodies that arrive in pieces, of which the one that cost most is dropped when their bound is reached. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GatewayError } from '../../src/errors.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { type HoldingOptions, ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { aShares, holder } from '../support/shares.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A budget of 1,000 bytes, a quarter of them for one owner, in which `a` to `e` are accepted. */
function aBudget(newcomers = 500) {
  const shares = aShares(...['a', 'b', 'c', 'd', 'e'].map((name) => holder(name)));
  const reported = vi.spyOn(shares, 'dropped');
  const budget = new ReclaimingBudget(shareOf('bodies', 1_000, { newcomers }), shares, 'costliest');
  const dropped: [name: string, error: GatewayError][] = [];
  /** A body of `bytes` that begins now; its name is that of its caller, and a number. */
  const open = (name: string, bytes: number, options: Partial<HoldingOptions> = {}) => {
    const drop = (error: GatewayError) => dropped.push([name, error]);
    const holding = budget.open({ holder: holder(name.charAt(0)), drop, ...options });
    holding.hold(bytes);
    return holding;
  };
  return { budget, open, dropped, names: () => dropped.map(([name]) => name), reported };
}

it('a body that is sent slowly is dropped before larger ones that are sent fast', () => {
  const { budget, open, names } = aBudget();
  open('a', 200);
  vi.advanceTimersByTime(10_000);
  for (const name of ['b', 'c', 'd']) open(name, 250);
  vi.advanceTimersByTime(1_000);
  open('e', 100);
  expect(names()).toEqual(['a']);
  expect(budget.held).toBe(850);
});

it('a body competes by the time since its first byte', () => {
  const { budget, open, names } = aBudget();
  const silent = budget.open({ holder: holder('a'), drop: () => {} });
  vi.advanceTimersByTime(60_000);
  open('b', 240);
  vi.advanceTimersByTime(10_000);
  silent.hold(240);
  for (const name of ['c', 'd', 'e']) open(name, 240);
  expect(names()).toEqual(['b']);
});

it('of bodies that began at the same time, the largest is dropped', () => {
  const { open, names } = aBudget();
  for (const [name, bytes] of [
    ['a', 240],
    ['b', 250],
    ['c', 230],
    ['d', 220],
  ] as const)
    open(name, bytes);
  open('e', 100);
  expect(names()).toEqual(['b']);
});

it('a caller with too many bytes loses one of their own bodies, and not a costlier one of another', () => {
  const { open, dropped, names } = aBudget();
  open('a', 250);
  vi.advanceTimersByTime(60_000);
  open('b1', 150);
  open('b2', 100);
  open('b3', 1);
  expect(names()).toEqual(['b1']);
  expect(dropped[0]?.[1]).toMatchObject({
    code: 'RATE_LIMITED',
    bound: 'bodies-owner',
    httpStatus: 503,
  });
});

it('newcomers with too many bytes lose one of theirs, and not a costlier one of an accepted caller', () => {
  const { open, names } = aBudget();
  open('a', 250);
  vi.advanceTimersByTime(60_000);
  open('x', 200);
  open('y', 250);
  open('z', 100);
  expect(names()).toEqual(['y']);
});

it('while newcomers hold no more than half of all, the costliest body of all is dropped', () => {
  const { open, names } = aBudget(1_000);
  open('a', 250);
  vi.advanceTimersByTime(60_000);
  for (const name of ['x', 'y', 'b']) open(name, 250);
  open('c', 1);
  expect(names()).toEqual(['a']);
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
  expect(names()).toEqual(['a1']);
});

it('a body counts with the bytes that have arrived, and is itself dropped when it is the costliest', () => {
  const { budget, open, names } = aBudget();
  open('a1', 100);
  const growing = open('a2', 50);
  growing.hold(150);
  expect(budget.held).toBe(250);
  growing.hold(151);
  expect(names()).toEqual(['a2']);
  expect(budget.held).toBe(100);
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
