import type { Lane } from '../state/lane.ts';

export interface PollBudget {
  /** Runs the poll as soon as the budget allows; the answer takes it back. */
  schedule(lane: Lane, poll: () => void): () => void;
}

/** Budgets are spent in steps of this length, so that a burst is spread and no timer runs for each poll. */
const stepMs = 50;

/**
 * So many polls per second of the process. Over it due polls are served in turn by lane, the oldest first
 * within a lane: a caller who watches much is late before others are.
 */
export function createPollBudget(pollsPerSecond: number, now: () => number = Date.now): PollBudget {
  const due = new Map<Lane, Set<() => void>>();
  const capacity = Math.max(1, pollsPerSecond);
  let tokens = capacity;
  let refilledAt = now();
  let timer: NodeJS.Timeout | undefined;

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
    if (due.size > 0) timer ??= setTimeout(again, Math.max(stepMs, 1_000 / pollsPerSecond));
  }

  function again(): void {
    timer = undefined;
    serve();
  }

  /** A Map keeps the order of insertion: a served lane goes to the end of the round. */
  function takeNext(): (() => void) | undefined {
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
      const polls = due.get(lane) ?? new Set();
      polls.add(poll);
      due.set(lane, polls);
      serve();
      return () => {
        polls.delete(poll);
        if (polls.size === 0 && due.get(lane) === polls) due.delete(lane);
        if (due.size === 0) {
          clearTimeout(timer);
          timer = undefined;
        }
      };
    },
  };
}
