/** How a gateway that stops closes its WebSockets and event streams. */
import { setTimeout as sleep } from 'node:timers/promises';

/** No shorter pause is made (ms). */
const shortestPauseMs = 10;

/** Closes connections evenly over the time, so that clients do not all reconnect at once. */
export async function closeStaggered<T>(
  connections: readonly T[],
  durationMs: number,
  close: (connection: T) => void,
): Promise<void> {
  const start = performance.now();
  for (const [index, connection] of connections.entries()) {
    const pauseMs = start + (index / connections.length) * durationMs - performance.now();
    if (pauseMs >= shortestPauseMs) await sleep(pauseMs);
    close(connection);
  }
}
