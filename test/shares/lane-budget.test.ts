import { describe, expect, it } from 'vitest';
import type { Holder } from '../../src/caller.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { fc } from '../support/fast-check.ts';
import { aShares, holder } from '../support/shares.ts';

const most = 128;
/** Eight lanes of six owners. The service accepts some of them in the course of a run. */
const holders: readonly Holder[] = [
  holder('a'),
  holder('a', 'Bearer 1'),
  holder('a', 'Bearer 2'),
  holder('b', 'Bearer 1'),
  holder('c'),
  holder('d'),
  holder('e'),
  holder('f'),
];
const at = fc.integer({ min: 0, max: holders.length - 1 });
const amount = fc.oneof(...[2, 2, 40, 150].map((max) => fc.integer({ min: 1, max })));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hold' as const), at, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), index: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('accept' as const), at }) },
);
/** What accepted callers hold before: nothing, all but the last eighth, and a part of that. */
const filled = fc.constantFrom([], [(most * 7) / 8], [(most * 7) / 8, 2, 1, 1, 1, 1]);

interface Piece {
  readonly holder: Holder;
  readonly amount: number;
  readonly release: () => void;
}

/** Returns a function that releases; undefined when a part of the bound is reached. */
function tryHold(budget: LaneBudget, holder: Holder, amount: number): (() => void) | undefined {
  return budget.reached(holder, amount) ? undefined : budget.hold(holder, amount);
}

describe('a bound with three parts', () => {
  it('holds at most half for newcomers and a quarter for an owner with several pieces; the last eighth of it and of that half is for owners who hold little, the last sixteenth for accepted ones', () => {
    fc.assert(
      fc.property(filled, fc.array(step, { maxLength: 60, size: 'max' }), (amounts, steps) => {
        const fillers = amounts.map((amount, index) => ({ holder: holder(`filler ${index}`), amount }));
        const shares = aShares(...fillers.map(({ holder }) => holder));
        const budget = new LaneBudget(shareOf('writes', most), shares);
        const pieces: Piece[] = fillers.map(({ holder, amount }) => ({
          ...{ holder, amount, release: budget.hold(holder, amount) },
        }));
        const held = (matches: (holder: Holder) => boolean) =>
          pieces.filter(({ holder }) => matches(holder)).reduce((sum, { amount }) => sum + amount, 0);
        const isNewcomer = ({ lane }: Holder) => !shares.acceptedLanes.has(lane);
        const hasRoom = (asked: Holder, amount: number) => {
          const own = held(({ owner }) => owner === asked.owner);
          const fits = (part: number, held: number, outOfReach: number) => {
            const left = Math.min(part / 8, part - held + own);
            const isLittle = own + amount <= Math.max(1, Math.floor(left / 8));
            return held + amount <= part - (isLittle ? outOfReach : Math.floor(part / 8));
          };
          if (own > 0 && own + amount > most / 4) return false;
          if (isNewcomer(asked) && !fits(most / 2, held(isNewcomer), 0)) return false;
          const all = held(() => true);
          return fits(most, all, isNewcomer(asked) ? Math.floor(most / 16) : 0);
        };

        for (const step of steps) {
          if (step.do === 'accept') {
            // Everything that the lane holds moves at once.
            shares.acceptedLanes.accept(holders[step.at] as Holder);
          } else if (step.do === 'hold') {
            const asked = holders[step.at] as Holder;
            const expected = hasRoom(asked, step.amount);
            const release = tryHold(budget, asked, step.amount);
            expect(release !== undefined).toBe(expected);
            if (release) pieces.push({ holder: asked, amount: step.amount, release });
          } else if (pieces.length > 0) {
            const [piece] = pieces.splice(step.index % pieces.length, 1);
            // The second call has no effect.
            piece?.release();
            piece?.release();
          }
          expect(budget.held).toBe(held(() => true));
        }
      }),
    );
  });

  it('has as much free for a caller as they can hold in pieces of one', () => {
    const held = fc.array(fc.record({ at, amount: fc.integer({ min: 1, max: 30 }) }), { maxLength: 6 });
    fc.assert(
      fc.property(held, at, (pieces, asked) => {
        const budget = new LaneBudget(shareOf('writes', most), aShares(holder('b', 'Bearer 1'), holder('c')));
        for (const { at, amount } of pieces) tryHold(budget, holders[at] as Holder, amount);
        const caller = holders[asked] as Holder;
        const free = Math.max(0, Math.min(...Object.values(budget.rooms(caller))));
        let more = 0;
        while (tryHold(budget, caller, 1)) more += 1;
        expect(more).toBe(free);
      }),
    );
  });

  it('has room for one more accepted owner when 25 others hold all that they can', () => {
    const greedy = Array.from({ length: 25 }, (_, index) => holder(`greedy ${index}`));
    const calm = holder('calm');
    const budget = new LaneBudget(shareOf('watches', 3_276), aShares(...greedy, calm));
    for (const owner of greedy) while (tryHold(budget, owner, 1));
    expect(tryHold(budget, calm, 1)).toBeDefined();
  });

  it('names the part that refuses', () => {
    const shares = aShares(holder('known'), holder('other'), holder('third'));
    const budget = new LaneBudget(shareOf('writes', most), shares);
    budget.hold(holder('new'), most / 4);
    expect(budget.reached(holder('new'), 1)).toBe('writes-owner');
    budget.hold(holder('newer'), most / 8);
    expect(budget.reached(holder('newest'), most / 8)).toBe('writes-newcomers');
    for (const name of ['known', 'other']) budget.hold(holder(name), most / 4);
    expect(() => budget.hold(holder('third'), 5)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', bound: 'writes', sideEffect: 'NONE' }),
    );
  });

  it.each([
    { who: 'owner', areAccepted: true, all: 100 },
    { who: 'newcomer', areAccepted: false, all: 200 },
  ])(
    'that leaves room refuses the $who who holds most first, so that a $who who comes later gets half as much as each of the others',
    ({ areAccepted, all }) => {
      const owners = ['a', 'b', 'c', 'd', 'calm'].map((name) => holder(name));
      const shares = aShares(...(areAccepted ? owners : []));
      const budget = new LaneBudget(shareOf('ledger', all, { leavesRoom: true }), shares);
      const calm = owners.pop() as Holder;
      const held = owners.map(() => 0);
      for (let times = 0; times < 100; times += 1) {
        for (const [at, greedy] of owners.entries())
          if (tryHold(budget, greedy, 1)) held[at] = (held[at] ?? 0) + 1;
      }
      expect(held).toEqual([20, 20, 20, 20]);
      for (let pieces = 0; pieces < 10; pieces += 1) expect(tryHold(budget, calm, 1)).toBeDefined();
      expect(tryHold(budget, calm, 1)).toBeUndefined();
    },
  );
});
