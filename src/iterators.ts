/**
 * An async iterator that can be stopped while `next` waits. An async generator cannot: its `return` waits until the
 * pending `next` has settled, so a subscriber would hold its subscription until the next event.
 *
 * `next` is called for each result. `stop` is called immediately, by `return`, `throw` and disposal, and its
 * result is awaited.
 */
export function stoppableIterator<T>(
  next: () => Promise<IteratorResult<T, void>>,
  stop: () => unknown,
): AsyncGenerator<T, void, void> {
  const end = async (): Promise<IteratorResult<T, void>> => {
    await stop();
    return done;
  };
  return {
    next,
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** The result of an iterator that has ended. */
export const done: IteratorReturnResult<void> = { done: true, value: undefined };
