import type { Lane } from '../caller.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';
import { type Clock, systemClock } from './clock.ts';

export interface PollBudget {
  /** Runs the poll as soon as the budget allows. Returns a function that cancels it. */
  schedule(lane: Lane, poll: () => void): () => void;
}

/** Minimum time between two timers of the budget (ms): a burst is spread, and polls need no timer each. */
const stepMs = 50;

type Due = Map<Lane, Set<() => void>>;

/**
 * Limits the polls per second of the process. Over the limit, polls of lanes that the service has accepted alternate with
 * polls of other lanes. Within each group the lanes take turns, and within a lane the oldest poll is first. A caller with
 * many watches is delayed before others are, and invented credentials get at most every second poll.
 */
export function createPollBudget(
  pollsPerSecond: number,
  acceptedLanes: AcceptedLanes,
  clock: Clock = systemClock,
): PollBudget {
  const accepted: Due = new Map();
  const unproven: Due = new Map();
  const capacity = Math.max(1, pollsPerSecond);
  let isAcceptedNext = true;
  let tokens = capacity;
  let refilledAt = clock.now();
  let cancelStep: (() => void) | undefined;

  acceptedLanes.onAccept((lane) => {
    const polls = unproven.get(lane);
    if (polls === undefined || accepted.has(lane)) return;
    unproven.delete(lane);
    accepted.set(lane, polls);
  });

  function refill(): void {
    const time = clock.now();
    tokens = Math.min(capacity, tokens + ((time - refilledAt) / 1_000) * pollsPerSecond);
    refilledAt = time;
  }

  function serve(): void {
    refill();
    while (tokens >= 1) {
      const next = takeNext();
      if (next === undefined) break;
      tokens -= 1;
      next();
    }
    if (isAnyDue()) cancelStep ??= clock.after(Math.max(stepMs, 1_000 / pollsPerSecond), again);
  }

  function again(): void {
    cancelStep = undefined;
    serve();
  }

  function isAnyDue(): boolean {
    return accepted.size > 0 || unproven.size > 0;
  }

  function takeNext(): (() => void) | undefined {
    const isAccepted = isAcceptedNext ? accepted.size > 0 : unproven.size === 0;
    isAcceptedNext = !isAccepted;
    return takeFrom(isAccepted ? accepted : unproven);
  }

  /** A Map keeps insertion order: a lane that was served moves to the end. */
  function takeFrom(due: Due): (() => void) | undefined {
    for (const [lane, polls] of due) {
      const [poll] = polls;
      due.delete(lane);
      if (poll === undefined) continue;
      polls.delete(poll);
      if (polls.size > 0) due.set(lane, polls);
      return poll;
    }
    return undefined;
  }

  return {
    schedule(lane, poll) {
      const due = acceptedLanes.has(lane) ? accepted : unproven;
      const polls = due.get(lane) ?? new Set();
      polls.add(poll);
      due.set(lane, polls);
      serve();
      return () => {
        polls.delete(poll);
        for (const due of [accepted, unproven]) {
          if (polls.size === 0 && due.get(lane) === polls) due.delete(lane);
        }
        if (!isAnyDue()) {
          cancelStep?.();
          cancelStep = undefined;
        }
      };
    },
  };
}
