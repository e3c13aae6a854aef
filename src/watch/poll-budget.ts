/** When polls are made: as many each second as the budget allows, in the order of `shares/fair-queue.ts`. */
import type { Holder } from '../caller.ts';
import type { AcceptedLanes } from '../shares/accepted-lanes.ts';
import { FairQueue } from '../shares/fair-queue.ts';
import type { FleetPollBudget } from '../state/fleet-poll-budget.ts';
import { type Clock, systemClock } from './clock.ts';

export type PollBudget = ReturnType<typeof createPollBudget>;

/** Minimum time between two timers of the budget (ms): a burst is spread, and polls need no timer each. */
const stepMs = 50;
/** A timer can end by so much too early (ms). With one poll a second the next one would wait for another second. */
const earlyMs = 10;
/** After the fleet's budget was unreachable, how long the own one is used before it is tried again (ms). */
const aloneMs = 1_000;
/** Share of a second's polls that is taken from the fleet's budget at once, at most. */
const batchShare = 0.1;

/**
 * Limits the polls per second: of the process, or of all gateways if there is a budget of the fleet. While that is
 * unreachable, each gateway has its own. Over the limit, polls wait in a `FairQueue`: a caller with many watches is delayed
 * before others are, and invented credentials get at most every second poll.
 */
export function createPollBudget(
  pollsPerSecond: number,
  acceptedLanes: AcceptedLanes,
  clock: Clock = systemClock,
  fleet?: FleetPollBudget,
) {
  const due = new FairQueue<() => void>(acceptedLanes);
  let tokens = pollsPerSecond;
  let refilledAt = clock.now();
  let cancelStep: (() => void) | undefined;
  let isTaking = false;
  let aloneUntil = Number.NEGATIVE_INFINITY;

  function refill(): void {
    const time = clock.now();
    tokens = Math.min(pollsPerSecond, tokens + ((time - refilledAt) / 1_000) * pollsPerSecond);
    refilledAt = time;
  }

  function serve(): void {
    if (fleet && clock.now() >= aloneUntil) {
      if (!isTaking && cancelStep === undefined) void takeFromFleet(fleet);
      return;
    }
    refill();
    while (tokens >= 1) {
      const next = due.next();
      if (next === undefined) break;
      tokens -= 1;
      next();
    }
    serveLater();
  }

  function serveLater(): void {
    if (due.size === 0) return;
    cancelStep ??= clock.after(Math.max(stepMs, 1_000 / pollsPerSecond + earlyMs), () => {
      cancelStep = undefined;
      serve();
    });
  }

  /** Takes as many as are due, in batches, so that no gateway keeps what others need. */
  async function takeFromFleet(fleet: FleetPollBudget): Promise<void> {
    isTaking = true;
    let isShort = false;
    while (due.size > 0 && !isShort) {
      const wanted = Math.min(due.size, Math.ceil(pollsPerSecond * batchShare));
      const taken = await fleet.take(wanted, due.owners);
      if (taken === undefined) aloneUntil = clock.now() + aloneMs;
      for (let poll = 0; poll < (taken ?? 0); poll += 1) due.next()?.();
      isShort = taken === undefined || taken < wanted;
    }
    isTaking = false;
    if (clock.now() < aloneUntil) serve();
    else serveLater();
  }

  return {
    /** Runs the poll as soon as the budget allows. Returns a function that cancels it. */
    schedule(holder: Holder, poll: () => void) {
      const remove = due.add(holder, poll);
      serve();
      return () => {
        remove();
        if (due.size > 0) return;
        cancelStep?.();
        cancelStep = undefined;
      };
    },
  };
}
