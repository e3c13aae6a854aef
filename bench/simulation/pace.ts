/** A portal that changes its pace: whether documents keep to what is expected of them, from ten minutes later. */
import { Random } from '../../test/support/random.ts';
import type { ExpectedResults } from './expected.ts';
import { simulate } from './simulation.ts';
import { type Course, exponential, logNormal, meanLifeMs } from './workload.ts';

/** One document arrives each second (mean). */
const documentsPerMs = 1 / 1_000;
const minuteMs = 60_000;
const changeMs = 12 * minuteMs;
/** What is expected of a document must hold from this time after a change (ms). */
export const adaptedAfterMs = 10 * minuteMs;
/** Stays that begin in this time are compared (ms). */
const comparedMs = 20 * minuteMs;
/** Time for those stays to end (ms). */
const restMs = 15 * minuteMs;

export async function changePace(before: Course, after: Course, seed: number): Promise<ExpectedResults> {
  const fromMs = changeMs + adaptedAfterMs;
  const { expected } = await simulate({
    seed,
    documents: documentsPerMs * meanLifeMs(before, new Random('life', seed)),
    gateways: 1,
    isFleet: false,
    copies: 1,
    callers: 20,
    course: before,
    change: { atMs: changeMs, course: after },
    expectedIn: [fromMs, fromMs + comparedMs],
    capacity: 1_000,
    budget: 1_000,
    hasFleetBudget: false,
    bounds: { pollMinMs: 2_000, pollMaxMs: 30_000 },
    isAdaptive: true,
    hours: [10, 11],
    hourMs: fromMs + comparedMs + restMs,
  });
  return expected;
}

type Duration = (random: Random) => number;

/** A random course: the seed decides how long documents stay, and how differently. */
export function inventCourse(seed: string): Course {
  const invent = new Random('course', seed);
  const queued = inventDuration(invent, 2_000, 10_000);
  const submitted = inventDuration(invent, 8_000, 150_000);
  return (random) => ({ queuedMs: queued(random), submittedMs: submitted(random) });
}

/** One of five kinds of distributions; sometimes up to 4 of 100 documents take ten times as long. */
function inventDuration(invent: Random, shortestMs: number, longestMs: number): Duration {
  const typicalMs = shortestMs * (longestMs / shortestMs) ** invent.next();
  const spread = 0.2 + 0.8 * invent.next();
  const share = 0.1 + 0.8 * invent.next();
  const slowerMs = typicalMs * (2 + 3 * invent.next());
  const tail = invent.chance(0.3) ? 0.04 * invent.next() : 0;
  const usually = invent.pick<Duration>([
    (random) => logNormal(random, typicalMs, spread),
    (random) => typicalMs * (0.2 + 1.6 * random.next()),
    (random) => exponential(random, typicalMs),
    (random) => typicalMs / 2 + exponential(random, typicalMs / 2),
    (random) => logNormal(random, random.chance(share) ? typicalMs : slowerMs, 0.2),
  ]);
  return (random) => (random.chance(tail) ? logNormal(random, 10 * typicalMs, 0.5) : usually(random));
}
