/** The waits before an operation is sent again, or a connection is opened again. */

/** Longest wait for the browser to be online again (ms): 5 minutes. */
const maxOfflineMs = 5 * 60_000;

/** Longest wait before a connection is opened again, or its work is begun again (ms). */
export const longestReconnectMs = 30_000;

/** Time after which a connection counts as one that works (ms): one that is closed sooner, each time, is opened more and more rarely. */
export const worksAfterMs = 10_000;

/** A random wait before a connection is opened again (ms). `failures`: how many were closed, or refused, since the last one that worked. */
export function reconnectMs(failures: number): number {
  return Math.random() * Math.min(longestReconnectMs, 250 * 2 ** failures);
}

/** Waits for the delay, and while the browser is offline until it is online again. Rejects as soon as `signal` is aborted. */
export async function waitToRepeat(delayMs: number, signal?: AbortSignal): Promise<void> {
  await Promise.all([pause(delayMs, signal), isOnline(signal)]);
  signal?.throwIfAborted();
}

/** A request that fails because the browser is offline cannot succeed before the event `online`. */
async function isOnline(signal: AbortSignal | undefined): Promise<void> {
  if (globalThis.navigator?.onLine === false) await pause(maxOfflineMs, signal, 'online');
}

/** Rejects as soon as `signal` is aborted. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  return await Promise.race([work, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', abort),
  );
}

/** Resolves after this time, and before it when `signal` is aborted or the page gets this event. */
export function pause(ms: number, signal?: AbortSignal, event?: string): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (event !== undefined) globalThis.removeEventListener(event, end);
      resolve();
    }
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (event !== undefined) globalThis.addEventListener(event, end);
    if (signal?.aborted) end();
  });
}
