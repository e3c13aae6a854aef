/** One value that is polled for all its subscribers in this gateway. */
import { type Caller, requestIdFrom } from '../caller.ts';
import { GatewayError, gatewayFailed } from '../errors.ts';
import type { WatchChannel, WatchMessage } from '../state/watch-bus.ts';
import type { Span } from '../telemetry/tracing.ts';
import { Cancellation } from '../tools/cancellation.ts';
import type { Upstream } from '../upstream/client.ts';
import { LatestValue } from './latest-value.ts';
import {
  atLeast,
  growingInterval,
  handOverLease,
  jittered,
  leaseFor,
  nextInterval,
  takeOverAfter,
} from './poll-interval.ts';
import { WatchBudget } from './watch-budget.ts';
import type { WatchEnvironment, WatchListener } from './watch-environment.ts';
import {
  decodePayload,
  endsWatch,
  publishedError,
  valuePayload,
  type WatchPayload,
} from './watch-message.ts';
import { respondedAtOf, type Timed, type Watchable } from './watchable.ts';

/**
 * `waiting`: until the next poll is due, or until the lease of another gateway may be taken over, and for the right to poll.
 * `queued`: a poll is due and waits for the budget. `polling`: a poll is in flight.
 */
type Phase = 'waiting' | 'queued' | 'polling' | 'ended';

/**
 * Longest time from the first poll of a value to the second one, and from one whose value is perhaps older than another, before
 * jitter (ms): within a second, also where the minimum is longer.
 */
const secondPollMs = 900;
const maxRetryAfterMs = 5 * 60_000;
/** Maximum number of subscriptions that the span of a poll links to. */
const maxLinks = 32;

export class Watch<T extends Timed> {
  readonly id: string;
  readonly caller: Caller;
  readonly #env: WatchEnvironment;
  readonly #watchable: Watchable<T>;
  readonly #value: LatestValue<T>;
  /** Retain it while the last value is unread. */
  readonly budget: WatchBudget;
  /** Called once, when the watch ends. */
  readonly #onEnd: () => void;
  readonly #listeners = new Set<WatchListener<T>>();
  readonly #cancellation = new Cancellation();
  readonly #channel: WatchChannel;
  /** Since when the service responds that it does not know the value; undefined when the last poll had another result. */
  #unknownSince: number | undefined;
  #phase: Phase = 'waiting';
  /** Cancels the timer, or the place in the budget's queue. */
  #cancelNext: () => void = () => {};
  /** When the next poll should begin, by the gateway's clock, as all times (ms). */
  #dueAt: number;
  /** When a poll of this gateway last returned a value. */
  #lastValueAt: number | undefined;
  #intervalMs: number;
  /** Until when this gateway holds the lease. */
  #leasedUntil = 0;
  /** When another gateway last released it. */
  #freedAt = Number.NEGATIVE_INFINITY;
  /** Generation counter: the latest lease request wins. */
  #generation = 0;

