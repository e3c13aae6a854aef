/** The time as the scheduling of polls uses it: a simulation replaces it by a virtual one. */
export interface Clock {
  /** Monotonic time (ms). */
  now(): number;
  /** Runs the callback once, after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
