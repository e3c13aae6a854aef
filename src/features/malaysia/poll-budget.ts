import type { Lane } from '../../caller.ts';
import type { AcceptedLanes } from '../../shares/accepted-lanes.ts';
import type { FleetBudget } from '../../state/fleet-budget.ts';
import { type Clock, systemClock } from './clock.ts';

export interface PollBudget {
  /** Runs the poll as soon as the budget allows. Returns a function that cancels it. */
  schedule(lane: Lane, poll: () => void): () => void;
}

/** Minimum time between two timers of the budget (ms): a burst is spread, and polls need no timer each. */
const stepMs = 50;
/** After the fleet's budget was unreachable, how long the own one is used before it is tried again (ms). */
const aloneMs = 1_000;
/** Share of a second's polls that is taken from the fleet's budget at once, at most. */
const batchShare = 0.1;

type Due = Map<Lane, Set<() => void>>;

/**
 * Limits the polls per second: of the process, or of all gateways if there is a budget of the fleet. While that is
 * unreachable, each gateway has its own. Over the limit, polls of lanes that the service has accepted alternate with
 * polls of other lanes. Within each group the lanes take turns, and within a lane the oldest poll is first. A caller with
 * many watches is delayed before others are, and invented credentials get at most every second poll.
 */
export function createPollBudget(
  pollsPerSecond: number,
  acceptedLanes: AcceptedLanes,
  clock: Clock = systemClock,
  fleet?: FleetBudget,
): PollBudget {
  const accepted: Due = new Map();
  const unproven: Due = new Map();
  const capacity = Math.max(1, pollsPerSecond);
  let isAcceptedNext = true;
  let tokens = capacity;
  let refilledAt = clock.now();
  let cancelStep: (() => void) | undefined;
  let isTaking = false;
  let aloneUntil = Number.NEGATIVE_INFINITY;

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
    if (fleet && clock.now() >= aloneUntil) {
      if (!isTaking && cancelStep === undefined && isAnyDue()) void takeFromFleet(fleet);
      return;
    }
    refill();
    while (tokens >= 1) {
      const next = takeNext();
      if (next === undefined) break;
      tokens -= 1;
      next();
    }
    serveLater();
  }

  function serveLater(): void {
    if (isAnyDue()) cancelStep ??= clock.after(Math.max(stepMs, 1_000 / pollsPerSecond), again);
  }

  /** Takes as many as are due, in batches, so that no gateway keeps what others need. */
  async function takeFromFleet(fleet: FleetBudget): Promise<void> {
    isTaking = true;
    let isShort = false;
    while (isAnyDue() && !isShort) {
      const wanted = Math.min(countDue(), Math.ceil(capacity * batchShare));
      const taken = await fleet.take(wanted, countCallers());
      if (taken === undefined) aloneUntil = clock.now() + aloneMs;
      for (let poll = 0; poll < (taken ?? 0); poll += 1) takeNext()?.();
      isShort = taken === undefined || taken < wanted;
    }
    isTaking = false;
    if (clock.now() < aloneUntil) serve();
    else serveLater();
  }

  /** Callers that wait. Those that are not accepted count at most as many as the accepted ones, however many there are. */
  function countCallers(): number {
    return accepted.size + Math.min(unproven.size, Math.max(1, accepted.size));
  }

  function countDue(): number {
    let count = 0;
    for (const due of [accepted, unproven]) for (const polls of due.values()) count += polls.size;
    return count;
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
