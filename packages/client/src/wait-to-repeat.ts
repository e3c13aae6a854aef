/** The wait before an operation is sent again. */

/** Longest wait for the browser to be online again (ms): 5 minutes. */
const maxOfflineMs = 5 * 60_000;

/** Waits for the delay, and while the browser is offline until it is online again. */
export async function waitToRepeat(delayMs: number): Promise<void> {
  await Promise.all([pause(delayMs), isOnline()]);
}

/** A request that fails because the browser is offline cannot succeed before the event `online`. */
async function isOnline(): Promise<void> {
  if (globalThis.navigator?.onLine !== false) return;
  const online = Promise.withResolvers<void>();
  const timer = setTimeout(online.resolve, maxOfflineMs);
  globalThis.addEventListener('online', () => online.resolve(), { once: true });
  await online.promise;
  clearTimeout(timer);
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

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
