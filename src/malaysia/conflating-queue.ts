import { done, stoppableIterator } from '../iterators.ts';

/** A queue that keeps only the latest value of each key: a slow reader skips values, and memory stays bounded. */
export interface ConflatingQueue<K, V> {
  /** Adds a value, in place of an unread one with the same key. */
  put(key: K, value: V): void;
  /** Ends the queue after the values it holds, with the error if one is given. Calls `onEnd` immediately, without waiting for the reader. */
  end(error?: unknown): void;
  /** The values, for one reader. */
  readonly values: AsyncGenerator<V, void, void>;
}

/** `onEnd` is called once, when the queue is ended or the reader stops reading. */
export function createConflatingQueue<K, V>(onEnd: () => void): ConflatingQueue<K, V> {
  const pending = new Map<K, V>();
  let ended: { readonly error?: unknown } | undefined;
  let isReleased = false;
  let wake: (() => void) | undefined;

  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    onEnd();
  };
  const finish = (): IteratorResult<V, void> => {
    pending.clear();
    ended ??= {};
    release();
    notify();
    return done;
  };

  return {
    put(key, value) {
      if (ended) return;
      pending.set(key, value);
      notify();
    },
    end(error) {
      if (ended) return;
      ended = { error };
      release();
      notify();
    },
    values: stoppableIterator(async () => {
      while (true) {
        for (const [key, value] of pending) {
          pending.delete(key);
          return { done: false, value };
        }
        if (ended) {
          const { error } = ended;
          ended = {};
          finish();
          if (error !== undefined) throw error;
          return done;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }, finish),
  };
}
