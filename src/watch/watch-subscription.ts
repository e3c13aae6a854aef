import type { Caller } from '../caller.ts';
import { ConflatingQueue } from './conflating-queue.ts';
import type { WatchListener } from './watch.ts';

interface WatchSubscriptionOptions<T> {
  readonly caller: Caller;
  readonly maxDurationMs: number;
  /** Subscribes to one value. May throw for an id that cannot be watched. */
  readonly subscribe: (id: string, listener: WatchListener<T>) => () => void;
  /** Returns the last value for an id that cannot be watched. Without it the stream fails with the error. */
  readonly onError?: (id: string, error: Error) => T;
}

/**
 * Several watched values as one stream. It ends when every value is final, when the caller disconnects, or after the
 * maximum duration.
 */
export class WatchSubscription<T> extends ConflatingQueue<string, T> {
  readonly #options: WatchSubscriptionOptions<T>;
  readonly #items: WatchedItem<T>[];
  readonly #endNow = () => this.end();
  readonly #timer: NodeJS.Timeout;
  #open: number;

  constructor(ids: readonly string[], options: WatchSubscriptionOptions<T>) {
    super();
    const { caller, maxDurationMs } = options;
    this.#options = options;
    this.#items = Array.from(new Set(ids), (id) => new WatchedItem(this, id, caller.span));
    this.#open = this.#items.length;
    this.#timer = setTimeout(this.#endNow, maxDurationMs);
    caller.signal.addEventListener('abort', this.#endNow);
    if (this.#open === 0 || caller.signal.aborted) this.end();
    for (const item of this.#items) this.#watch(item);
  }

  #watch(item: WatchedItem<T>): void {
    if (this.hasEnded) return;
    try {
      const unsubscribe = this.#options.subscribe(item.id, item);
      if (this.hasEnded || item.isOver) unsubscribe();
      else item.unsubscribe = unsubscribe;
    } catch (error) {
      item.done(error as Error);
    }
  }

  /** Called when a value is final, or cannot be watched any more. */
  itemEnded({ id }: WatchedItem<T>, error: Error | undefined): void {
    const last = error && this.#options.onError?.(id, error);
    if (last) this.put(id, last);
    this.#open -= 1;
    if (error && !last) this.end(error);
    else if (this.#open === 0) this.end();
  }

  protected override onEnd(): void {
    clearTimeout(this.#timer);
    this.#options.caller.signal.removeEventListener('abort', this.#endNow);
    for (const { unsubscribe } of this.#items) unsubscribe?.();
  }
}

class WatchedItem<T> implements WatchListener<T> {
  readonly #subscription: WatchSubscription<T>;
  readonly id: string;
  readonly span: WatchListener<T>['span'];
  isOver = false;
  unsubscribe: (() => void) | undefined;

  constructor(subscription: WatchSubscription<T>, id: string, span: WatchListener<T>['span']) {
    this.#subscription = subscription;
    this.id = id;
    this.span = span;
  }

  next(value: T): void {
    this.#subscription.put(this.id, value);
  }

  done(error?: Error): void {
    this.isOver = true;
    this.unsubscribe = undefined;
    this.#subscription.itemEnded(this, error);
  }
}
