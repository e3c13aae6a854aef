import { TimeWindow } from './time-window.ts';

/** What an attempt showed about the service. `unknown`: the caller or the gateway ended it. */
export type ServiceHealth = 'good' | 'bad' | 'unknown';

export interface CircuitBreaker {
  /**
   * Returns the period of an attempt that may be made, for `record`; while the breaker is open, the time until the next
   * attempt may be made (ms).
   */
  admit(): number | { readonly openForMs: number };
  /** Records what an attempt that was admitted in `period` has shown. To be called once for each. */
  record(period: number, health: ServiceHealth): void;
  state(): BreakerState;
}

export type BreakerState = 'closed' | 'half-open' | 'open';

/** The breaker opens when more than half of at least 20 attempts of the last 10 seconds were bad. */
const leastAttempts = 20;
const badShare = 0.5;
const firstOpenMs = 1_000;
const longestOpenMs = 15_000;

/**
 * Creates the circuit breaker of one endpoint for all its callers. It opens for 1 second, and for twice as long after
 * each failed probe, up to 15 seconds. `now`: the time of a monotonic clock (ms).
 */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  let recent = new TimeWindow<'good' | 'bad'>(now);
  let state: BreakerState = 'closed';
  /** Counts openings and closings: an attempt affects the state only in the period in which it began. */
  let period = 0;
  let failedProbes = 0;
  let openUntil = 0;
  let probeStartedAt = 0;

  function open(): void {
    openUntil = now() + Math.min(firstOpenMs * 2 ** failedProbes, longestOpenMs);
    failedProbes += 1;
    state = 'open';
    period += 1;
  }

  function close(): void {
    failedProbes = 0;
    state = 'closed';
    period += 1;
    recent = new TimeWindow(now);
  }

  function isMostlyBad(): boolean {
    const bad = recent.count('bad');
    const all = bad + recent.count('good');
    return all >= leastAttempts && bad > all * badShare;
  }

  return {
    admit() {
      if (state === 'closed') return period;
      const time = now();
      if (state === 'open' && time < openUntil) return { openForMs: openUntil - time };
      // One probe at a time; but a probe that lasts as long as an upload may does not block the next one.
      if (state === 'half-open' && time < probeStartedAt + longestOpenMs) return { openForMs: firstOpenMs };
      state = 'half-open';
      probeStartedAt = time;
      return period;
    },
    record(startedIn, health) {
      if (startedIn !== period) return;
      if (state === 'half-open') {
        if (health === 'good') close();
        else if (health === 'bad') open();
        // The probe showed nothing: the next attempt is the next probe.
        else state = 'open';
      } else if (state === 'closed' && health !== 'unknown') {
        recent.add(health);
        if (health === 'bad' && isMostlyBad()) open();
      }
    },
    // Half-open as soon as the time is over, even when no attempt is made.
    state: () => (state === 'open' && now() >= openUntil ? 'half-open' : state),
  };
}
