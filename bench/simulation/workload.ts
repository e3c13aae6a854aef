/** What is simulated: how long documents take, when they arrive, and whose they are. */
import type { Random } from '../../test/support/random.ts';

/** How long a document stays QUEUED, and then SUBMITTED (ms). */
export interface Durations {
  readonly queuedMs: number;
  readonly submittedMs: number;
}

/** Returns the durations of the next document. */
export type Course = (random: Random) => Durations;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** `spread`: standard deviation of the logarithm. */
export function logNormal(random: Random, medianMs: number, spread: number): number {
  return medianMs * Math.exp(spread * normal(random));
}

export function exponential(random: Random, meanMs: number): number {
  return -meanMs * Math.log(1 - random.next());
}

/**
 * Assumed courses: how long the tax portal takes is not published. `portal`: seconds in the queue, then half a minute, and 3 of
 * 100 documents take minutes. `slow`: the same around two minutes. `batch`: the portal decides each minute. `broad`: from
 * seconds to minutes. `memoryless`: the age of a document says nothing about when it will be final.
 */
export const courses = {
  portal: (random: Random) => ({
    queuedMs: logNormal(random, 3_000, 0.5),
    submittedMs: random.chance(0.03) ? logNormal(random, 300_000, 0.7) : logNormal(random, 25_000, 0.5),
  }),
  slow: (random: Random) => ({
    queuedMs: logNormal(random, 5_000, 0.5),
    submittedMs: logNormal(random, 120_000, 0.5),
  }),
  batch: (random: Random) => ({
    queuedMs: logNormal(random, 3_000, 0.5),
    submittedMs: 5_000 + 60_000 * random.next(),
  }),
  broad: (random: Random) => ({
    queuedMs: logNormal(random, 3_000, 1),
    submittedMs: logNormal(random, 25_000, 1.2),
  }),
  memoryless: (random: Random) => ({
    queuedMs: exponential(random, 3_000),
    submittedMs: exponential(random, 30_000),
  }),
} as const satisfies Record<string, Course>;

export type CourseName = keyof typeof courses;

export function courseOf(course: CourseName | Course): Course {
  return typeof course === 'string' ? courses[course] : course;
}

/** Mean time from the arrival of a document to its final state (ms), of 20,000 documents. */
export function meanLifeMs(course: Course, random: Random): number {
  const count = 20_000;
  let sum = 0;
  for (let each = 0; each < count; each += 1) {
    const { queuedMs, submittedMs } = course(random);
    sum += queuedMs + submittedMs;
  }
  return sum / count;
}

/** Arrivals in each hour of a working day, as a share of those at the peak. */
const hours = [
  2, 1, 1, 1, 1, 2, 5, 15, 45, 80, 100, 95, 60, 70, 95, 100, 90, 70, 40, 20, 12, 8, 5, 3,
] as const;

/** Arrivals at an hour of the day (0 to 24) as a share of those at the peak; linear between the full hours. */
export function arrivalShare(hour: number): number {
  const before = Math.floor(hour) % 24;
  const from = hours[before] ?? 0;
  const to = hours[(before + 1) % 24] ?? 0;
  return (from + (to - from) * (hour - Math.floor(hour))) / 100;
}

/** Picks a caller: the n-th one has a share of the documents in proportion to 1/n (Zipf). */
export function createCallerPicker(callers: number, random: Random): () => number {
  const sums: number[] = [];
  for (let caller = 0; caller < callers; caller += 1) sums.push((sums[caller - 1] ?? 0) + 1 / (caller + 1));
  const total = sums[callers - 1] ?? 0;
  return () => {
    const at = random.next() * total;
    let low = 0;
    let high = callers - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
