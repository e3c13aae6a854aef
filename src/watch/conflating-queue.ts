import { done, type EventReader, EventSource } from '../tools/iterators.ts';

/** A queue that keeps only the latest value of each key: a slow reader skips values, and memory stays bounded. */
export class ConflatingQueue<K, V> extends EventSource<V> {
  /** Exists while there are unread values: most queues of a gateway are empty. */
  #pending: Map<K, V> | undefined;
  #ended: { readonly error?: unknown } | undefined;
  #waiting: EventReader | undefined;

  /** Called once, when the queue is ended or the reader stops reading. */
  protected onEnd(): void {}

  /** Called with each key whose value is read or dropped. */
  protected onTaken(_key: K): void {}

  /** The unread value of a key. */
  protected unread(key: K): V | undefined {
    return this.#pending?.get(key);
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Adds a value, in place of an unread one with the same key. */
  put(key: K, value: V): void {
    if (this.#ended) return;
    this.#pending ??= new Map();
    this.#pending.set(key, value);
    this.#notify();
  }

  /** Ends the queue after the values it holds, with the error if one is given. Calls `onEnd` immediately, without waiting for the reader. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = { error };
    this.onEnd();
    this.#notify();
  }

  read(reader: EventReader): IteratorResult<V, void> | undefined {
    for (const [key, value] of this.#pending ?? []) {
      this.#pending?.delete(key);
      if (this.#pending?.size === 0) this.#pending = undefined;
      this.onTaken(key);
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
    const dropped = this.#pending;
    this.#pending = undefined;
    for (const key of dropped?.keys() ?? []) this.onTaken(key);
    this.end();
  }

  #notify(): void {
    this.#waiting?.onReady();
    this.#waiting = undefined;
  }
}
