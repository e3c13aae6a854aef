/** One watch for each lane and document: one poll serves all its subscribers. */

import type { Caller, Lane } from '../../caller.ts';
import { requestIdFrom } from '../../caller.ts';
import { codeWith, GatewayError } from '../../errors.ts';
import type { AcceptedLanes } from '../../shares/accepted-lanes.ts';
import type { LaneBudget } from '../../shares/lane-budget.ts';
import type { FleetBudget } from '../../state/fleet-budget.ts';
import { createLocalStatusBus, type StatusBus, type WatchMessage } from '../../state/status-bus.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import { type Clock, systemClock } from './clock.ts';
import { isFinal, type MalaysiaStatus } from './malaysia.api.ts';
import { createPollBudget, type PollBudget } from './poll-budget.ts';
import {
  createPollIntervals,
  jittered,
  leaseFor,
  type PollIntervals,
  takeOverAfter,
} from './poll-interval.ts';
import {
  answeredAtOf,
  askedAtOf,
  delayed,
  endsWatch,
  isOutdated,
  sameState,
  unexpectedError,
  unreadable,
} from './status-changes.ts';
import { createWatch, linksTo, type StatusListener, type Watch } from './watch.ts';
import { decodePayload, errorPayload, statusOf, statusPayload, type WatchPayload } from './watch-payload.ts';

export interface StatusWatches {
  /**
   * Subscribes to a document and returns a function that unsubscribes. Throws RATE_LIMITED when no
   * further document can be watched.
   */
  subscribe(caller: Caller, documentId: string, listener: StatusListener): () => void;
  /** Takes over a status that a query of the lane received, unless a later call has returned another one. */
  observed(lane: Lane, status: MalaysiaStatus): void;
  /** Maximum duration of one subscription (ms). */
  readonly maxDurationMs: number;
  /** Ends all watches. */
  close(): void;
}

