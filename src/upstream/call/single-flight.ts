/** Lets several callers share one call in flight. Those that join it are bounded by `joins` in `upstream/client.ts`. */
import type { OnCall } from '../../caller.ts';
import type { CancelSignal } from '../../tools/cancellation.ts';
import type { CallInProgress } from './call-in-progress.ts';

/** A call that several callers may wait for. */
type SharableCall<T> = Pick<CallInProgress<T>, 'run' | 'abort' | 'shareWith'>;

/**
 * Callers with the same key share one call while it is in flight. Nothing is kept after it. The call is aborted when
 * the signals of all its callers are. A caller whose signal is aborted earlier stops waiting.
 */
export function createSingleFlight() {
  const flights = new Map<string, Flight>();

  return {
    has: (key: string) => flights.has(key),

    /** Starts a call that others may join under `key` until it ends. */
    start<T>(key: string, signal: CancelSignal, call: SharableCall<T>): Promise<T> {
      const flight = new Flight(call, () => {
        if (flights.get(key) === flight) flights.delete(key);
      });
      flights.set(key, flight);
      const result = flight.wait(signal) as Promise<T>;
      void flight.run();
      return result;
    },

    /** Returns the result of the call in flight under `key`; undefined when there is none. */
    join(key: string, signal: CancelSignal, onCall?: OnCall): Promise<unknown> | undefined {
      const flight = flights.get(key);
      flight?.call?.shareWith(onCall);
      return flight?.wait(signal);
    },
  };
}

/** A caller that waits for the result. */
interface Waiter {
  readonly signal: CancelSignal;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

class Flight {
  // Undefined or empty once the call has ended: a Map's old tables keep deleted entries until a full collection.
  call: SharableCall<unknown> | undefined;
  #waiting: Waiter[] = [];
  readonly #forget: () => void;
  readonly #onAbort = () => {
    const left = this.#waiting.filter(({ signal }) => signal.aborted);
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    // A promise of its own for each: one for all would keep what waits for it until the call ends.
    for (const { signal, reject } of left) reject(signal.reason);
    if (this.#waiting.length > 0) return;
    const { call } = this;
    this.#end();
    call?.abort(left.at(-1)?.signal.reason);
  };

  constructor(call: SharableCall<unknown>, forget: () => void) {
    this.call = call;
    this.#forget = forget;
  }

  wait(signal: CancelSignal): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ signal, resolve, reject });
    signal.addEventListener('abort', this.#onAbort);
    return promise;
  }

  async run(): Promise<void> {
    let waiting: readonly Waiter[] = [];
    const onEnd = () => {
      waiting = this.#end();
    };
    try {
      const value = await (this.call as SharableCall<unknown>).run(onEnd);
      for (const { resolve } of waiting) resolve(value);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  /** Returns those that wait. */
  #end(): readonly Waiter[] {
    const waiting = this.#waiting;
    this.#forget();
    for (const { signal } of waiting) signal.removeEventListener('abort', this.#onAbort);
    this.#waiting = [];
    this.call = undefined;
    return waiting;
  }
}
