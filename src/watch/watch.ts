/** One value that is polled for all its subscribers in this gateway. */
import type { Caller } from '../caller.ts';
import { requestIdFrom } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import type { StatusBus, WatchMessage } from '../state/status-bus.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Span, Tracing } from '../telemetry/tracing.ts';
import { Cancellation } from '../tools/cancellation.ts';
import type { Clock } from './clock.ts';
import type { PollBudget } from './poll-budget.ts';
import { jittered, leaseFor, type PollIntervals, takeOverAfter } from './poll-interval.ts';
import type { Stay, Stays } from './stays.ts';
import type { WatchMemory } from './watch-memory.ts';
import { decodePayload, errorPayload, valuePayload, type WatchPayload } from './watch-message.ts';
import { answeredAtOf, askedAtOf, type Timed, type Trouble, type Watchable } from './watchable.ts';

export interface WatchListener<T> {
  /** Called with the current value, then with every change. */
  next(value: T): void;
  /** Called once, last: after a final value, or with the error that ended the watch. */
  done(error?: GatewayError): void;
  /** The subscription's span: the spans of polls link to it. */
  readonly span?: Span | undefined;
}

/** What all watches of a gateway share. */
export interface WatchEnvironment<T extends Timed> {
  readonly watchable: Watchable<T>;
  /** Makes one call to the service. */
  readonly poll: (caller: Caller, id: string) => Promise<T>;
  /** Interval at first and after a change (ms). */
  readonly pollMinMs: number;
  /** Connects gateways that watch the same values. */
  readonly bus: StatusBus;
  readonly budget: PollBudget;
  readonly intervals: PollIntervals;
  readonly stays: Stays;
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/**
 * `leasing`: asks for the right to poll. `waiting`: until the next poll is due, or until the lease of another gateway may be
 * taken over. `queued`: a poll is due and waits for the budget. `polling`: a poll is in flight.
 */
type Phase = 'leasing' | 'waiting' | 'queued' | 'polling' | 'ended';

/** Longest time from the first poll of a document to the second one, before jitter (ms): within a second of an import. */
const secondPollMs = 900;
/** How long a document may be unknown (ms): an import and its status may reach different parts of the service. */
const unknownGraceMs = 15_000;
const maxRetryAfterMs = 5 * 60_000;
/** Maximum number of subscriptions that the span of a poll links to. */
const maxLinks = 32;

export class Watch<T extends Timed> {
  readonly id: string;
  readonly caller: Caller;
  readonly #env: WatchEnvironment<T>;
  readonly #memory: WatchMemory;
  /** Called once, when the watch ends. */
  readonly #onEnd: () => void;
  readonly #listeners = new Set<WatchListener<T>>();
  readonly #cancellation = new Cancellation();
  readonly #unsubscribe: () => void;
  /** By the gateway's clock, as all times (ms). */
  readonly #startedAt: number;
  #phase: Phase = 'leasing';
  /** Cancels the timer, or the place in the budget's queue. */
  #cancelNext: () => void = () => {};
  #last: T | undefined;
  /** Whether the service has returned a value. */
  #hasValue = false;
  /** Number of polls in a row that failed in the same way. */
  #failures = 0;
  #failureKind: Trouble['kind'] = 'silent';
  /** When the next poll should begin. */
  #dueAt: number;
  /** When a poll of this gateway last returned a value. */
  #lastValueAt: number | undefined;
  /** In the state of the last value; undefined before the service has returned one. */
  #stay: Stay | undefined;
  #intervalMs: number;
  /** Until when this gateway holds the lease. */
  #leasedUntil = 0;
  /** Generation counter: the latest lease request wins. */
  #generation = 0;

