import {
  CircuitState,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  SamplingBreaker,
} from 'cockatiel';

/** The breaker is open, for so long. */
export interface NotTried {
  readonly openForMs: number;
}

export interface Breaker {
  /** Runs the attempt unless it is open. */
  run<T extends { readonly isTrouble: boolean }>(attempt: () => Promise<T>): Promise<T | NotTried>;
  readonly state: () => BreakerState;
}

export type BreakerState = 'closed' | 'half-open' | 'open';

/** Half of the calls of 10 seconds, when there are at least 2 a second. */
const sampling = { threshold: 0.5, duration: 10_000, minimumRps: 2 };
const firstOpenMs = 1_000;
const longestOpenMs = 15_000;

/**
 * A circuit breaker for one endpoint and all its callers: a service in trouble is left alone for a second,
 * then for up to 15 while single probes fail.
 */
export function createBreaker(): Breaker {
  let halfOpenAt = 0;
  const backoff = {
    next({ attempt }: { attempt: number }) {
      const duration = Math.min(firstOpenMs * 2 ** (attempt - 1), longestOpenMs);
      halfOpenAt = Date.now() + duration;
      return { duration, next: backoff.next };
    },
  };
  const isTrouble = (result: unknown) => (result as { isTrouble: boolean }).isTrouble;
  const policy = circuitBreaker(handleWhenResult(isTrouble), {
    halfOpenAfter: backoff,
    breaker: new SamplingBreaker(sampling),
  });
  return {
    async run(attempt) {
      // While a probe is under way the others are told at once; one that takes as long as an upload is no probe.
      if (policy.state === CircuitState.HalfOpen) {
        return Date.now() - halfOpenAt < longestOpenMs ? { openForMs: firstOpenMs } : await attempt();
      }
      try {
        return await policy.execute(attempt);
      } catch (error) {
        if (!isBrokenCircuitError(error)) throw error;
        return { openForMs: Math.max(halfOpenAt - Date.now(), 0) };
      }
    },
    state() {
      if (policy.state === CircuitState.Closed) return 'closed';
      // The policy moves on with the next call; nobody may be calling.
      const isProbed = policy.state === CircuitState.HalfOpen || Date.now() >= halfOpenAt;
      return isProbed ? 'half-open' : 'open';
    },
  };
}
