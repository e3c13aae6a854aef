/** Measures a simulated fleet. */
import type { Clock } from '../../src/watch/clock.ts';
import type { ExpectedResults } from './expected.ts';
import { fairShares, jain, quantile } from './measures.ts';

/** Ages of documents at a change, up to which they are grouped (ms). */
export const ageLimits = [5_000, 15_000, 30_000, 60_000, 300_000, Number.POSITIVE_INFINITY] as const;

export interface Delays {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Measured {
  /** Changes by the age of the document, grouped by `ageLimits`. */
  readonly byAge: readonly Delays[];
  readonly all: Delays;
  /** Changes to a final state. */
  readonly final: Delays;
  readonly polls: number;
  /** Polls per second: mean, and in the busiest sixtieth of the time. */
  readonly pollsPerSecond: number;
  readonly peakPollsPerSecond: number;
  /** Share of the polls that the service refused with 429. */
  readonly refused: number;
  /** Redis, in the busiest sixtieth of the time: commands per second, and messages delivered per second. */
  readonly commandsPerSecond: number;
  readonly messagesPerSecond: number;
  /** Documents watched at the same time, at most. */
  readonly watched: number;
  /** Jain's index of the callers' polls, each divided by the caller's fair share. */
  readonly fairness: number;
  /** Time that polls waited for the budget. */
  readonly lag: Delays;
}

export interface Results extends Measured {
  /** How well the end of each stay in a state was expected. */
  readonly expected: ExpectedResults;
  /** Documents that arrived. */
  readonly documents: number;
  readonly events: number;
  /** Simulated time, and the time that the simulation took. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

interface CallerMeter {
  polls: number;
  lagMs: number;
  watched: number;
  /** Time watched, summed over documents (ms). */
  watchedMs: number;
  since: number;
}

interface PollCounts {
  readonly polls: number;
  readonly refused: number;
}

interface RedisCounts {
  readonly commands: number;
  readonly delivered: number;
}

export function createMeter(clock: Clock, callerCount: number) {
  const callers: CallerMeter[] = Array.from({ length: callerCount }, () => ({
    polls: 0,
    lagMs: 0,
    watched: 0,
    watchedMs: 0,
    since: 0,
  }));
  const byAge: number[][] = ageLimits.map(() => []);
  const final: number[] = [];
  const lags: number[] = [];
  let watched = 0;
  let mostWatched = 0;
  let last = { at: 0, polls: 0, refused: 0, commands: 0, delivered: 0 };
  const peak = { polls: 0, commands: 0, delivered: 0 };

  function count(caller: number, change: number): void {
    const meter = callers[caller] as CallerMeter;
    meter.watchedMs += meter.watched * (clock.now() - meter.since);
    meter.since = clock.now();
    meter.watched += change;
    watched += change;
    mostWatched = Math.max(mostWatched, watched);
  }

  /** Polls that the caller would have made without waiting for the budget. */
  function needOf({ polls, lagMs, watchedMs }: CallerMeter): number {
    return polls === 0 ? 0 : (polls * watchedMs) / Math.max(watchedMs - lagMs, watchedMs / 1_000);
  }

  function fairness(): number {
    const active = callers.filter(({ polls }) => polls > 0);
    const total = active.reduce((sum, { polls }) => sum + polls, 0);
    const shares = fairShares(active.map(needOf), total);
    return jain(active.map(({ polls }, index) => polls / (shares[index] as number)));
  }

  return {
    began: (caller: number) => count(caller, 1),
    ended: (caller: number) => count(caller, -1),
    polled(caller: number, lagMs: number): void {
      const meter = callers[caller] as CallerMeter;
      meter.polls += 1;
      meter.lagMs += lagMs;
      lags.push(lagMs);
    },
    /** A subscriber receives now a change of a document that arrived at `arrivedAt`. */
    detected(changedAt: number, arrivedAt: number, isFinal: boolean): void {
      const age = changedAt - arrivedAt;
      const delay = clock.now() - changedAt;
      byAge[ageLimits.findIndex((limit) => age < limit)]?.push(delay);
      if (isFinal) final.push(delay);
    },
    /** Ends a part of the time whose rates are compared with the other parts. */
    bin({ polls, refused }: PollCounts, { commands, delivered }: RedisCounts): void {
      const at = clock.now();
      const seconds = (at - last.at) / 1_000;
      peak.polls = Math.max(peak.polls, (polls - last.polls) / seconds);
      peak.commands = Math.max(peak.commands, (commands - last.commands) / seconds);
      peak.delivered = Math.max(peak.delivered, (delivered - last.delivered) / seconds);
      last = { at, polls, refused, commands, delivered };
    },
    results(): Measured {
      for (const caller of callers.keys()) count(caller, 0);
      return {
        byAge: byAge.map(delaysOf),
        all: delaysOf(byAge.flat()),
        final: delaysOf(final),
        polls: last.polls,
        pollsPerSecond: last.polls / (last.at / 1_000),
        peakPollsPerSecond: peak.polls,
        refused: last.refused / Math.max(1, last.polls),
        commandsPerSecond: peak.commands,
        messagesPerSecond: peak.delivered,
        watched: mostWatched,
        fairness: fairness(),
        lag: delaysOf(lags),
      };
    },
  };
}

function delaysOf(delays: readonly number[]): Delays {
  const sorted = Float64Array.from(delays).sort();
  return { count: sorted.length, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}
