/**
 * When a value is polled next, and for how long the gateway that polls holds its lease. The intervals follow how long the
 * last values stayed in their states.
 */

export interface PollBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

export interface PollIntervals {
  /**
   * Interval after a poll (ms), between the bounds. `ageMs`: time since the state was first seen. `lastMs`: the interval
   * before this poll; undefined if it found a change.
   */
  next(state: string, ageMs: number, lastMs: number | undefined): number;
  afterFailure(lastMs: number): number;
  /** Records that the value has left the state between two polls, one after the other, at these ages in the state (ms). */
  left(state: string, fromMs: number, toMs: number): void;
}

/** Factor by which an interval grows where nothing is learnt. */
const growth = 1.5;

/** The interval where nothing is learnt (ms): shortest at first and after a change (`lastMs` is undefined), then growing. */
export function growingInterval({ minMs, maxMs }: PollBounds, lastMs: number | undefined): number {
  return lastMs === undefined ? minMs : Math.min(lastMs * growth, maxMs);
}

/** Random part of an interval, so that watches that started at the same time do not poll at the same time. */
const jitter = 0.2;
/** Duration of a lease, in intervals between polls: a holder that has not renewed it by then is assumed dead. */
const leasePerInterval = 1.5;
/** Delay before another gateway tries to take the lease over, in durations of a lease: after its end despite jitter, and within two intervals. */
const takeOverPerLease = 1.15;

/** Number of values that must have left a state before its intervals follow them, and after which they are learnt again. */
const learnAfter = 100;
/** Most durations of one state that are kept. */
const maxDurations = 500;
/** With fewer durations beyond an age, the interval grows. */
const fewest = 5;
/** Other values need a few percent more polls than those that the share was learnt from. */
const reserve = 0.95;
const goldenRatio = 0.618;
/** Most polls of one value that are counted, and rounds of the search for the share: both bound the time that learning takes. */
const maxPolls = 400;
const bisections = 12;

interface State {
  /** How long the last values stayed in the state (ms), the oldest first. */
  readonly last: number[];
  /** Number of values that have left the state. */
  count: number;
  /** The durations when they were learnt, sorted. */
  durations: readonly number[];
  /** Share of the values that have reached an age which leaves until the next poll. */
  share: number;
}

/** The interval at an age in the state (ms). `lastMs`: the one before; undefined at the age 0. */
type Interval = (ageMs: number, lastMs: number | undefined) => number;

/**
 * The next poll comes when a share of the values that have reached an age has left, by the last durations. The share is
 * such that the same values would have needed as many polls with the growing interval.
 */
export function createPollIntervals(bounds: PollBounds): PollIntervals {
  const states = new Map<string, State>();
  const grow: Interval = (_ageMs, lastMs) => growingInterval(bounds, lastMs);

  function intervalOf({ durations, share }: Pick<State, 'durations' | 'share'>): Interval {
    return (ageMs, lastMs) => {
      const gone = countUpTo(durations, ageMs);
      const present = durations.length - gone;
      if (present < fewest) return grow(ageMs, lastMs);
      const next = Math.min(gone + Math.floor(present * share), durations.length - 1);
      const dueMs = durations[next] as number;
      return Math.min(Math.max(dueMs - ageMs, bounds.minMs), bounds.maxMs);
    };
  }

  function learn(state: State): void {
    const durations = state.last.toSorted((a, b) => a - b);
    const polls = pollsFor(durations, grow) * reserve;
    let [low, high] = [0, 1];
    for (let round = 0; round < bisections; round += 1) {
      const share = (low + high) / 2;
      if (pollsFor(durations, intervalOf({ durations, share })) > polls) low = share;
      else high = share;
    }
    Object.assign(state, { durations, share: high });
  }

  return {
    next(name, ageMs, lastMs) {
      const state = states.get(name);
      return (state ? intervalOf(state) : grow)(ageMs, lastMs);
    },
    afterFailure: (lastMs) => growingInterval(bounds, lastMs),
    left(name, fromMs, toMs) {
      const state = states.getOrInsertComputed(name, () => ({ last: [], count: 0, durations: [], share: 0 }));
      state.count += 1;
      // When it left between the polls is unknown: multiples of the golden ratio spread evenly over that time.
      state.last.push(fromMs + ((state.count * goldenRatio) % 1) * (toMs - fromMs));
      if (state.last.length > maxDurations) state.last.shift();
      if (state.count % learnAfter === 0) learn(state);
    },
  };
}

/** Polls of all values with these durations, at most 400 of each one. */
function pollsFor(durations: readonly number[], interval: Interval): number {
  let polls = 0;
  let lastMs: number | undefined;
  let ageMs = 0;
  for (let poll = 0; poll < maxPolls; poll += 1) {
    polls += durations.length - countUpTo(durations, ageMs);
    lastMs = interval(ageMs, lastMs);
    ageMs += lastMs;
  }
  return polls;
}

/** Number of values up to `limit` in a sorted list. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The interval, up to a tenth shorter or longer. `random`: a number from 0 to 1. */
export function jittered(intervalMs: number, random: number): number {
  return intervalMs * (1 - jitter / 2 + jitter * random);
}

export function leaseFor(intervalMs: number): number {
  return intervalMs * leasePerInterval;
}

export function takeOverAfter(leaseMs: number): number {
  return leaseMs * takeOverPerLease;
}