  /** Starts to poll at once. Throws RATE_LIMITED when the bound on watches is reached. */
  constructor(
    env: WatchEnvironment,
    watchable: Watchable<T>,
    { credentials, lane, owner }: Caller,
    id: string,
    onEnd: () => void,
  ) {
    this.#env = env;
    this.#watchable = watchable;
    this.#onEnd = onEnd;
    this.id = id;
    // The watch outlives the request that began it. All its listeners have the same credentials.
    this.caller = { credentials, lane, owner, requestId: '', signal: this.#cancellation };
    this.budget = new WatchBudget(env.bound, this.caller);
    this.#value = new LatestValue(env, watchable, this.caller, id, this.budget);
    this.#dueAt = env.clock.now();
    this.#intervalMs = env.pollMinMs;
    // Values of two kinds may have the same id.
    const topic = `${watchable.name} ${id}`;
    this.#channel = env.bus.join(lane, topic, (message) => this.#onMessage(message));
    void this.#lease();
  }

  add(listener: WatchListener<T>): void {
    this.#listeners.add(listener);
    if (this.#value.last) listener.next(this.#value.last);
  }

  /** The watch ends with its last listener. */
  remove(listener: WatchListener<T>): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.end();
  }

  /** Takes and publishes a value that a query received, unless a later call has returned another one. Returns it with what is known of its state. */
  observed(value: T): T {
    const at = this.#env.clock.now();
    if (this.#notifyIf(this.#value.returned({ askedAt: at, respondedAt: at, ...value }))) this.#publishLast();
    this.#endIfFinal();
    return this.#value.withStay(value);
  }

  end(error?: GatewayError): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#onEnd();
    this.#cancelNext();
    this.#channel.leave();
    this.#cancellation.abort();
    for (const listener of this.#listeners) listener.done(error);
    this.#listeners.clear();
    this.budget.release();
  }

  /** Polls if this gateway gets the lease. Otherwise waits for messages of its holder, and tries again when the lease has expired. */
  async #lease(): Promise<void> {
    const leaseMs = leaseFor(this.#intervalMs);
    this.#generation += 1;
    const generation = this.#generation;
    const leasedUntil = this.#env.clock.now() + leaseMs;
    const lease = await this.#channel.lease(leaseMs);
    if (this.#isOver() || this.#generation !== generation) return;
    this.#leasedUntil = lease === 'mine' ? leasedUntil : 0;
    if (lease === 'other') this.#wait(takeOverAfter(leaseMs));
    else this.#queue();
  }

  /** Asks for the lease again after `delayMs`. */
  #wait(delayMs: number): void {
    if (this.#isOver()) return; // The last listener may have unsubscribed in its own call.
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
    const { assumptions, clock, metrics, tracing } = this.#env;
    const { name: watched } = this.#watchable;
    this.#phase = 'polling';
    this.#cancelNext = () => {};
    metrics.pollLagSeconds.observe(Math.max(0, clock.now() - this.#dueAt) / 1_000);
    metrics.pollsSaved.inc(this.#listeners.size - 1);
    const span = tracing.start('poll', { attributes: { watched }, links: this.#links() });
    const askedAt = clock.now();
    try {
      const caller = { ...this.caller, requestId: requestIdFrom(undefined), span };
      const upstream: Upstream = {
        call: (call) =>
          this.#env.upstream.call(caller, { ...call, isPoll: true, onStart: () => this.#keepLease() }),
      };
      const value = await this.#watchable.poll({ upstream, assumptions }, this.id);
      if (!this.#isOver()) this.#succeeded({ askedAt, respondedAt: clock.now(), ...value });
    } catch (error) {
      if (!this.#isOver()) this.#failed(error, askedAt);
    } finally {
      span.end();
    }
  }

  /**
   * A slow service can take longer than a lease: another gateway would poll too. It may while the poll waits for a slot here,
   * which can take as long as this gateway is busy.
   */
  #keepLease(): void {
    if (this.#isOver()) return;
    this.#cancelNext = this.#env.clock.after(this.#intervalMs, () => {
      void this.#channel.lease(leaseFor(this.#intervalMs));
      this.#keepLease();
    });
  }

  #links(): Span[] {
    const spans = this.#listeners.values().flatMap(({ span }) => (span?.traceId ? [span] : []));
    return spans.take(maxLinks).toArray();
  }

  #succeeded(value: T): void {
    const { clock, metrics, pollMinMs } = this.#env;
    const now = clock.now();
    const isFirst = !this.#value.isKnown;
    const isOutdated = this.#value.isOutdated(value);
    const lastValueAt = this.#lastValueAt;
    const changed = this.#notifyIf(this.#value.returned(value));
    if (changed && lastValueAt !== undefined) metrics.detectionSeconds.observe((now - lastValueAt) / 1_000);
    this.#lastValueAt = now;
    const current = this.#value.last ?? value;
    const lastMs = this.#intervalMs;
    this.#intervalMs = nextInterval(
      this.#env,
      current.seen?.usual,
      this.#value.ageMs,
      changed ? undefined : lastMs,
    );
    this.#publishLast();
    // The lease was requested for the interval before.
    if (this.#intervalMs > leaseFor(lastMs)) void this.#channel.lease(leaseFor(this.#intervalMs));
    const isSoon = isOutdated || (isFirst && this.#intervalMs === pollMinMs);
    if (!this.#endIfFinal()) this.#wait(isSoon ? Math.min(pollMinMs, secondPollMs) : this.#intervalMs);
  }

  #failed(error: unknown, askedAt: number): void {
    const { clock, pollMinMs } = this.#env;
    const { unknownGraceMs } = this.#watchable;
    const failure = error instanceof GatewayError ? error : gatewayFailed(error);
    const isUnknown = failure.code === 'NOT_FOUND' && !this.#value.isKnown;
    this.#unknownSince = isUnknown ? (this.#unknownSince ?? clock.now()) : undefined;
    if (this.#unknownSince !== undefined && clock.now() - this.#unknownSince < unknownGraceMs) {
      this.#wait(pollMinMs);
    } else if (isUnknown || endsWatch(failure)) {
      this.#publish({ error: publishedError(failure) }, clock.now());
      this.end(failure);
    } else {
      this.#notifyIf(this.#value.failed(failure, askedAt));
      this.#intervalMs = growingInterval(this.#env, this.#intervalMs);
      const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
      const nextMs = Math.max(this.#intervalMs, atLeast(retryAfterMs));
      // Perhaps the service cannot be reached from here alone: another gateway gets the lease first.
      const handsOver = this.#value.isSilent && failure.upstream?.status === undefined;
      const leaseMs = handsOver ? handOverLease(nextMs) : leaseFor(nextMs);
      this.#publishLast(leaseMs);
      // A Retry-After of the service applies to the whole fleet: keep the lease until then.
      if (handsOver || nextMs > this.#intervalMs) void this.#channel.lease(leaseMs);
      this.#wait(nextMs);
    }
  }

  #publishLast(leaseMs?: number): void {
    const [{ last }, now] = [this.#value, this.#env.clock.now()];
    if (last) this.#publish(valuePayload(last, now), now, leaseMs);
  }

  /** `leaseMs`: for how long this gateway still holds the lease. */
  #publish(payload: WatchPayload, sentAt: number, leaseMs = leaseFor(this.#intervalMs)): void {
    this.#channel.publish({ payload, leaseMs, sentAt }, 'status' in payload && this.#isPolling);
  }

  #onMessage({ payload, leaseMs, sentAt }: WatchMessage): void {
    if (this.#isOver()) return;
    const now = this.#env.clock.now();
    const received = decodePayload(this.#watchable, this.id, payload, now, sentAt);
    // Ignore a message that cannot be read. The next lease request decides what to do.
    if (payload !== undefined && !received) return;
    if (received instanceof GatewayError) {
      const { last } = this.#value;
      if (!last || sentAt >= respondedAtOf(last)) this.end(received);
      return;
    }
    // Of the messages, only those of who polls are kept for later subscribers.
    if (received && this.#notifyIf(this.#value.received(received)) && this.#isPolling) this.#publishLast();
    if (this.#endIfFinal()) return;
    if (payload === undefined) this.#freedAt = sentAt;
    if (this.#isPolling) return;
    // The last message of a gateway that has stopped may come after the one that it released the lease.
    if (sentAt >= this.#freedAt) this.#wait(takeOverAfter(leaseMs));
  }

  #notifyIf(changed: boolean): boolean {
    const { last } = this.#value;
    if (changed && last) for (const listener of this.#listeners) listener.next(last);
    return changed;
  }

  #endIfFinal(): boolean {
    if (this.#value.isFinal) this.end();
    return this.#isOver();
  }

  /** Also while its poll takes longer than the lease, or waits for the budget: others wait for its messages. */
  get #isPolling(): boolean {
    return this.#phase === 'polling' || this.#env.clock.now() < this.#leasedUntil;
  }

  #isOver(): boolean {
    return this.#phase === 'ended';
  }
}
