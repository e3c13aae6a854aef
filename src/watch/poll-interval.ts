/**
 * When a document is polled next, and for how long the gateway that polls holds its lease. The intervals follow how long the
 * last documents stayed in their states.
 */
import { type PollBounds, type PollPlan, planPolls } from './poll-density.ts';
import { createStateDurations, type StateDurations } from './state-durations.ts';

export interface PollIntervals {
  /**
   * Interval after a poll (ms), between the bounds. `ageMs`: time since the state was first seen. `lastMs`: the interval
   * before this poll; undefined if it found a change.
   */
  next(state: string, ageMs: number, lastMs: number | undefined): number;
  /** Interval after a failed poll (ms). */
  afterFailure(lastMs: number): number;
  /**
   * Records two polls one after the other, at these ages in the state (ms): the second one saw that the document has left
   * it, or that it has not.
   */
  record(state: string, fromMs: number, toMs: number, hasLeft: boolean): void;
}

/** Factor by which an interval grows that follows no plan. */
const growth = 1.5;

/** The interval without a plan (ms): shortest at first and after a change (`lastMs` is undefined), then growing. */
export function growingInterval({ minMs, maxMs }: PollBounds, lastMs: number | undefined): number {
  return lastMs === undefined ? minMs : Math.min(lastMs * growth, maxMs);
}

/** Random part of an interval, so that watches that started at the same time do not poll at the same time. */
const jitter = 0.2;
/** Duration of a lease, in intervals between polls: a holder that has not renewed it by then is assumed dead. */
const leasePerInterval = 1.5;
/** Delay before another gateway tries to take the lease over, in durations of a lease: after its end despite jitter, and within two intervals. */
const takeOverPerLease = 1.15;

/** Number of documents that must have left a state before its intervals follow them; until then they grow. */
const minLeft = 100;
/** The plan of a state is made again after as many further documents have left it. */
const renewAfter = 100;

interface StateHistory {
  readonly durations: StateDurations;
  leftSincePlan: number;
  plan: PollPlan | undefined;
}

export function createPollIntervals(bounds: PollBounds): PollIntervals {
  const histories = new Map<string, StateHistory>();

  function historyOf(state: string): StateHistory {
    let history = histories.get(state);
    if (!history) {
      history = { durations: createStateDurations(bounds.minMs / 2), leftSincePlan: 0, plan: undefined };
      histories.set(state, history);
    }
    return history;
  }

  return {
    next(state, ageMs, lastMs) {
      const plan = histories.get(state)?.plan;
      return plan ? plan(ageMs, lastMs) : growingInterval(bounds, lastMs);
    },
    afterFailure: (lastMs) => growingInterval(bounds, lastMs),
    record(state, fromMs, toMs, hasLeft) {
      // With equal bounds there is nothing to plan.
      if (bounds.minMs === bounds.maxMs) return;
      const history = historyOf(state);
      const { durations } = history;
      durations.add(fromMs, toMs, hasLeft);
      if (!hasLeft) return;
      history.leftSincePlan += 1;
      if (durations.left() < minLeft || history.leftSincePlan < renewAfter) return;
      history.leftSincePlan = 0;
      history.plan = planPolls(durations.lifeTable(), bounds, (lastMs) => growingInterval(bounds, lastMs));
    },
  };
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