export interface StatusWatchOptions {
  /** Makes one call to the service. */
  readonly poll: (caller: Caller, documentId: string) => Promise<MalaysiaStatus>;
  /** Interval at first and after a change (ms). */
  readonly pollMinMs: number;
  /** Maximum interval (ms). */
  readonly pollMaxMs: number;
  readonly pollBudgetPerSecond: number;
  /** Maximum duration of one subscription (ms). */
  readonly watchMaxMs: number;
  /** Bounds the documents that are watched. */
  readonly bound: LaneBudget;
  readonly acceptedLanes: AcceptedLanes;
  /** Connects gateways that watch the same documents. Default: a single gateway. */
  readonly bus?: StatusBus;
  /** The budget that all gateways share. Default: a budget of this process. */
  readonly fleetBudget?: FleetBudget | undefined;
  /** Default: `pollBudgetPerSecond`, of the fleet or of this process. */
  readonly budget?: PollBudget;
  /** Default: between `pollMinMs` and `pollMaxMs`, as the last documents require. */
  readonly intervals?: PollIntervals;
  /** Default: the time of the system. */
  readonly clock?: Clock;
  /** Returns a number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** Longest time from the first poll of a document to the second one, before jitter (ms): within a second of an import. */
const secondPollMs = 900;
/** How long a document may be unknown (ms): an import and its status may reach different parts of the service. */
const unknownGraceMs = 15_000;
const maxRetryAfterMs = 5 * 60_000;

export function createStatusWatches(options: StatusWatchOptions): StatusWatches {
  const { poll, pollMinMs, pollMaxMs, bound, bus = createLocalStatusBus() } = options;
  const { metrics, tracing, clock = systemClock, random = Math.random } = options;
  const { intervals = createPollIntervals({ minMs: pollMinMs, maxMs: pollMaxMs }) } = options;
  const lanes = new Map<Lane, Map<string, Watch>>();
  const { pollBudgetPerSecond, acceptedLanes, fleetBudget } = options;
  const { budget = createPollBudget(pollBudgetPerSecond, acceptedLanes, clock, fleetBudget) } = options;
  metrics.gauge('folio_watches', () => [...lanes.values()].reduce((sum, { size }) => sum + size, 0));

  function start(caller: Caller, documentId: string): Watch {
    const watches = lanes.get(caller.lane) ?? new Map<string, Watch>();
    const release = bound.hold(caller, 1);
    const watch = createWatch(caller, documentId, pollMinMs, clock.now(), release);
    watches.set(documentId, watch);
    lanes.set(caller.lane, watches);
    watch.unsubscribe = bus.subscribe(watch.lane, documentId, (message, ageMs) =>
      onMessage(watch, message, ageMs),
    );
    void pollOrWait(watch);
    return watch;
  }

  function stop(watch: Watch): void {
    const watches = lanes.get(watch.lane);
    if (watches?.get(watch.documentId) === watch) watches.delete(watch.documentId);
    if (watches?.size === 0) lanes.delete(watch.lane);
    watch.release();
    watch.cancelPoll();
    watch.unsubscribe();
    watch.cancellation.abort();
    bus.release(watch.lane, watch.documentId);
  }

  function end(watch: Watch, error?: GatewayError): void {
    stop(watch);
    for (const listener of watch.listeners) listener.done(error);
    watch.listeners.clear();
  }

  /** Polls if this gateway gets the lease. Otherwise waits for messages of its holder, and tries again when the lease has expired. */
  async function pollOrWait(watch: Watch): Promise<void> {
    const leaseMs = leaseFor(watch.intervalMs);
    watch.generation += 1;
    const { generation } = watch;
    const leasedUntil = clock.now() + leaseMs;
    const lease = await bus.lease(watch.lane, watch.documentId, leaseMs);
    if (watch.cancellation.aborted || watch.generation !== generation) return;
    watch.leasedUntil = lease === 'mine' ? leasedUntil : 0;
    if (lease === 'other') pollAfter(watch, takeOverAfter(leaseMs));
    else pollWhenAllowed(watch);
  }

  /** `nextMs`: time until the next poll of this gateway. */
  function publish(watch: Watch, payload: WatchPayload, nextMs = watch.intervalMs): void {
    const leaseMs = leaseFor(nextMs);
    bus.publish(watch.lane, watch.documentId, { payload, isKept: 'status' in payload, leaseMs });
  }

  /** Handles a message of the gateway that polls. */
  function onMessage(watch: Watch, { payload: received, leaseMs }: WatchMessage, ageMs = 0): void {
    if (watch.cancellation.aborted) return;
    const payload = decodePayload(received, watch.documentId);
    // Ignore a message that cannot be read. The next lease request decides what to do.
    if (received !== undefined && !payload) return;
    const now = clock.now();
    if (payload && 'error' in payload) {
      if (watch.last && now - ageMs < answeredAtOf(watch.last)) return;
      end(watch, new GatewayError({ ...payload.error, ...codeWith(payload.error.code) }));
      return;
    }
    if (payload) {
      watch.hasState ||= payload.status.rawState !== null;
      notify(watch, statusOf(payload, now, ageMs));
      if (endedByFinalState(watch)) return;
    }
    // While this gateway holds the lease, its own poll continues, also when it waits for the budget.
    const holdsLease = clock.now() < watch.leasedUntil;
    if (!watch.isPolling && !holdsLease) pollAfter(watch, takeOverAfter(leaseMs));
  }

  function pollWhenAllowed(watch: Watch): void {
    watch.cancelPoll();
    watch.cancelPoll = budget.schedule(watch.caller, () => void pollOnce(watch));
  }

  function pollAfter(watch: Watch, delayMs: number): void {
    watch.cancelPoll();
    const actualMs = jittered(delayMs, random());
    watch.dueAt = clock.now() + actualMs;
    watch.cancelPoll = clock.after(actualMs, () => void pollOrWait(watch));
  }

  async function pollOnce(watch: Watch): Promise<void> {
    watch.cancelPoll = () => {};
    watch.isPolling = true;
    metrics.pollLagSeconds.observe(Math.max(0, clock.now() - watch.dueAt) / 1_000);
    metrics.pollsSaved.inc(watch.listeners.size - 1);
    const span = tracing.start('poll', { links: linksTo(watch.listeners) });
    const askedAt = clock.now();
    try {
      const caller = { ...watch.caller, requestId: requestIdFrom(undefined), span };
      const status = await poll(caller, watch.documentId);
      if (!watch.cancellation.aborted) succeeded(watch, { askedAt, answeredAt: clock.now(), ...status });
    } catch (error) {
      if (!watch.cancellation.aborted) failed(watch, error, askedAt);
    } finally {
      watch.isPolling = false;
      span.end();
    }
  }

  function succeeded(watch: Watch, status: MalaysiaStatus): void {
    const now = clock.now();
    const previous = watch.hasState ? watch.last : undefined;
    const { stateSince, lastStatusAt = 0 } = watch;
    watch.failures = 0;
    watch.hasState = true;
    const changed = notify(watch, status);
    if (changed && watch.lastStatusAt !== undefined)
      metrics.detectionSeconds.observe((now - watch.lastStatusAt) / 1_000);
    watch.lastStatusAt = now;
    const current = watch.last ?? status;
    if (previous) {
      const seenAt = Math.max(stateSince, lastStatusAt);
      intervals.record(
        previous.state,
        seenAt - stateSince,
        now - stateSince,
        previous.state !== current.state,
      );
    }
    const lastMs = watch.intervalMs;
    watch.intervalMs = intervals.next(current.state, now - watch.stateSince, changed ? undefined : lastMs);
    publish(watch, statusPayload(current, now));
    // The lease was requested for the interval before.
    if (watch.intervalMs > leaseFor(lastMs))
      void bus.lease(watch.lane, watch.documentId, leaseFor(watch.intervalMs));
    const isFirst = !previous && watch.intervalMs === pollMinMs;
    if (!endedByFinalState(watch))
      pollAfter(watch, isFirst ? Math.min(pollMinMs, secondPollMs) : watch.intervalMs);
  }

  function endedByFinalState(watch: Watch): boolean {
    const isOver = watch.last !== undefined && isFinal(watch.last);
    if (isOver) end(watch);
    return isOver;
  }

  function failed(watch: Watch, error: unknown, askedAt: number): void {
    const failure = error instanceof GatewayError ? error : unexpectedError(error);
    const isUnknown = failure.code === 'NOT_FOUND' && !watch.hasState;
    if (isUnknown && Date.now() - watch.startedAt < unknownGraceMs) {
      pollAfter(watch, pollMinMs);
    } else if (isUnknown || endsWatch(failure)) {
      publish(watch, errorPayload(failure));
      end(watch, failure);
    } else {
      // If a later call has succeeded meanwhile, this failure does not describe the current state.
      const isLatest = !watch.last || askedAt >= askedAtOf(watch.last);
      if (isLatest) showTrouble(watch, failure);
      watch.intervalMs = intervals.afterFailure(watch.intervalMs);
      const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
      const nextMs = Math.max(watch.intervalMs, retryAfterMs);
      if (watch.last) publish(watch, statusPayload(watch.last, clock.now()), nextMs);
      // A Retry-After of the service applies to the whole fleet: keep the lease until then.
      if (nextMs > watch.intervalMs) void bus.lease(watch.lane, watch.documentId, leaseFor(nextMs));
      pollAfter(watch, nextMs);
    }
  }

  /** The second failure in a row is shown: as a delay, or as a problem if the service responds. Without a state the first is. */
  function showTrouble(watch: Watch, failure: GatewayError): void {
    const isUnreadable = failure.code === 'UPSTREAM_BAD_RESPONSE';
    watch.failures = isUnreadable === watch.isUnreadable ? watch.failures + 1 : 1;
    watch.isUnreadable = isUnreadable;
    const isSecond = watch.failures >= 2;
    const { documentId, last } = watch;
    if (isUnreadable) notify(watch, unreadable(documentId, last, isSecond ? failure : undefined));
    else if (isSecond || !watch.hasState) notify(watch, delayed(documentId, last));
  }

  /** Stores the status and notifies the listeners if it changed. Drops it if a later call has returned another one. */
  function notify(watch: Watch, status: MalaysiaStatus): boolean {
    if (isOutdated(status, watch.last)) return false;
    const changed = watch.last === undefined || !sameState(watch.last, status);
    // A status repeated after a failed poll keeps the times of the call that returned it.
    const askedAt = Math.max(askedAtOf(status), watch.last ? askedAtOf(watch.last) : askedAtOf(status));
    const answeredAt = Math.max(answeredAtOf(status), watch.last ? answeredAtOf(watch.last) : askedAt);
    if (watch.last?.state !== status.state) watch.stateSince = clock.now();
    watch.last = { ...status, askedAt, answeredAt };
    if (changed) for (const listener of watch.listeners) listener.next(watch.last);
    return changed;
  }

  return {
    subscribe(caller, documentId, listener) {
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
      notify(watch, { askedAt: clock.now(), answeredAt: clock.now(), ...status });
      endedByFinalState(watch);
    },

    maxDurationMs: options.watchMaxMs,

    close() {
      for (const watches of lanes.values()) for (const watch of watches.values()) end(watch);
    },
  };
}
