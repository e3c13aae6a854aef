/** One watch for each lane and document: polled once, whoever and however many listen. */
import { GatewayError } from '../errors.ts';
import type { Lane } from '../state/lane.ts';
import { createLocalStatusBus, type StatusBus, type WatchNews } from '../state/status-bus.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Span, Tracing } from '../telemetry/tracing.ts';
import type { Caller } from '../upstream/call.ts';
import { createCallerController, requestIdFrom } from '../upstream/client.ts';
import { isFinal, type MalaysiaStatus } from './malaysia.api.ts';
import { createPollBudget } from './poll-budget.ts';
import { delayed, endsWatch, sameState, unforeseen } from './status-news.ts';

export interface StatusListener {
  /** The state now, then every change. */
  next(status: MalaysiaStatus): void;
  /** Nothing more will come: after a final state, or with the error that ended the watch. */
  done(error?: GatewayError): void;
  /** The subscription in a trace: polls are linked to it. */
  readonly span?: Span | undefined;
}

export interface StatusWatches {
  /** Listens to a document; the answer stops it. Throws RATE_LIMITED when the caller watches too many. */
  listen(caller: Caller, documentId: string, listener: StatusListener): () => void;
  /** A state that somebody in the lane was told by other means: its watch need not wait for the next poll. */
  observed(lane: Lane, status: MalaysiaStatus): void;
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
  readonly maxWatchesPerCaller: number;
  /** Other gateways that watch the same. Default: none. */
  readonly bus?: StatusBus;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** What the gateway that polls tells the others: a status, changed or not, or the error that ended the watch. */
type Told = { readonly status: MalaysiaStatus } | { readonly error: ToldError };
type ToldError = Pick<GatewayError, 'code' | 'message'>;

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
/** Most subscriptions that the span of a poll is linked to. */
const maxLinks = 32;

interface Watch {
  readonly lane: Lane;
  readonly documentId: string;
  readonly listeners: Set<StatusListener>;
  readonly startedAt: number;
  readonly controller: AbortController;
  readonly caller: Caller;
  last: MalaysiaStatus | undefined;
  /** The service has told a state. */
  hasState: boolean;
  /** This gateway is asking the service. */
  isPolling: boolean;
  failures: number;
  /** When the next poll should begin (`performance.now()`). */
  dueAt: number;
  /** When the service last told a state. */
  toldAt: number | undefined;
  intervalMs: number;
  /** Counts the decisions who polls: of two that overlap the later one holds. */
  turn: number;
  cancelNext: () => void;
  stopHearing: () => void;
}

export function createStatusWatches(options: StatusWatchOptions): StatusWatches {
  const { poll, pollMinMs, pollMaxMs, maxWatchesPerCaller, bus = createLocalStatusBus() } = options;
  const { metrics, tracing } = options;
  const lanes = new Map<Lane, Map<string, Watch>>();
  const budget = createPollBudget(options.pollBudgetPerSecond);
  metrics.gauge('folio_watches', () => [...lanes.values()].reduce((sum, { size }) => sum + size, 0));

  function start(caller: Caller, documentId: string): Watch {
    const watches = lanes.get(caller.lane) ?? new Map<string, Watch>();
    if (watches.size >= maxWatchesPerCaller) throw tooManyWatches(maxWatchesPerCaller);
    const controller = createCallerController();
    const watch: Watch = {
      lane: caller.lane,
      documentId,
      listeners: new Set(),
      startedAt: Date.now(),
      controller,
      // The watch outlives the request that began it; all its listeners have the same credentials.
      caller: {
        credentials: caller.credentials,
        lane: caller.lane,
        requestId: '',
        signal: controller.signal,
      },
      last: undefined,
      hasState: false,
      isPolling: false,
      failures: 0,
      dueAt: performance.now(),
      toldAt: undefined,
      intervalMs: pollMinMs,
      turn: 0,
      cancelNext: () => {},
      stopHearing: () => {},
    };
    watches.set(documentId, watch);
    lanes.set(caller.lane, watches);
    watch.stopHearing = bus.listen(watch.lane, documentId, (news) => hear(watch, news));
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
    const lease = await bus.lease(watch.lane, watch.documentId, leaseMs);
    if (watch.controller.signal.aborted || watch.turn !== turn) return;
    if (lease === 'other') pollAfter(watch, leaseMs * takeOverAfter);
    else pollWhenAllowed(watch);
  }

  /** `nextMs`: when this gateway will ask again. */
  function tellOthers(watch: Watch, message: Told, nextMs = watch.intervalMs): void {
    const leaseMs = nextMs * leasePerInterval;
    bus.publish(watch.lane, watch.documentId, { message, isKept: 'status' in message, leaseMs });
  }

  /** What the gateway that polls has told. */
  function hear(watch: Watch, { message, leaseMs }: WatchNews): void {
    if (watch.controller.signal.aborted) return;
    const told = message as Told | undefined;
    if (told && 'error' in told) {
      end(watch, new GatewayError(told.error));
      return;
    }
    if (told) {
      watch.hasState ||= !(told.status.state === 'UNKNOWN' && told.status.isDelayed);
      tell(watch, told.status);
      if (isFinal(told.status)) {
        end(watch);
        return;
      }
    }
    if (!watch.isPolling) pollAfter(watch, leaseMs * takeOverAfter);
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
    try {
      const caller = { ...watch.caller, requestId: requestIdFrom(undefined), span };
      const status = await poll(caller, watch.documentId);
      if (!watch.controller.signal.aborted) succeeded(watch, status);
    } catch (error) {
      if (!watch.controller.signal.aborted) failed(watch, error);
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
    tellOthers(watch, { status });
    if (isFinal(status)) {
      end(watch);
      return;
    }
    pollAfter(watch, watch.intervalMs);
  }

  function failed(watch: Watch, error: unknown): void {
    const failure = error instanceof GatewayError ? error : unforeseen(error);
    const isUnknown = failure.code === 'NOT_FOUND' && !watch.hasState;
    if (isUnknown && Date.now() - watch.startedAt < unknownGraceMs) {
      pollAfter(watch, pollMinMs);
    } else if (isUnknown || endsWatch(failure)) {
      const { code, message } = failure;
      tellOthers(watch, { error: { code, message } });
      end(watch, failure);
    } else {
      watch.failures += 1;
      if (watch.failures >= 2 || !watch.hasState) tell(watch, delayed(watch.documentId, watch.last));
      watch.intervalMs = Math.min(watch.intervalMs * growth, pollMaxMs);
      const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, longestRetryAfterMs);
      const nextMs = Math.max(watch.intervalMs, retryAfterMs);
      if (watch.last) tellOthers(watch, { status: watch.last }, nextMs);
      // What the service asked for holds for the whole fleet.
      if (nextMs > watch.intervalMs) void bus.lease(watch.lane, watch.documentId, nextMs * leasePerInterval);
      pollAfter(watch, nextMs);
    }
  }

  /** Keeps the state and tells it to all, if it is news. */
  function tell(watch: Watch, status: MalaysiaStatus): boolean {
    const changed = watch.last === undefined || !sameState(watch.last, status);
    watch.last = status;
    if (changed) for (const listener of watch.listeners) listener.next(status);
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
      tell(watch, status);
      if (isFinal(status)) end(watch);
    },

    close() {
      for (const watches of lanes.values()) for (const watch of watches.values()) end(watch);
    },
  };
}

function linksTo(listeners: ReadonlySet<StatusListener>): Span[] {
  const spans: Span[] = [];
  for (const { span } of listeners) {
    if (spans.length === maxLinks) break;
    if (span?.traceId) spans.push(span);
  }
  return spans;
}

function tooManyWatches(maximum: number): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: `This caller watches ${maximum} documents already: end some watches first.`,
    retryable: true,
  });
}
