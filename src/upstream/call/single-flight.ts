/** Lets several callers share one call in flight. Those that join it are bounded by `joins` in `upstream/client.ts`. */
import type { OnCall } from '../../caller.ts';
import type { CancelSignal } from '../../tools/cancellation.ts';

/** A call that several callers may wait for. */
interface SharableCall<T> {
  /** `onEnd`: called when the call has ended, before the promise settles. */
  run(onEnd: () => void): Promise<T>;
  abort(reason: unknown): void;
  /** Records that another field or caller waits for the call too. `onCall` is called when the call ends. */
  shareWith?(onCall: OnCall | undefined): void;
}

/**
 * Callers with the same key share one call while it is in flight. Nothing is kept after it. The call is aborted when
 * the signals of all its callers are. A caller that has joined it and whose signal is aborted earlier stops waiting.
 */
export function createSingleFlight() {
  const flights = new Map<string, Flight<unknown>>();

  return {
    has: (key: string) => flights.has(key),

    /** Starts a call that others may join under `key` until it ends. */
    start<T>(key: string, signal: CancelSignal, call: SharableCall<T>): Promise<T> {
      const flight = new Flight(call, () => {
        if (flights.get(key) === flight) flights.delete(key);
      });
      flights.set(key, flight);
      return flight.wait(signal);
    },

    /** Returns the result of the call in flight under `key`; undefined when there is none. */
    join(key: string, signal: CancelSignal, onCall?: OnCall): Promise<unknown> | undefined {
      const flight = flights.get(key);
      flight?.call?.shareWith?.(onCall);
      return flight && unlessAborted(flight.wait(signal), signal);
    },
  };
}

/** Rejects when the signal is aborted: what waits for the result would be kept until the call ends. */
function unlessAborted<T>(result: Promise<T>, signal: CancelSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

class Flight<T> {
  // Undefined or empty once the call has ended: a Map's old tables keep deleted entries until a full collection.
  #result: Promise<T> | undefined;
  call: SharableCall<T> | undefined;
  #signals: CancelSignal[] = [];
  readonly #forget: () => void;
  readonly #onAbort = () => {
    if (!this.#signals.every(({ aborted }) => aborted)) return;
    const { call } = this;
    const reason = this.#signals.at(-1)?.reason;
    this.#end();
    call?.abort(reason);
  };

  constructor(call: SharableCall<T>, forget: () => void) {
    this.call = call;
    this.#forget = forget;
  }

  /** Starts the call for its first caller. */
  wait(signal: CancelSignal): Promise<T> {
    this.#signals.push(signal);
    signal.addEventListener('abort', this.#onAbort);
    this.#result ??= (this.call as SharableCall<T>).run(() => this.#end());
    return this.#result;
  }

  #end(): void {
    this.#forget();
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort);
    this.#signals = [];
    this.#result = undefined;
    this.call = undefined;
  }
}
