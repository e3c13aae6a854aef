export interface SingleFlight<T> {
  /**
   * Joins the run under `key`, or starts one. The run's controller is aborted when its last waiter has left.
   * `joined` tells the two apart.
   */
  share(key: string, signal: AbortSignal, start: (controller: AbortController) => Promise<T>): SharedCall<T>;
}

export interface SharedCall<T> {
  readonly joined: boolean;
  readonly result: Promise<T>;
}

interface Run<T> {
  /** Undefined once it has ended: a Map's old tables keep what has left it until a full collection. */
  current: { readonly promise: Promise<T>; readonly controller: AbortController } | undefined;
  waiters: number;
}

/** Runs under way, each shared by all who ask for the same at that time; nothing is kept after its end. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const runs = new Map<string, Run<T>>();

  function begin(key: string, start: (controller: AbortController) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const promise = start(controller);
    const run: Run<T> = { current: { promise, controller }, waiters: 0 };
    const forget = () => {
      if (runs.get(key) === run) runs.delete(key);
      run.current = undefined;
    };
    // Before any waiter is told; and a run whose waiters all left may fail with nobody to tell.
    promise.then(forget, forget);
    runs.set(key, run);
    return run;
  }

  return {
    share(key, signal, start) {
      const existing = runs.get(key);
      const run = existing ?? begin(key, start);
      const result = new Promise<T>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        run.waiters += 1;
        const leave = () => {
          run.waiters -= 1;
          if (run.waiters === 0) {
            if (runs.get(key) === run) runs.delete(key);
            run.current?.controller.abort(signal.reason);
          }
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        const stopListening = () => signal.removeEventListener('abort', leave);
        run.current?.promise.then(
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
