import { setTimeout as sleep } from 'node:timers/promises';

/** Shorter pauses are accumulated (ms). */
const shortestPauseMs = 10;

/** Calls `act` for each item, evenly distributed over the time, so that clients do not all reconnect at once. */
export async function forEachStaggered<T>(
  items: readonly T[],
  durationMs: number,
  act: (item: T) => void,
): Promise<void> {
  const pauseMs = durationMs / Math.max(items.length, 1);
  let dueMs = 0;
  for (const [index, item] of items.entries()) {
    if (index > 0) dueMs += pauseMs;
    if (dueMs >= shortestPauseMs) {
      await sleep(dueMs);
      dueMs = 0;
    }
    act(item);
  }
}
