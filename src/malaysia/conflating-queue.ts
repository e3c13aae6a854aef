export interface LatestMailbox<K, V> {
  /** Replaces what was not yet taken under this key: a slow reader gets the latest, never a queue. */
  put(key: K, value: V): void;
  /** Ends the values, after what was put before. Calls `onLeave` at once, whether or not anyone reads. */
  end(error?: unknown): void;
  /** The values, for one reader. */
  readonly values: AsyncIterableIterator<V>;
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
  const finish = (): IteratorResult<V> => {
    pending.clear();
    ended ??= {};
    leave();
    notify();
    return { done: true, value: undefined };
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
    values: {
      async next() {
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
            return { done: true, value: undefined };
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      // At once, also while `next` waits: whoever ends a subscription must not wait for its next event.
      async return() {
        return finish();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    },
  };
}
