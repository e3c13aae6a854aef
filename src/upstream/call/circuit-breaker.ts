/** Refuses calls to an endpoint for some seconds after most attempts failed, and lets probes through. */
import type { Holder, Owner } from '../../caller.ts';
import type { AcceptedLanes } from '../../shares/accepted-lanes.ts';
import { TimeWindow } from './time-window.ts';

/** What an attempt showed about the service. `unknown`: the caller or the gateway ended it. */
export type ServiceHealth = 'good' | 'bad' | 'unknown';

/** A function that records what an attempt has shown, to be called once; or the time until one may be made (ms). */
type Admitted = ((health: ServiceHealth) => void) | { readonly openForMs: number };

export type BreakerState = 'closed' | 'half-open' | 'open';

/**
 * The breaker opens when more than half of at least 20 attempts of the last 10 seconds were bad, for more than half of the
 * owners: for at least 3 of them, or for all when fewer have called.
 */
const leastAttempts = 20;
const leastOwners = 3;
const badShare = 0.5;
const firstOpenMs = 1_000;
const longestOpenMs = 15_000;

/**
 * Creates a circuit breaker. It opens for 1 second, and for twice as long after each failed probe, up to 15 seconds. An
 * owner without a failed attempt may probe earlier, first those that were served.
 */
export function createCircuitBreaker() {
  let good = new TimeWindow();
  let bad = new TimeWindow();
  let state: BreakerState = 'closed';
  /** Counts openings and closings: an attempt affects the state only in the period in which it began. */
  let period = 0;
  let failedProbes = 0;
  let openUntil = 0;
  let probeStartedAt = 0;
  /** Of the owner of the probe: see `rankOf`. */
  let probeRank = 0;
  /** Of the period that ended when the breaker closed last. */
  let goodBefore = good;

  function open(): void {
    openUntil = performance.now() + Math.min(firstOpenMs * 2 ** failedProbes, longestOpenMs);
    failedProbes += 1;
    state = 'open';
    period += 1;
  }

  function close(owner: Owner): void {
    failedProbes = 0;
    state = 'closed';
    period += 1;
    goodBefore = good;
    goodBefore.add(owner);
    good = new TimeWindow();
    bad = new TimeWindow();
  }

  function isMostlyBad(): boolean {
    const [allGood, allBad] = [good.sum(), bad.sum()];
    // Thousands of owners may have called: they are only counted when most attempts were bad.
    if (allGood + allBad < leastAttempts || allBad <= (allGood + allBad) * badShare) return false;
    const goodOf = good.totals();
    const badOf = bad.totals();
    const owners = new Set([...goodOf.keys(), ...badOf.keys()]).size;
    const isBad = ([owner, count]: [Owner | undefined, number]) => count > (goodOf.get(owner) ?? 0);
    const badOwners = badOf.entries().filter(isBad).toArray().length;
    return badOwners >= Math.min(leastOwners, owners) && badOwners > owners * badShare;
  }

  function record(startedIn: number, health: ServiceHealth, owner: Owner): void {
    // An owner whose attempt has failed gets no early probe, also if it began before the breaker opened.
    if (state !== 'closed' && health === 'bad') bad.add(owner);
    if (startedIn !== period) return;
    if (state !== 'closed') {
      if (health === 'good') close(owner);
      else if (health === 'bad') open();
      // The probe showed nothing: the next attempt is the next probe.
      else state = 'open';
    } else if (health !== 'unknown') {
      (health === 'good' ? good : bad).add(owner);
      if (health === 'bad' && isMostlyBad()) open();
    }
  }

  /** 0: an attempt of the owner has failed; 2: none has, and it was served in the last 10 seconds. */
  function rankOf(owner: Owner): number {
    if (bad.has(owner)) return 0;
    return good.has(owner) || goodBefore.has(owner) ? 2 : 1;
  }

  function recorderOf(owner: Owner): Admitted {
    const startedIn = period;
    return (health) => record(startedIn, health, owner);
  }

  return {
    /** `owner`: of the caller, or a group of them. */
    admit(owner: Owner): Admitted {
      if (state === 'closed') return recorderOf(owner);
      const time = performance.now();
      const rank = rankOf(owner);
      if (state === 'open' && time < openUntil && rank === 0) return { openForMs: openUntil - time };
      // One probe at a time. An owner blocks none of a higher rank, and no other for longer when its probe hangs.
      const isBlocked = rank === 0 || (rank <= probeRank && time < probeStartedAt + firstOpenMs);
      if (state === 'half-open' && isBlocked) return { openForMs: firstOpenMs };
      state = 'half-open';
      probeStartedAt = time;
      probeRank = rank;
      return recorderOf(owner);
    },
    // Half-open as soon as the time is over, even when no attempt is made.
    state: (): BreakerState => (state === 'open' && performance.now() >= openUntil ? 'half-open' : state),
  };
}

/** Newcomers are counted in 64 groups, by this many characters of base64: anyone can invent credentials, and counts need memory. */
const groupLength = 1;
/** How long (ms) a good response to an accepted caller shows that the endpoint works. */
const evidenceMs = 10_000;

/**
 * Creates the circuit breakers of one endpoint: one for accepted callers, in which each owner counts once, and one for
 * newcomers, in which each of 64 groups counts once. So failures that newcomers cause stop no accepted caller, and no newcomer
 * while an accepted caller is served. A pause that one caller has caused ends with the first success of another.
 */
export function createEndpointBreaker(acceptedLanes: AcceptedLanes) {
  const ofAccepted = createCircuitBreaker();
  const ofNewcomers = createCircuitBreaker();
  let workedAt = Number.NEGATIVE_INFINITY;

  function admitNewcomer(owner: Owner): Admitted {
    if (ofAccepted.state() === 'open') return { openForMs: firstOpenMs };
    if (performance.now() < workedAt + evidenceMs) return () => {};
    return ofNewcomers.admit(owner.slice(0, groupLength) as Owner);
  }

  return {
    admit({ lane, owner }: Holder): Admitted {
      if (!acceptedLanes.has(lane)) return admitNewcomer(owner);
      const record = ofAccepted.admit(owner);
      if (typeof record === 'object') return record;
      return (health) => {
        if (health === 'good') workedAt = performance.now();
        record(health);
      };
    },
    // What newcomers cause is reported only while nobody else calls.
    state: () => (acceptedLanes.size() > 0 ? ofAccepted : ofNewcomers).state(),
  };
}
