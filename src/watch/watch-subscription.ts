/** The stream of a subscription: the changes of the watched values, for an hour at most. */
import type { Bound } from '../bound-names.ts';
import type { Caller } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import { done, type EventReader, EventSource } from '../tools/iterators.ts';
import type { Watch } from './watch.ts';
import type { WatchBudget } from './watch-budget.ts';
import type { WatchListener } from './watch-environment.ts';
import type { Watches } from './watch-registry.ts';
import type { Timed, Watchable } from './watchable.ts';

/** A subscription ends after this time, an hour (ms). */
const maxDurationMs = 3_600_000;

interface WatchSubscriptionOptions<T extends Timed> {
  readonly caller: Caller;
  readonly watchable: Watchable<T>;
  readonly watches: Pick<Watches, 'subscribe' | 'refused'>;
  /** Returns the last value for an id that cannot be watched. Without it the stream fails with the error. */
  readonly unwatchable?: ((id: string, error: Error) => T) | undefined;
}

interface Unread<T> {
  readonly value: T;
  /** Of a watch that has ended: its value counts until it is read. */
  budget?: WatchBudget;
}

/**
 * Several watched values as one stream, a conflating queue: it holds the latest value of each, so that a slow reader skips
 * values and memory stays bounded. It ends when every value is final, when the caller disconnects, or after the maximum
 * duration. Without `unwatchable` the constructor throws BAD_USER_INPUT for an invalid id.
 */
export class WatchSubscription<T extends Timed> extends EventSource<T> {
  readonly #options: WatchSubscriptionOptions<T>;
  readonly #items: WatchedItem<T>[];
  readonly #endNow = () => this.stop();
  readonly #timer: NodeJS.Timeout;
  #open: number;
  /** The bound that refused a value last. Each one is counted once, as for an operation. */
  #refusedBy: Bound | undefined;
  /** By id. Exists while there are unread values: most subscriptions of a gateway have none. */
  #unread: Map<string, Unread<T>> | undefined;
  #ended: { readonly error?: unknown } | undefined;
  #waiting: EventReader | undefined;

  constructor(ids: readonly string[], options: WatchSubscriptionOptions<T>) {
    super();
    const { caller, watchable, unwatchable } = options;
    const watched = new Set(unwatchable ? ids : ids.map(watchable.checkedId));
    this.#options = options;
    this.#items = Array.from(watched, (id) => new WatchedItem(this, id, caller.span));
    this.#open = this.#items.length;
    this.#timer = setTimeout(() => this.#end(), maxDurationMs);
    caller.signal.addEventListener('abort', this.#endNow);
    if (this.#open === 0 || caller.signal.aborted) this.#end();
    for (const item of this.#items) this.#watch(item);
  }

  #watch(item: WatchedItem<T>): void {
    if (this.hasEnded) return;
    const { caller, watchable, watches } = this.#options;
    try {
      item.watch = watches.subscribe(watchable, caller, watchable.checkedId(item.id), item);
    } catch (error) {
      item.done(error as Error);
    }
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Adds a value, in place of an unread one with the same id. */
  put(id: string, value: T): void {
    if (this.#ended) return;
    this.#unread ??= new Map();
    this.#unread.set(id, { value });
    this.#notify();
  }

  /** Called when a value is final, or cannot be watched any more. */
  itemEnded(item: WatchedItem<T>, error: Error | undefined): void {
    const { id, watch } = item;
    const last = error && this.#lastOf(id, error);
    if (last) this.put(id, watch?.budget.fit(this.#options.watchable, last) ?? last);
    this.#retain(item);
    item.watch = undefined;
    this.#open -= 1;
    if (error && !last) this.#end(error);
    else if (this.#open === 0) this.#end();
  }

  /** A value that is unread counts as its watch does, which may have ended. */
  #retain({ id, watch }: WatchedItem<T>): void {
    const unread = this.#unread?.get(id);
    if (unread && watch) unread.budget = watch.budget.retain();
  }

  /** The last value for an id that cannot be watched; undefined when the stream fails instead. */
  #lastOf(id: string, error: Error): T | undefined {
    const { unwatchable, watches } = this.#options;
    const bound = error instanceof GatewayError ? error.bound : undefined;
    if (unwatchable && bound && bound !== this.#refusedBy) watches.refused(bound);
    this.#refusedBy = bound ?? this.#refusedBy;
    return unwatchable?.(id, error);
  }

  read(reader: EventReader): IteratorResult<T, void> | undefined {
    for (const [id, { value, budget }] of this.#unread ?? []) {
      this.#unread?.delete(id);
      if (this.#unread?.size === 0) this.#unread = undefined;
      budget?.release();
      return { done: false, value };
    }
    if (!this.#ended) {
      this.#waiting = reader;
      return undefined;
    }
    const { error } = this.#ended;
    this.#ended = {};
    if (error !== undefined) throw error;
    return done;
  }

  stop(): void {
    const dropped = this.#unread;
    this.#unread = undefined;
    for (const { budget } of dropped?.values() ?? []) budget?.release();
    this.#end();
  }

  /** Ends the stream after the values it holds, with the error if one is given. Leaves the watches at once. */
  #end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = { error };
    clearTimeout(this.#timer);
    this.#options.caller.signal.removeEventListener('abort', this.#endNow);
    for (const item of this.#items) {
      this.#retain(item);
      item.watch?.remove(item);
    }
    this.#notify();
  }

  #notify(): void {
    this.#waiting?.onReady();
    this.#waiting = undefined;
  }
}

class WatchedItem<T extends Timed> implements WatchListener<T> {
  readonly #subscription: WatchSubscription<T>;
  readonly id: string;
  readonly span: WatchListener<T>['span'];
  /** Undefined for a value that is not watched, or not any more. */
  watch: Pick<Watch<T>, 'remove' | 'budget'> | undefined;

  constructor(subscription: WatchSubscription<T>, id: string, span: WatchListener<T>['span']) {
    this.#subscription = subscription;
    this.id = id;
    this.span = span;
  }

  next(value: T): void {
    this.#subscription.put(this.id, value);
  }

  done(error?: Error): void {
    this.#subscription.itemEnded(this, error);
  }
}
