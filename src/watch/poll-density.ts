/**
 * Places polls where changes are likely. With a hazard h (the rate of changes at an age), the delay until changes are seen
 * is shortest for a given number of polls if polls come at a rate in proportion to √h.
 */
import type { LifeTable } from './state-durations.ts';

export interface PollBounds {
  /** Shortest interval (ms). */
  readonly minMs: number;
  /** Longest interval (ms). */
  readonly maxMs: number;
}

/** The interval without a plan (ms). `lastMs`: the one before; undefined after a change. */
type Growing = (lastMs: number | undefined) => number;

/** Interval after a poll at an age in the state (ms). `lastMs`: the interval before; undefined at the age 0. */
export type PollPlan = (ageMs: number, lastMs: number | undefined) => number;

/** Beyond this share of documents still in their state, further polls are not counted. */
const negligible = 0.01;
/** Number of polls of one document that are counted: bounds the time that a plan takes to about a millisecond. */
const maxPolls = 400;
const bisections = 24;

/**
 * A plan that needs as many polls for a document as the growing interval would, within the same bounds. Where the table
 * ends, the interval grows. Undefined if the table is empty.
 */
export function planPolls(
  { limits, hazards }: LifeTable,
  bounds: PollBounds,
  growing: Growing,
): PollPlan | undefined {
  const endMs = limits.at(-1) ?? 0;
  if (endMs === 0) return undefined;
  const weights = accumulate(limits, hazards.map(Math.sqrt));
  const changes = accumulate(limits, hazards);
  const present = (ageMs: number) => Math.exp(-at(limits, changes, ageMs));

  /** A poll for each time that the weights grow by `step`. */
  const planWith = (step: number): PollPlan => {
    return (ageMs, lastMs) => {
      if (ageMs >= endMs) return growing(lastMs);
      const nextMs = at(weights, limits, at(limits, weights, ageMs) + step);
      return Math.min(Math.max(nextMs - ageMs, bounds.minMs), bounds.maxMs);
    };
  };

  const expectedPolls = (plan: PollPlan): number => {
    let sum = 0;
    let lastMs: number | undefined;
    let ageMs = 0;
    for (let poll = 0; poll < maxPolls && ageMs < endMs; poll += 1) {
      const share = present(ageMs);
      sum += share;
      if (share < negligible) break;
      lastMs = plan(ageMs, lastMs);
      ageMs += lastMs;
    }
    return sum;
  };

  const polls = expectedPolls((_ageMs, lastMs) => growing(lastMs));
  let tooSmall = 0;
  let large = weights.at(-1) ?? 0;
  for (let round = 0; round < bisections; round += 1) {
    const middle = (tooSmall + large) / 2;
    if (expectedPolls(planWith(middle)) > polls) tooSmall = middle;
    else large = middle;
  }
  return planWith(large);
}

/** The integral of a step function, at the limits of the steps. */
function accumulate(limits: readonly number[], rates: readonly number[]): number[] {
  const sums = [0];
  rates.forEach((rate, index) => {
    const widthMs = (limits[index + 1] as number) - (limits[index] as number);
    sums.push((sums[index] as number) + rate * widthMs);
  });
  return sums;
}

/** The value at `x` on the line through the points; the last value beyond them. `xs` does not decrease. */
function at(xs: readonly number[], ys: readonly number[], x: number): number {
  let low = 0;
  let high = xs.length - 1;
  if (x >= (xs[high] as number)) return ys[high] as number;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((xs[middle] as number) <= x) low = middle;
    else high = middle;
  }
  const [x0, x1, y0, y1] = [xs[low], xs[high], ys[low], ys[high]] as [number, number, number, number];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}
