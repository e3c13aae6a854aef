/** The part of `AbortSignal` by which work learns that it must end. An `AbortSignal` is one, and so is a `Cancellation`. */
export interface CancelSignal {
  readonly aborted: boolean;
  /** Why; undefined while nothing is aborted. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
  throwIfAborted(): void;
}

/**
 * The abort of one piece of work: controller and signal in one object. Each request needs several. Node's `AbortController`
 * with one listener takes twice the memory, and up to 4 µs when it is aborted, as at the end of each request; a listener
 * that fails would end the process of a host.
 */
export class Cancellation implements CancelSignal {
  #aborted = false;
  #reason: unknown;
  #listeners: Set<() => void> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    if (this.#aborted) this.#reason ??= new DOMException('This operation was aborted', 'AbortError');
    return this.#reason;
  }

  /**
   * Calls the listeners, the first time only. Default of `reason`: an `AbortError`, as `AbortController` has. Throws an
   * AggregateError when listeners failed, after the call of the last one.
   */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const faults: unknown[] = [];
    // A listener that removes another one prevents its call, as with an `AbortSignal`.
    for (const listener of this.#listeners ?? []) {
      try {
        listener();
      } catch (fault) {
        faults.push(fault);
      }
    }
    this.#listeners = undefined;
    if (faults.length > 0) throw new AggregateError(faults, 'A listener failed.');
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#aborted) return;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.reason;
  }
}
