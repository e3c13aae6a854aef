/** One watch for each lane and document: polled once, whoever and however many listen. */

import type { Caller, Lane } from '../caller.ts';
import { requestIdFrom } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';
import { createLocalStatusBus, type StatusBus, type WatchNews } from '../state/status-bus.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { isFinal, type MalaysiaStatus } from './malaysia.api.ts';
import { createPollBudget } from './poll-budget.ts';
import {
  askedAtOf,
  delayed,
  endsWatch,
  errorMessage,
  isOutdated,
  sameState,
  statusIn,
  statusMessage,
  unforeseen,
  type WatchMessage,
} from './status-changes.ts';
import { createWatch, linksTo, type StatusListener, type Watch } from './watch.ts';

export interface StatusWatches {
  /** Listens to a document; the answer stops it. Throws RATE_LIMITED when the caller watches too many. */
  listen(caller: Caller, documentId: string, listener: StatusListener): () => void;
  /** A state that somebody in the lane was told by other means. It holds unless a call that began later told another. */
  observed(lane: Lane, status: MalaysiaStatus): void;
  /** Longest life of one subscription (ms). */
  readonly maxDurationMs: number;
  /** Ends all watches. */
  close(): void;
}

export interface StatusWatchOptions {
  /** Asks the service once. */
  readonly poll: (caller: Caller, documentId: string) => Promise<MalaysiaStatus>;
  /** First interval, and the one after a change (ms). */
  readonly pollMinMs: number;
  /** Longest interval (ms). */
  readonly pollMaxMs: number;
  readonly pollBudgetPerSecond: number;
  /** Longest life of one subscription (ms). */
  readonly watchMaxMs: number;
  readonly maxWatchesPerCaller: number;
  readonly acceptedLanes: AcceptedLanes;
  /** Other gateways that watch the same. Default: none. */
  readonly bus?: StatusBus;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** A lease holds this much longer than the interval to the next poll: then its holder is gone. */
const leasePerInterval = 1.5;
/** Even with its jitter, a try to take a lease over comes after the lease has ended, and within two intervals. */
const takeOverAfter = 1.15;
/** With silence each interval is this much longer than the one before. */
const growth = 1.5;
/** Part of an interval that is left to chance, so that watches begun together drift apart. */
const jitter = 0.2;
/** An import and its status may meet different parts of the service: so long a document may be unknown (ms). */
const unknownGraceMs = 15_000;
const longestRetryAfterMs = 5 * 60_000;
export function createStatusWatches(options: StatusWatchOptions): StatusWatches {
  const { poll, pollMinMs, pollMaxMs, maxWatchesPerCaller, bus = createLocalStatusBus() } = options;
  const { metrics, tracing } = options;
  const lanes = new Map<Lane, Map<string, Watch>>();
  const budget = createPollBudget(options.pollBudgetPerSecond, options.acceptedLanes);
  metrics.gauge('folio_watches', () => [...lanes.values()].reduce((sum, { size }) => sum + size, 0));

  function start(caller: Caller, documentId: string): Watch {
    const watches = lanes.get(caller.lane) ?? new Map<string, Watch>();
    if (watches.size >= maxWatchesPerCaller) throw tooManyWatches(maxWatchesPerCaller);
    const watch = createWatch(caller, documentId, pollMinMs);
    watches.set(documentId, watch);
    lanes.set(caller.lane, watches);
    watch.stopHearing = bus.listen(watch.lane, documentId, (news, agoMs) => hear(watch, news, agoMs));
    void pollOrListen(watch);
    return watch;
  }

  function stop(watch: Watch): void {
    const watches = lanes.get(watch.lane);
    if (watches?.get(watch.documentId) === watch) watches.delete(watch.documentId);
    if (watches?.size === 0) lanes.delete(watch.lane);
    watch.cancelNext();
    watch.stopHearing();
    watch.controller.abort();
    bus.release(watch.lane, watch.documentId);
  }

  function end(watch: Watch, error?: GatewayError): void {
    stop(watch);
    for (const listener of watch.listeners) listener.done(error);
    watch.listeners.clear();
  }

  /** One gateway of the fleet polls; the others listen to it, and take over when nothing is heard of it. */
  async function pollOrListen(watch: Watch): Promise<void> {
    const leaseMs = watch.intervalMs * leasePerInterval;
    watch.turn += 1;
    const { turn } = watch;
    const leasedUntil = performance.now() + leaseMs;
    const lease = await bus.lease(watch.lane, watch.documentId, leaseMs);
    if (watch.controller.signal.aborted || watch.turn !== turn) return;
    watch.leasedUntil = lease === 'mine' ? leasedUntil : 0;
    if (lease === 'other') pollAfter(watch, leaseMs * takeOverAfter);
    else pollWhenAllowed(watch);
  }

  /** `nextMs`: when this gateway will ask again. */
  function tellOthers(watch: Watch, message: WatchMessage, nextMs = watch.intervalMs): void {
    const leaseMs = nextMs * leasePerInterval;
    bus.publish(watch.lane, watch.documentId, { message, isKept: 'status' in message, leaseMs });
  }

  /** What the gateway that polls has told. */
  function hear(watch: Watch, { message, leaseMs }: WatchNews, agoMs = 0): void {
    if (watch.controller.signal.aborted) return;
    const told = message as WatchMessage | undefined;
    if (told && 'error' in told) {
      end(watch, new GatewayError(told.error));
      return;
    }
    if (told) {
      watch.hasState ||= !(told.status.state === 'UNKNOWN' && told.status.isDelayed);
      tell(watch, statusIn(told, agoMs));
      if (endedByFinalState(watch)) return;
    }
    // While the lease is this gateway's, its own poll goes on, also when it waits for the budget.
    const holdsLease = performance.now() < watch.leasedUntil;
    if (!watch.isPolling && !holdsLease) pollAfter(watch, leaseMs * takeOverAfter);
  }

  function pollWhenAllowed(watch: Watch): void {
    watch.cancelNext();
    watch.cancelNext = budget.schedule(watch.lane, () => void pollOnce(watch));
  }

  function pollAfter(watch: Watch, delayMs: number): void {
    watch.cancelNext();
    const jittered = delayMs * (1 - jitter / 2 + jitter * Math.random());
    watch.dueAt = performance.now() + jittered;
    const timer = setTimeout(() => void pollOrListen(watch), jittered);
    watch.cancelNext = () => clearTimeout(timer);
  }

  async function pollOnce(watch: Watch): Promise<void> {
    watch.cancelNext = () => {};
    watch.isPolling = true;
    metrics.pollLagSeconds.observe(Math.max(0, performance.now() - watch.dueAt) / 1_000);
    metrics.pollsSaved.inc(watch.listeners.size - 1);
    const span = tracing.start('poll', { links: linksTo(watch.listeners) });
    const askedAt = performance.now();
    try {
      const caller = { ...watch.caller, requestId: requestIdFrom(undefined), span };
      const status = await poll(caller, watch.documentId);
      if (!watch.controller.signal.aborted) succeeded(watch, { askedAt, ...status });
    } catch (error) {
      if (!watch.controller.signal.aborted) failed(watch, error, askedAt);
    } finally {
      watch.isPolling = false;
      span.end();
    }
  }

  function succeeded(watch: Watch, status: MalaysiaStatus): void {
    watch.failures = 0;
    watch.hasState = true;
    const changed = tell(watch, status);
    const now = performance.now();
    if (changed && watch.toldAt !== undefined) metrics.detectionSeconds.observe((now - watch.toldAt) / 1_000);
    watch.toldAt = now;
    watch.intervalMs = changed ? pollMinMs : Math.min(watch.intervalMs * growth, pollMaxMs);
    tellOthers(watch, statusMessage(watch.last ?? status));
    if (!endedByFinalState(watch)) pollAfter(watch, watch.intervalMs);
  }

  function endedByFinalState(watch: Watch): boolean {
    const isOver = watch.last !== undefined && isFinal(watch.last);
    if (isOver) end(watch);
    return isOver;
  }

  function failed(watch: Watch, error: unknown, askedAt: number): void {
    const failure = error instanceof GatewayError ? error : unforeseen(error);
    const isUnknown = failure.code === 'NOT_FOUND' && !watch.hasState;
    if (isUnknown && Date.now() - watch.startedAt < unknownGraceMs) {
      pollAfter(watch, pollMinMs);
    } else if (isUnknown || endsWatch(failure)) {
      tellOthers(watch, errorMessage(failure));
      end(watch, failure);
    } else {
      // A call that began later may have succeeded meanwhile: then this failure says nothing of the state of now.
      const isLatest = !watch.last || askedAt >= askedAtOf(watch.last);
      if (isLatest) watch.failures += 1;
      if (isLatest && (watch.failures >= 2 || !watch.hasState))
        tell(watch, delayed(watch.documentId, watch.last));
      watch.intervalMs = Math.min(watch.intervalMs * growth, pollMaxMs);
      const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, longestRetryAfterMs);
      const nextMs = Math.max(watch.intervalMs, retryAfterMs);
      if (watch.last) tellOthers(watch, statusMessage(watch.last), nextMs);
      // What the service asked for holds for the whole fleet.
      if (nextMs > watch.intervalMs) void bus.lease(watch.lane, watch.documentId, nextMs * leasePerInterval);
      pollAfter(watch, nextMs);
    }
  }

