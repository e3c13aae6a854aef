/**
 * An async iterator that can be stopped while `next` waits. An async generator cannot: its `return` waits until the
 * pending `next` has settled, so a subscriber would hold its subscription until the next event.
 */
export abstract class StoppableIterator<T> implements AsyncIterableIterator<T, void> {
  abstract next(): Promise<IteratorResult<T, void>>;

  /** Called immediately by `return`, also more than once. A pending `next` then returns `done`. */
  abstract stop(): void;

  async return(): Promise<IteratorResult<T, void>> {
    this.stop();
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export interface EventReader {
  onReady(): void;
}

/** An event source whose reader waits without a promise: thousands of subscribers wait at the same time. */
export abstract class EventSource<T> extends StoppableIterator<T> {
  /**
   * Returns the next event, or `done`. Returns undefined while there is neither, and then calls the reader's `onReady` once
   * when there is. Throws the error that ended the source.
   */
  abstract read(reader: EventReader): IteratorResult<T, void> | undefined;

  async next(): Promise<IteratorResult<T, void>> {
    while (true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const result = this.read({ onReady: resolve });
      if (result) return result;
      await promise;
    }
  }
}

export const done: IteratorReturnResult<void> = { done: true, value: undefined };