  /** Starts to poll at once. */
  constructor(
    env: WatchEnvironment<T>,
    { credentials, lane, owner }: Caller,
    id: string,
    memory: WatchMemory,
    onEnd: () => void,
  ) {
    this.#env = env;
    this.#memory = memory;
    this.#onEnd = onEnd;
    this.id = id;
    // The watch outlives the request that began it. All its listeners have the same credentials.
    this.caller = { credentials, lane, owner, requestId: '', signal: this.#cancellation };
    const now = env.clock.now();
    this.#startedAt = now;
    this.#dueAt = now;
    this.#intervalMs = env.pollMinMs;
    this.#unsubscribe = env.bus.subscribe(lane, id, (message, ageMs) => this.#onMessage(message, ageMs));
    void this.#lease();
  }

  /** Adds a listener and returns a function that removes it; the watch ends with the last one. */
  add(listener: WatchListener<T>): () => void {
    this.#listeners.add(listener);
    if (this.#last) listener.next(this.#last);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.end();
    };
  }

  /** Takes over a value that a query received, unless a later call has returned another one. Returns it with what is known of its state. */
  observed(value: T): T {
    this.#hasValue = true;
    const { clock, watchable } = this.#env;
    const now = clock.now();
    this.#notify({ askedAt: now, answeredAt: now, ...value });
    this.#endIfFinal();
    return this.#stay?.state === watchable.stateOf(value) ? { ...value, seen: this.#stay.seen } : value;
  }

  end(error?: GatewayError): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#onEnd();
    this.#cancelNext();
    this.#unsubscribe();
    this.#cancellation.abort();
    this.#env.bus.release(this.caller.lane, this.id);
    for (const listener of this.#listeners) listener.done(error);
    this.#listeners.clear();
  }

  /** Polls if this gateway gets the lease. Otherwise waits for messages of its holder, and tries again when the lease has expired. */
  async #lease(): Promise<void> {
    this.#phase = 'leasing';
    const leaseMs = leaseFor(this.#intervalMs);
    this.#generation += 1;
    const generation = this.#generation;
    const leasedUntil = this.#env.clock.now() + leaseMs;
    const lease = await this.#renewLease(leaseMs);
    if (this.#isOver() || this.#generation !== generation) return;
    this.#leasedUntil = lease === 'mine' ? leasedUntil : 0;
    if (lease === 'other') this.#wait(takeOverAfter(leaseMs));
    else this.#queue();
  }

  #renewLease(leaseMs: number) {
    return this.#env.bus.lease(this.caller.lane, this.id, leaseMs);
  }

  /** Asks for the lease again after `delayMs`. */
  #wait(delayMs: number): void {
    const { clock, random } = this.#env;
    this.#cancelNext();
    this.#phase = 'waiting';
    const actualMs = jittered(delayMs, random());
    this.#dueAt = clock.now() + actualMs;
    this.#cancelNext = clock.after(actualMs, () => void this.#lease());
  }

  #queue(): void {
    this.#cancelNext();
    this.#phase = 'queued';
    // The budget may run the poll before it returns.
    const cancel = this.#env.budget.schedule(this.caller, () => void this.#poll());
    if (this.#phase === 'queued') this.#cancelNext = cancel;
  }

