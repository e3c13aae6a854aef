/**
 * When a value is polled next, and for how long the gateway that polls holds its lease. The intervals follow how long other
 * values stay in their states.
 */
import type { UsualStay } from './life-table.ts';

export interface PollBounds {
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
}

/** Factor by which an interval grows where it is unknown when values leave the state. */
const growth = 1.5;
/** Share of the polls of `nextInterval` that are made: the minimum interval leaves about a tenth of them out. */
const shareMade = 0.9;

/**
 * Interval after a poll that returned a value (ms). The next poll comes when a share of the values that have been in the
 * state for as long has left it. The share is such that a value needs as many polls as with the growing interval.
 * `lastMs`: the interval before; undefined if the poll found a change.
 */
export function nextInterval(
  { pollMinMs, pollMaxMs }: PollBounds,
  usual: UsualStay | undefined,
  ageMs: number,
  lastMs: number | undefined,
): number {
  const grownAt = (age: number) => Math.min(pollMinMs + (growth - 1) * age, pollMaxMs);
  const dueMs = usual?.leftBy(shareMade / usual.pollsWith(grownAt), ageMs);
  if (dueMs === undefined) return growingInterval({ pollMinMs, pollMaxMs }, lastMs);
  return Math.min(Math.max(dueMs - ageMs, pollMinMs), pollMaxMs);
}

/** Shortest at first and after a change, then growing (ms). */
export function growingInterval({ pollMinMs, pollMaxMs }: PollBounds, lastMs: number | undefined): number {
  return lastMs === undefined ? pollMinMs : Math.min(lastMs * growth, pollMaxMs);
}

/** Random part of an interval, so that watches that started at the same time do not poll at the same time. */
const jitter = 0.2;
/** Duration of a lease, in intervals between polls: a holder that has not renewed it by then is assumed dead. */
const leasePerInterval = 1.5;
/** Delay before another gateway tries to take the lease over, in durations of a lease: after its end despite jitter, and within two intervals. */
const takeOverPerLease = 1.15;

/** The interval, up to a tenth shorter or longer. `random`: a number from 0 to 1. */
export function jittered(intervalMs: number, random: number): number {
  return intervalMs * (1 - jitter / 2 + jitter * random);
}

/** The interval that is never shorter than this when it is jittered (ms). */
export function atLeast(ms: number): number {
  return ms / (1 - jitter / 2);
}

export function leaseFor(intervalMs: number): number {
  return intervalMs * leasePerInterval;
}

export function takeOverAfter(leaseMs: number): number {
  return leaseMs * takeOverPerLease;
}

/** A lease that another gateway takes over shortly before its holder polls again, in `nextMs`. */
export function handOverLease(nextMs: number): number {
  return (nextMs * (1 - jitter / 2)) / takeOverPerLease;
}
