export interface InFlight<T> {
  /**
   * Joins the run under `key`, or starts one. The run's controller is aborted when its last waiter has left.
   * `joined` tells the two apart.
   */
  share(key: string, signal: AbortSignal, start: (controller: AbortController) => Promise<T>): SharedRun<T>;
}

export interface SharedRun<T> {
  readonly joined: boolean;
  readonly result: Promise<T>;
}

interface Run<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiters: number;
}

/** Runs under way, each shared by all who ask for the same at that time; nothing is kept after its end. */
export function createInFlight<T>(): InFlight<T> {
  const runs = new Map<string, Run<T>>();

  function begin(key: string, start: (controller: AbortController) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const promise = start(controller).finally(() => {
      if (runs.get(key) === run) runs.delete(key);
    });
    // A run whose waiters all left ends with nobody to tell.
    promise.catch(() => {});
    const run: Run<T> = { promise, controller, waiters: 0 };
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
            run.controller.abort(signal.reason);
          }
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        run.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
      return { joined: existing !== undefined, result };
    },
  };
}
