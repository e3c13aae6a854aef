export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves the clock forward, beside the time that passes by itself. */
  advance(ms: number): void;
}

export function createClock(now: () => number): Clock {
  let advancedMs = 0;
  return {
    now: () => Math.floor(now() + advancedMs),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('A clock moves forward only.');
      advancedMs += ms;
    },
  };
}
