/**
 * The end of a server: nothing that is in progress is cut without a response. Before it gateway.ts sets the phase, and waits for
 * SHUTDOWN_DELAY_MS.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface DrainTime {
  /** Longest time to finish what is in progress (ms). */
  readonly graceMs: number;
  /** Resolves at its end, when all calls to the service have been ended with an error. */
  readonly graceOver: Promise<void>;
}

/** Sockets are closed within this time at the latest (ms), and within a third of the grace time. */
const maxSpreadMs = 12_000;
/**
 * How long requests on open connections are still accepted (ms), at most a twelfth of the grace time. A balancer sends
 * some on connections that it has kept open; each response asks it to close its connection.
 */
const maxOpenMs = 3_000;
/** How long the responses of calls that were ended may take after the grace time, and then the last refusals (ms). */
const lastResponsesMs = 500;

/** No shorter pause is made (ms). */
const shortestPauseMs = 10;

/** Keeps no process running. */
export const pause = (ms: number) => sleep(ms, undefined, { ref: false });

/**
 * Closes connections evenly over the time, so that clients do not all reconnect at once, and then those that were opened until
 * `noMore` resolves. `open`: returns those that are open.
 */
export async function closeStaggered<T>(
  open: () => readonly T[],
  durationMs: number,
  close: (connection: T) => void,
  noMore: Promise<void>,
): Promise<void> {
  const connections = open();
  const start = performance.now();
  for (const [index, connection] of connections.entries()) {
    const pauseMs = start + (index / connections.length) * durationMs - performance.now();
    if (pauseMs >= shortestPauseMs) {
      // All have left by themselves.
      if (open().length === 0) break;
      await sleep(pauseMs);
    }
    close(connection);
  }
  await noMore;
  for (const connection of open()) close(connection);
}

/** Time over which sockets and event streams are closed evenly (ms). */
export function spreadMsOf(graceMs: number): number {
  return Math.min(graceMs / 3, maxSpreadMs);
}

/** How long requests on open connections are still accepted (ms). */
export function openMsOf(graceMs: number): number {
  return Math.min(graceMs / 12, maxOpenMs);
}

/**
 * Resolves with `finished`, or shortly after the grace time. `endLate` is called when the last responses had time: all calls
 * to the service have ended then, and with them the operations that had begun.
 */
export async function finishedOrLate(
  finished: Promise<unknown>,
  graceOver: Promise<void>,
  endLate: () => void,
): Promise<void> {
  const late = graceOver.then(async () => {
    await Promise.race([finished, pause(lastResponsesMs)]);
    endLate();
    await Promise.race([finished, pause(lastResponsesMs)]);
  });
  await Promise.race([finished, late]);
}