  /** Keeps the state and tells it to all, if it is news; drops it if a call that began later told another. */
  function tell(watch: Watch, status: MalaysiaStatus): boolean {
    if (isOutdated(status, watch.last)) return false;
    const changed = watch.last === undefined || !sameState(watch.last, status);
    // What a failed poll repeats keeps the time of the call that returned it.
    const askedAt = Math.max(
      askedAtOf(status),
      watch.last ? askedAtOf(watch.last) : Number.NEGATIVE_INFINITY,
    );
    watch.last = askedAtOf(status) === askedAt ? status : { ...status, askedAt };
    if (changed) for (const listener of watch.listeners) listener.next(watch.last);
    return changed;
  }

  return {
    listen(caller, documentId, listener) {
      const watch = lanes.get(caller.lane)?.get(documentId) ?? start(caller, documentId);
      watch.listeners.add(listener);
      if (watch.last) listener.next(watch.last);
      return () => {
        if (!watch.listeners.delete(listener)) return;
        if (watch.listeners.size === 0) stop(watch);
      };
    },

    observed(lane, status) {
      const watch = lanes.get(lane)?.get(status.documentId);
      if (!watch) return;
      watch.hasState = true;
      tell(watch, { askedAt: performance.now(), ...status });
      endedByFinalState(watch);
    },

    maxDurationMs: options.watchMaxMs,

    close() {
      for (const watches of lanes.values()) for (const watch of watches.values()) end(watch);
    },
  };
}

function tooManyWatches(maximum: number): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: `This caller watches ${maximum} documents already: end some watches first.`,
    retryable: true,
  });
}
