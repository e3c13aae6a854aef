export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves the clock forward, in addition to the time that passes. */
  advance(ms: number): void;
}

export function createClock(now: () => number): Clock {
  let advancedMs = 0;
  return {
    now: () => Math.floor(now() + advancedMs),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('advanceMs must not be negative.');
      advancedMs += ms;
    },
  };
}
