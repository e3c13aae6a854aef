import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../src/caller.ts';
import { createLaneBudget } from '../../src/state/lane-budget.ts';

const lane = (name: number) => `lane-${name}` as Lane;
const maxBytes = 100;
/** The service has accepted the credentials of lanes 0 and 1. */
const isAccepted = (asked: Lane) => asked === lane(0) || asked === lane(1);

const step = fc.oneof(
  fc.record({
    do: fc.constant('hold' as const),
    lane: fc.integer({ min: 0, max: 4 }),
    bytes: fc.integer({ min: 1, max: 120 }),
  }),
  fc.record({ do: fc.constant('release' as const), at: fc.nat() }),
);

describe('the memory budget of lanes', () => {
  it('holds at most its bytes, half of them for new lanes, and a quarter for a lane with several pieces', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = createLaneBudget({ maxBytes, isAccepted });
        const pieces: { lane: Lane; bytes: number; release: () => void }[] = [];
        const held = (matches: (lane: Lane) => boolean) =>
          pieces.filter(({ lane }) => matches(lane)).reduce((sum, { bytes }) => sum + bytes, 0);
        const hasRoom = (asked: Lane, bytes: number) => {
          const own = held((other) => other === asked);
          if (held(() => true) + bytes > maxBytes) return false;
          if (own > 0 && own + bytes > maxBytes / 4) return false;
          return isAccepted(asked) || held((other) => !isAccepted(other)) + bytes <= maxBytes / 2;
        };

        for (const step of steps) {
          if (step.do === 'hold') {
            const asked = lane(step.lane);
            const expected = hasRoom(asked, step.bytes);
            const release = budget.tryHold(asked, step.bytes);
            expect(release !== undefined).toBe(expected);
            if (release) pieces.push({ lane: asked, bytes: step.bytes, release });
          } else if (pieces.length > 0) {
            const [piece] = pieces.splice(step.at % pieces.length, 1);
            // The second call has no effect.
            piece?.release();
            piece?.release();
          }
          expect(budget.held()).toBe(held(() => true));
        }
      }),
    );
  });
});
