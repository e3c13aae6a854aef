import { createTimeWindow } from './time-window.ts';

/** The breaker is open, for so long. */
export interface OpenRejection {
  readonly openForMs: number;
}

/** What an attempt showed of the service. `unknown`: it ended for a reason of the caller's or of our own. */
export type ServiceHealth = 'good' | 'bad' | 'unknown';

export interface CircuitBreaker {
  /** Runs the attempt unless it is open. */
  run<T extends { readonly health: ServiceHealth }>(attempt: () => Promise<T>): Promise<T | OpenRejection>;
  readonly state: () => BreakerState;
}

export type BreakerState = 'closed' | 'half-open' | 'open';

/** Opens when more than half of the attempts of the last 10 seconds were bad, and there were at least 20. */
const leastAttempts = 20;
const badShare = 0.5;
const firstOpenMs = 1_000;
const longestOpenMs = 15_000;

/**
 * A circuit breaker for one endpoint and all its callers: a service in trouble is left alone for a second,
 * then for up to 15 while single probes fail. `now`: milliseconds of a clock that never goes back.
 */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  const recent = createTimeWindow<'good' | 'bad'>(now);
  let state: BreakerState = 'closed';
  /** Counts openings and closings: an attempt decides only in the period in which it began. */
  let period = 0;
  let failedProbes = 0;
  let opensUntil = 0;
  let probedSince = 0;

  function open(): void {
    opensUntil = now() + Math.min(firstOpenMs * 2 ** failedProbes, longestOpenMs);
    failedProbes += 1;
    state = 'open';
    period += 1;
  }

  function close(): void {
    failedProbes = 0;
    state = 'closed';
    period += 1;
    recent.clear();
  }

  function decide(health: ServiceHealth): void {
    if (state === 'half-open') {
      if (health === 'good') close();
      else if (health === 'bad') open();
      // Nothing was learned: the next attempt is the probe.
      else state = 'open';
    } else if (state === 'closed' && health !== 'unknown') {
      recent.add(health);
      if (health === 'bad' && isMostlyBad()) open();
    }
  }

  function isMostlyBad(): boolean {
    const bad = recent.count('bad');
    const all = bad + recent.count('good');
    return all >= leastAttempts && bad > all * badShare;
  }

  /** undefined: the attempt may run. */
  function refusal(): OpenRejection | undefined {
    if (state === 'closed') return undefined;
    const time = now();
    if (state === 'open' && time < opensUntil) return { openForMs: opensUntil - time };
    // Others wait for a probe in progress, but not for one that takes as long as an upload may.
    if (state === 'half-open' && time < probedSince + longestOpenMs) return { openForMs: firstOpenMs };
    state = 'half-open';
    probedSince = time;
    return undefined;
  }

  return {
    async run(attempt) {
      const refused = refusal();
      if (refused) return refused;
      const begunIn = period;
      let health: ServiceHealth = 'unknown';
      try {
        const result = await attempt();
        health = result.health;
        return result;
      } finally {
        if (begunIn === period) decide(health);
      }
    },
    // The next attempt is the probe once the time is over, whether or not one is made.
    state: () => (state === 'open' && now() >= opensUntil ? 'half-open' : state),
  };
}
