import { setTimeout as sleep } from 'node:timers/promises';

/** No shorter pause is made (ms). */
const shortestPauseMs = 10;

/** Calls `act` for each item, evenly distributed over the time, so that clients do not all reconnect at once. */
export async function forEachStaggered<T>(
  items: readonly T[],
  durationMs: number,
  act: (item: T) => void,
): Promise<void> {
  const start = performance.now();
  for (const [index, item] of items.entries()) {
    const pauseMs = start + (index / items.length) * durationMs - performance.now();
    if (pauseMs >= shortestPauseMs) await sleep(pauseMs);
    act(item);
  }
}
