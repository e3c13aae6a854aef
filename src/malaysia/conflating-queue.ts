import { done, stoppableIterator } from '../iterators.ts';

export interface LatestMailbox<K, V> {
  /** Replaces what was not yet taken under this key: a slow reader gets the latest, never a queue. */
  put(key: K, value: V): void;
  /** Ends the values, after what was put before. Calls `onLeave` at once, whether or not anyone reads. */
  end(error?: unknown): void;
  /** The values, for one reader. */
  readonly values: AsyncGenerator<V, void, void>;
}

/** `onLeave`: called once, when the values are ended or the reader stops reading. */
export function createLatestMailbox<K, V>(onLeave: () => void): LatestMailbox<K, V> {
  const pending = new Map<K, V>();
  let ended: { readonly error?: unknown } | undefined;
  let left = false;
  let wake: (() => void) | undefined;

  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const leave = () => {
    if (left) return;
    left = true;
    onLeave();
  };
  const finish = (): IteratorResult<V, void> => {
    pending.clear();
    ended ??= {};
    leave();
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
      leave();
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
