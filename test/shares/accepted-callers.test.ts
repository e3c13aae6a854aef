import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../src/caller.ts';
import { createAcceptedLanes } from '../../src/state/accepted-lanes.ts';

const lane = (index: number) => `lane-${index}` as Lane;

describe('the accepted lanes', () => {
  it('contain a lane from its first accepted call, and report it once', () => {
    const lanes = createAcceptedLanes();
    const reported: Lane[] = [];
    lanes.onAccept((accepted) => reported.push(accepted));
    expect(lanes.has(lane(1))).toBe(false);
    for (let call = 0; call < 3; call += 1) lanes.accept(lane(1));
    expect(lanes.has(lane(1))).toBe(true);
    expect(lanes.has(lane(2))).toBe(false);
    expect(reported).toEqual([lane(1)]);
  });

  it('use no memory for a lane that was only looked up', () => {
    const lanes = createAcceptedLanes(10);
    lanes.accept(lane(0));
    for (let index = 1; index < 1_000; index += 1) lanes.has(lane(index));
    expect(lanes.has(lane(0))).toBe(true);
  });

  it('are bounded, and keep each lane until half as many others were accepted since its last call', () => {
    const maxLanes = 10;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 }), (calls) => {
        const lanes = createAcceptedLanes(maxLanes);
        for (const [at, index] of calls.entries()) {
          lanes.accept(lane(index));
          const kept = Array.from({ length: 31 }, (_, other) => other).filter((other) =>
            lanes.has(lane(other)),
          );
          expect(kept.length).toBeLessThanOrEqual(maxLanes);
          const recent = new Set<number>();
          for (const called of calls.slice(0, at + 1).reverse()) {
            if (recent.size === maxLanes / 2) break;
            recent.add(called);
          }
          for (const called of recent) expect(kept).toContain(called);
        }
      }),
    );
  });
});
