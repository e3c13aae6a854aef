/** The stream of a subscription: the changes of the watched values, for an hour at most. */
import type { Bound } from '../bound-names.ts';
import type { Caller } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import { ConflatingQueue } from './conflating-queue.ts';
import type { WatchBudget } from './watch-budget.ts';
import type { Unsubscribe, WatchListener } from './watch-environment.ts';
import type { Watches } from './watch-registry.ts';
import type { Timed, WatchedKind } from './watchable.ts';

/** A subscription ends after this time, an hour (ms). */
const maxDurationMs = 3_600_000;

interface WatchSubscriptionOptions<T extends Timed> {
  readonly caller: Caller;
  readonly kind: Pick<WatchedKind<T>, 'checkedId' | 'bytesOf' | 'withoutTexts'>;
  readonly watches: Pick<Watches<T>, 'subscribe' | 'refused'>;
  /** Returns the last value for an id that cannot be watched. Without it the stream fails with the error. */
  readonly unwatchable?: ((id: string, error: Error) => T) | undefined;
}

/**
 * Several watched values as one stream. It ends when every value is final, when the caller disconnects, or after the
 * maximum duration. Without `unwatchable` the constructor throws BAD_USER_INPUT for an invalid id.
 */
export class WatchSubscription<T extends Timed> extends ConflatingQueue<string, T> {
  readonly #options: WatchSubscriptionOptions<T>;
  readonly #items: WatchedItem<T>[];
  readonly #endNow = () => this.stop();
  readonly #timer: NodeJS.Timeout;
  #open: number;
  /** The bound that refused a value last. Each one is counted once, as for an operation. */
  #refusedBy: Bound | undefined;
  /** The budgets of watches that have ended and whose last value is unread, by id. */
  #retained: Map<string, WatchBudget> | undefined;

  constructor(ids: readonly string[], options: WatchSubscriptionOptions<T>) {
    super();
    const { caller, kind, unwatchable } = options;
    const watched = new Set(unwatchable ? ids : ids.map(kind.checkedId));
    this.#options = options;
    this.#items = Array.from(watched, (id) => new WatchedItem(this, id, caller.span));
    this.#open = this.#items.length;
    this.#timer = setTimeout(() => this.end(), maxDurationMs);
    caller.signal.addEventListener('abort', this.#endNow);
    if (this.#open === 0 || caller.signal.aborted) this.end();
    for (const item of this.#items) this.#watch(item);
  }

  #watch(item: WatchedItem<T>): void {
    if (this.hasEnded) return;
    const { caller, kind, watches } = this.#options;
    try {
      const unsubscribe = watches.subscribe(caller, kind.checkedId(item.id), item);
      if (this.hasEnded || item.isOver) unsubscribe();
      else item.unsubscribe = unsubscribe;
    } catch (error) {
      item.done(error as Error);
    }
  }

  /** Called when a value is final, or cannot be watched any more. `budget`: undefined for one that was not watched. */
  itemEnded({ id }: WatchedItem<T>, error: Error | undefined, budget: WatchBudget | undefined): void {
    const last = error && this.#lastOf(id, error);
    if (last) this.put(id, budget?.fit(this.#options.kind, last) ?? last);
    this.#retain(id, budget);
    this.#open -= 1;
    if (error && !last) this.end(error);
    else if (this.#open === 0) this.end();
  }

  /** A value that is unread counts as its watch does, which may have ended. */
  #retain(id: string, budget: WatchBudget | undefined): void {
    if (!budget || !this.unread(id)) return;
    this.#retained ??= new Map();
    this.#retained.set(id, budget.retain());
  }

  /** The last value for an id that cannot be watched; undefined when the stream fails instead. */
  #lastOf(id: string, error: Error): T | undefined {
    const { unwatchable, watches } = this.#options;
    const bound = error instanceof GatewayError ? error.bound : undefined;
    if (unwatchable && bound && bound !== this.#refusedBy) watches.refused(bound);
    this.#refusedBy = bound ?? this.#refusedBy;
    return unwatchable?.(id, error);
  }

  protected override onTaken(id: string): void {
    this.#retained?.get(id)?.release();
    this.#retained?.delete(id);
  }

  protected override onEnd(): void {
    clearTimeout(this.#timer);
    this.#options.caller.signal.removeEventListener('abort', this.#endNow);
    for (const { id, unsubscribe } of this.#items) unsubscribe?.((budget) => this.#retain(id, budget));
  }
}

class WatchedItem<T extends Timed> implements WatchListener<T> {
  readonly #subscription: WatchSubscription<T>;
  readonly id: string;
  readonly span: WatchListener<T>['span'];
  isOver = false;
  unsubscribe: Unsubscribe | undefined;

  constructor(subscription: WatchSubscription<T>, id: string, span: WatchListener<T>['span']) {
    this.#subscription = subscription;
    this.id = id;
    this.span = span;
  }

  next(value: T): void {
    this.#subscription.put(this.id, value);
  }

  done(error?: Error, budget?: WatchBudget): void {
    this.isOver = true;
    this.unsubscribe = undefined;
    this.#subscription.itemEnded(this, error, budget);
  }
}
