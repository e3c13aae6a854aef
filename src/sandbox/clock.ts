export type Clock = ReturnType<typeof createClock>;

export function createClock(now: () => number) {
  let advancedMs = 0;
  return {
    /** Epoch milliseconds. */
    now: () => Math.floor(now() + advancedMs),
    /** Moves the clock forward, in addition to the time that passes. */
    advance(ms: number) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('advanceMs must not be negative.');
      advancedMs += ms;
    },
  };
}
