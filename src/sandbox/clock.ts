import { HttpError } from './http.ts';

export type Clock = ReturnType<typeof createClock>;

export function createClock(now: () => number) {
  let advancedMs = 0;
  return {
    /** Epoch milliseconds. */
    now: () => Math.floor(now() + advancedMs),
    /** Moves the clock forward, in addition to the time that passes. Throws a 400 for anything but a number of at least 0. */
    advance(ms: unknown) {
      if (typeof ms !== 'number' || !(ms >= 0 && ms < Number.POSITIVE_INFINITY))
        throw new HttpError(400, 'advanceMs must be a number of at least 0.');
      advancedMs += ms;
    },
  };
}
