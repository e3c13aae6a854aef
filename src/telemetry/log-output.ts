/** Writes the log to standard output: batched, bounded, and without blocking the event loop. */
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import sonicBoom from 'sonic-boom';
import { mechanisms } from '../tools/speed-mechanisms.ts';

const { SonicBoom } = sonicBoom;

/** Members of SonicBoom, whose types do not have them. The tests of the last lines of a process notice a change. */
interface Waiting {
  /** Lines that no write has begun to send. */
  readonly _bufs: Buffer[][];
  /** What a write sends, or did not send because it failed. */
  readonly _writing: boolean;
  readonly _writingBuf: Buffer;
}

export type LogOutput = ReturnType<typeof createLogOutput>;

/**
 * When standard output stalls, up to 1 MiB of lines wait; further ones are dropped and counted. `fd`: its descriptor, non-blocking
 * if it is a pipe, so that a write to a full one fails and is repeated.
 */
export function createLogOutput(fd: number) {
  let dropped = 0;
  const destination = new SonicBoom({
    fd,
    // A write per line costs more than formatting the line: lines wait for 32 KiB, at most 200 ms. With 0, `flush` would not wait.
    minLength: mechanisms.logBatches ? 32 * 1024 : 1,
    maxWrite: 64 * 1024,
    periodicFlush: 200,
    maxLength: 1024 * 1024,
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
      if (isDrained) return;
      // `flushSync` repeats for ever a write that fails without a reader, or on a full disk.
      const { _bufs, _writing, _writingBuf } = destination as unknown as Waiting;
      let rest = Buffer.concat([...(_writing ? [] : [_writingBuf]), ..._bufs.splice(0).flat()]);
      const until = performance.now() + 1_000;
      while (rest.length > 0 && performance.now() < until) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        }
      }
    },
  };
}
