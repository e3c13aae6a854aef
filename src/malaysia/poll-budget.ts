import type { Lane } from '../caller.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';

export interface PollBudget {
  /** Runs the poll as soon as the budget allows. The returned function cancels it. */
  schedule(lane: Lane, poll: () => void): () => void;
}

/** Budgets are spent in steps of this length, so that a burst is spread and no timer runs for each poll. */
const stepMs = 50;

type Due = Map<Lane, Set<() => void>>;

/**
 * So many polls per second of the process. Over it due polls are served alternately of lanes that the service
 * has accepted and of others, and within each in turn by lane, the oldest first within a lane: a caller who
 * watches much is late before others are, and a crowd of invented credentials takes at most every second poll.
 */
export function createPollBudget(
  pollsPerSecond: number,
  acceptedLanes: AcceptedLanes,
  now: () => number = Date.now,
): PollBudget {
  const accepted: Due = new Map();
  const unproven: Due = new Map();
  const capacity = Math.max(1, pollsPerSecond);
  let isAcceptedNext = true;
  let tokens = capacity;
  let refilledAt = now();
  let timer: NodeJS.Timeout | undefined;

  acceptedLanes.onAccept((lane) => {
    const polls = unproven.get(lane);
    if (polls === undefined || accepted.has(lane)) return;
    unproven.delete(lane);
    accepted.set(lane, polls);
  });

  function refill(): void {
    const time = now();
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
    if (isAnyDue()) timer ??= setTimeout(again, Math.max(stepMs, 1_000 / pollsPerSecond));
  }

  function again(): void {
    timer = undefined;
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

  /** A Map keeps the order of insertion: a served lane goes to the end of the round. */
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
          clearTimeout(timer);
          timer = undefined;
        }
      };
    },
  };
}
