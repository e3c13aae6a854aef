/** When a document is polled next, and for how long the gateway that polls holds its lease. */

export interface PollBounds {
  /** Interval at first and after a change (ms). */
  readonly minMs: number;
  /** Maximum interval (ms). */
  readonly maxMs: number;
}

/** Factor by which the interval grows after each poll that found no change. */
const growth = 1.5;
/** Random part of an interval, so that watches that started at the same time do not poll at the same time. */
const jitter = 0.2;
/** Duration of a lease, in intervals between polls: a holder that has not renewed it by then is assumed dead. */
const leasePerInterval = 1.5;
/** Delay before another gateway tries to take the lease over, in durations of a lease: after its end despite jitter, and within two intervals. */
const takeOverPerLease = 1.15;

/** Interval after a poll (ms). `lastMs`: the interval before it; undefined if it found a change. */
export function nextInterval({ minMs, maxMs }: PollBounds, lastMs: number | undefined): number {
  return lastMs === undefined ? minMs : Math.min(lastMs * growth, maxMs);
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
