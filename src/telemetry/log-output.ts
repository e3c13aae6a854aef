/** Writes the log to standard output: batched, bounded, and without blocking the event loop. */
import { setTimeout as delay } from 'node:timers/promises';
import sonicBoom from 'sonic-boom';
import { mechanisms } from '../tools/speed-mechanisms.ts';

const { SonicBoom } = sonicBoom;

export type LogOutput = ReturnType<typeof createLogOutput>;

/**
 * When standard output stalls, up to 1 MiB of lines wait; further ones are dropped and counted. `fd`: its descriptor, non-blocking
 * if it is a pipe, so that a write to a full one fails and is repeated.
 */
export function createLogOutput(fd: number) {
  let dropped = 0;
  let isRetrying = () => true;
  const destination = new SonicBoom({
    fd,
    // A write per line costs more than formatting the line: lines wait for 32 KiB, at most 200 ms. With 0, `flush` would not wait.
    minLength: mechanisms.logBatches ? 32 * 1024 : 1,
    maxWrite: 64 * 1024,
    periodicFlush: 200,
    maxLength: 1024 * 1024,
    retryEAGAIN: () => isRetrying(),
    // With texts, each line copies all that wait.
    contentMode: 'buffer',
  });
  // Its types have texts only.
  const write = destination.write.bind(destination) as unknown as (line: Buffer) => boolean;
  destination.on('drop', () => {
    dropped += 1;
  });
  // The reader has gone: lines wait and are dropped as if it stalled.
  destination.on('error', () => {});
  let isDrained = false;
  return {
    destination: { write: (line: string) => write(Buffer.from(line)) },
    /** Number of lines dropped because standard output stalled. */
    droppedLines: () => dropped,
    /** Writes the waiting lines without blocking, for at most 1 second. Call it before the process exits. */
    async drain() {
      const { promise, resolve } = Promise.withResolvers<void>();
      // Otherwise it would be called after a write in progress, before the lines that came during it are written.
      Object.assign(destination, { minLength: 1 });
      destination.flush(() => resolve());
      await Promise.race([promise, delay(1_000)]);
      isDrained = true;
    },
    /** Writes the waiting lines, for at most 1 second, if `drain` was not called. Call it when the process exits. */
    flush() {
      // Without a reader `flushSync` repeats its write for ever.
      if (isDrained) return;
      const until = performance.now() + 1_000;
      isRetrying = () => performance.now() < until;
      try {
        destination.flushSync();
      } catch {
        // Standard output is still stalled.
      }
    },
  };
}