  async #poll(): Promise<void> {
    const { clock, metrics, poll, tracing, watchable } = this.#env;
    this.#cancelNext = () => {};
    this.#phase = 'polling';
    metrics.pollLagSeconds.observe(Math.max(0, clock.now() - this.#dueAt) / 1_000);
    metrics.pollsSaved.inc(this.#listeners.size - 1);
    const span = tracing.start('poll', { attributes: { watched: watchable.name }, links: this.#links() });
    const askedAt = clock.now();
    try {
      const value = await poll({ ...this.caller, requestId: requestIdFrom(undefined), span }, this.id);
      if (!this.#isOver()) this.#succeeded({ askedAt, answeredAt: clock.now(), ...value });
    } catch (error) {
      if (!this.#isOver()) this.#failed(error, askedAt);
    } finally {
      span.end();
    }
  }

  #links(): Span[] {
    const spans: Span[] = [];
    for (const { span } of this.#listeners) {
      if (spans.length === maxLinks) break;
      if (span?.traceId) spans.push(span);
    }
    return spans;
  }

  #succeeded(value: T): void {
    const { clock, intervals, metrics, pollMinMs, watchable } = this.#env;
    const now = clock.now();
    const isFirst = !this.#hasValue;
    const lastValueAt = this.#lastValueAt;
    this.#failures = 0;
    this.#hasValue = true;
    const changed = this.#notify(value);
    if (changed && lastValueAt !== undefined) metrics.detectionSeconds.observe((now - lastValueAt) / 1_000);
    this.#lastValueAt = now;
    const current = this.#last ?? value;
    const ageMs = now - (this.#stay?.sinceMs ?? now);
    const lastMs = this.#intervalMs;
    this.#intervalMs = intervals.next(watchable.stateOf(current), ageMs, changed ? undefined : lastMs);
    this.#publish(valuePayload(watchable, current, now));
    // The lease was requested for the interval before.
    if (this.#intervalMs > leaseFor(lastMs)) void this.#renewLease(leaseFor(this.#intervalMs));
    const isSecond = isFirst && this.#intervalMs === pollMinMs;
    if (!this.#endIfFinal()) this.#wait(isSecond ? Math.min(pollMinMs, secondPollMs) : this.#intervalMs);
  }

  #failed(error: unknown, askedAt: number): void {
    const { clock, intervals, pollMinMs, watchable } = this.#env;
    const failure = error instanceof GatewayError ? error : unexpectedError(error);
    const isUnknown = failure.code === 'NOT_FOUND' && !this.#hasValue;
    if (isUnknown && clock.now() - this.#startedAt < unknownGraceMs) {
      this.#wait(pollMinMs);
    } else if (isUnknown || endsWatch(failure)) {
      this.#publish(errorPayload(failure));
      this.end(failure);
    } else {
      // If a later call has succeeded meanwhile, this failure does not describe the current state.
      if (!this.#last || askedAt >= askedAtOf(this.#last)) this.#showTrouble(failure);
      this.#intervalMs = intervals.afterFailure(this.#intervalMs);
      const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
      const nextMs = Math.max(this.#intervalMs, retryAfterMs);
      if (this.#last) this.#publish(valuePayload(watchable, this.#last, clock.now()), nextMs);
      // A Retry-After of the service applies to the whole fleet: keep the lease until then.
      if (nextMs > this.#intervalMs) void this.#renewLease(leaseFor(nextMs));
      this.#wait(nextMs);
    }
  }

  /** The second failure in a row is shown: as a delay, or as a problem if the service responds. Without a value the first is. */
  #showTrouble(error: GatewayError): void {
    const kind = error.code === 'UPSTREAM_BAD_RESPONSE' ? 'unreadable' : 'silent';
    this.#failures = kind === this.#failureKind ? this.#failures + 1 : 1;
    this.#failureKind = kind;
    const isSecond = this.#failures >= 2;
    if (kind === 'unreadable') this.#notify(this.#troubled(isSecond ? { kind, error } : { kind }));
    else if (isSecond || !this.#hasValue) this.#notify(this.#troubled({ kind }));
  }

  /** `nextMs`: time until the next poll of this gateway. */
  #publish(payload: WatchPayload, nextMs = this.#intervalMs): void {
    const message = { payload, isKept: 'status' in payload, leaseMs: leaseFor(nextMs) };
    this.#env.bus.publish(this.caller.lane, this.id, message);
  }

  /** Handles a message of the gateway that polls. */
  #onMessage({ payload, leaseMs }: WatchMessage, ageMs = 0): void {
    if (this.#isOver()) return;
    const { clock, watchable } = this.#env;
    const now = clock.now();
    const received = decodePayload(watchable, this.id, payload, now, ageMs);
    // Ignore a message that cannot be read. The next lease request decides what to do.
    if (payload !== undefined && !received) return;
    if (received instanceof GatewayError) {
      if (!this.#last || now - ageMs >= answeredAtOf(this.#last)) this.end(received);
      return;
    }
    if (received) {
      const silent = { kind: 'silent' } as const;
      const unknown = watchable.troubled(this.id, undefined, silent);
      this.#hasValue ||= !watchable.isSame(watchable.troubled(this.id, received, silent), unknown);
      this.#notify(received);
      if (this.#endIfFinal()) return;
    }
    // While this gateway holds the lease, its own poll continues, also when it waits for the budget.
    if (this.#phase !== 'polling' && now >= this.#leasedUntil) this.#wait(takeOverAfter(leaseMs));
  }

  /** Stores the value and notifies the listeners if it changed. Drops it if a later call has returned another one. */
  #notify(value: T): boolean {
    const { watchable } = this.#env;
    const last = this.#last;
    if (last && this.#isOutdated(value, last)) return false;
    const changed = !last || !watchable.isSame(last, value);
    // A value repeated after a failed poll keeps the times of the call that returned it.
    const askedAt = Math.max(askedAtOf(value), last ? askedAtOf(last) : askedAtOf(value));
    const answeredAt = Math.max(answeredAtOf(value), last ? answeredAtOf(last) : askedAt);
    this.#stayIn(watchable.stateOf(value), answeredAt);
    this.#last = this.#memory.fit(watchable, { ...value, askedAt, answeredAt, seen: this.#stay?.seen });
    if (changed) for (const listener of this.#listeners) listener.next(this.#last);
    return changed;
  }

  /** Records the state of a value that the service had returned at this time. */
  #stayIn(state: string, time: number): void {
    const { clock, intervals, stays } = this.#env;
    const stay = this.#stay;
    if (stay?.state === state) stay.stayedUntil(time);
    else if (this.#hasValue) {
      if (stay) intervals.left(stay.state, ...stay.endedBy(clock.now()));
      this.#stay = stays.begin(this.caller, state, stay === undefined);
    }
  }

  /**
   * Whether `value` differs from `last`, apart from trouble, and is perhaps older: its call began before the one of `last`
   * had returned. Of two calls at the same time the service may have answered either first.
   */
  #isOutdated(value: T, last: T): boolean {
    if (askedAtOf(value) >= answeredAtOf(last)) return false;
    const { troubled, isSame } = this.#env.watchable;
    const silent = { kind: 'silent' } as const;
    return !isSame(troubled(this.id, value, silent), troubled(this.id, last, silent));
  }

  #troubled(trouble: Trouble): T {
    return this.#env.watchable.troubled(this.id, this.#last, trouble);
  }

  #endIfFinal(): boolean {
    const isFinal = this.#last !== undefined && this.#env.watchable.isFinal(this.#last);
    if (isFinal) this.end();
    return isFinal;
  }

  #isOver(): boolean {
    return this.#phase === 'ended';
  }
}

/** Whether every later poll with the same credentials would fail in the same way. */
function endsWatch({ code }: GatewayError): boolean {
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || code === 'BAD_USER_INPUT';
}

export function unexpectedError(cause: unknown): GatewayError {
  return new GatewayError({ code: 'INTERNAL_SERVER_ERROR', message: 'The gateway failed.', cause });
}
