export interface SingleFlight<T> {
  /**
   * Joins the call in flight under `key`, or starts one. Its controller is aborted when the last of its waiters has
   * been aborted through `signal`.
   */
  share(key: string, signal: AbortSignal, start: (controller: AbortController) => Promise<T>): SharedCall<T>;
}

export interface SharedCall<T> {
  /** Whether the call was in flight already. */
  readonly joined: boolean;
  readonly result: Promise<T>;
}

interface FlightState<T> {
  /** Undefined once the call has ended: a Map's old tables keep deleted entries until a full collection. */
  current: { readonly promise: Promise<T>; readonly controller: AbortController } | undefined;
  waiters: number;
}

/** Creates a single flight: callers with the same key share one call while it is in flight. Nothing is kept after it. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, FlightState<T>>();

  function begin(key: string, start: (controller: AbortController) => Promise<T>): FlightState<T> {
    const controller = new AbortController();
    const promise = start(controller);
    const flight: FlightState<T> = { current: { promise, controller }, waiters: 0 };
    const forget = () => {
      if (flights.get(key) === flight) flights.delete(key);
      flight.current = undefined;
    };
    // Registered before any waiter, so that it runs first; it also handles the rejection when no waiter is left.
    promise.then(forget, forget);
    flights.set(key, flight);
    return flight;
  }

  return {
    share(key, signal, start) {
      const existing = flights.get(key);
      const flight = existing ?? begin(key, start);
      const result = new Promise<T>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        flight.waiters += 1;
        const onAbort = () => {
          flight.waiters -= 1;
          if (flight.waiters === 0) {
            if (flights.get(key) === flight) flights.delete(key);
            flight.current?.controller.abort(signal.reason);
          }
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        const stopListening = () => signal.removeEventListener('abort', onAbort);
        flight.current?.promise.then(
          (value) => {
            stopListening();
            resolve(value);
          },
          (error) => {
            stopListening();
            reject(error);
          },
        );
      });
      return { joined: existing !== undefined, result };
    },
  };
}
