import { describe, expect, it } from 'vitest';
import type { Lane, Owner } from '../../src/caller.ts';
import { createAcceptedLanes, provesCredentials } from '../../src/shares/accepted-lanes.ts';
import { fc } from '../support/fast-check.ts';

const lane = (index: number) => `lane-${index}` as Lane;
const caller = (index: number, owner = `owner-${index}`) => ({ lane: lane(index), owner: owner as Owner });

describe('the accepted lanes', () => {
  it('contain a lane from its first accepted call, and report it once', () => {
    const lanes = createAcceptedLanes();
    const reported: Lane[] = [];
    lanes.onAccept(({ lane }) => reported.push(lane));
    expect(lanes.has(lane(1))).toBe(false);
    for (let call = 0; call < 3; call += 1) lanes.accept(caller(1));
    expect(lanes.has(lane(1))).toBe(true);
    expect(lanes.has(lane(2))).toBe(false);
    expect(reported).toEqual([lane(1)]);
  });

  it('are bounded, and keep each lane until half as many others were accepted since its last call, whichever are looked up', () => {
    const maxLanes = 10;
    const callers = Array.from({ length: 31 }, (_, index) => ({ caller: caller(index), lane: lane(index) }));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200, size: 'max' }), (calls) => {
        const lanes = createAcceptedLanes(maxLanes);
        for (const [at, index] of calls.entries()) {
          lanes.accept((callers[index] as (typeof callers)[number]).caller);
          const kept = callers.flatMap((other, at) => (lanes.has(other.lane) ? at : []));
          const recent = new Set<number>();
          for (const called of calls.slice(0, at + 1).reverse()) {
            if (recent.size === maxLanes / 2) break;
            recent.add(called);
          }
          const isKept = [...recent].every((called) => kept.includes(called));
          // An `expect` for each call would take longer than the rest.
          if (kept.length > maxLanes || !isKept) expect.fail(`kept ${kept} after ${calls.slice(0, at + 1)}`);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('of one owner, however many tokens it sends, do not remove the lanes of others', () => {
    const lanes = createAcceptedLanes();
    for (let index = 0; index < 1_000; index += 1) lanes.accept(caller(index));
    for (let index = 1_000; index < 31_000; index += 1) lanes.accept(caller(index, 'one key'));
    for (let index = 0; index < 1_000; index += 1) expect(lanes.has(lane(index))).toBe(true);
    expect(lanes.has(lane(28_500)), 'its 2,500th lane').toBe(true);
    expect(lanes.has(lane(28_499)), 'an older lane').toBe(false);
  });
});

describe('a caller is accepted by an endpoint', () => {
  const key = { apiKey: 'key', authorization: undefined };
  const both = { ...key, authorization: 'Bearer 1' };

  it('that requires all credentials of the caller', () => {
    expect(provesCredentials(both, ['apiKey', 'authorization'])).toBe(true);
    expect(provesCredentials(key, ['apiKey'])).toBe(true);
  });

  it('not by one that may ignore a credential of the caller, or that requires none', () => {
    expect(provesCredentials(both, ['apiKey'])).toBe(false);
    expect(provesCredentials(key, [])).toBe(false);
    expect(provesCredentials({ apiKey: undefined, authorization: undefined }, [])).toBe(false);
  });
});
