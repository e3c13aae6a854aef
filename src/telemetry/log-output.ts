/** Writes the log to standard output: batched, bounded, and without blocking the event loop. */
import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const standardOutput = 1;
/** Characters that start a write. */
const batchLength = 32 * 1024;
/** Longest time that a line waits for a write (ms). */
const maxWaitMs = 200;
/** Most characters of waiting lines: 1 Mi. When the output stalls, later lines are dropped. */
const maxWaitingLength = 1024 * 1024;
/** Time between two attempts to write to a full pipe (ms). */
const retryMs = 50;
/** Longest time for writing the last lines when the process exits (ms). */
const maxFlushMs = 1_000;

export interface LogOutput {
  readonly destination: DestinationStream;
  /** Number of lines dropped because standard output stalled. */
  readonly droppedLines: () => number;
  /** Writes the waiting lines, for at most 1 second. Call it when the process exits. */
  readonly flush: () => void;
}

/**
 * Creates an output that writes lines in batches, since a write per line costs more than formatting the line. When
 * standard output stalls, lines wait in a bounded buffer; then they are dropped and counted.
 */
export function createLogOutput(): LogOutput {
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  /** The bytes that are being written. */
  let batch: Buffer | undefined;
  let isRetrying = false;

  function writeWaiting(): void {
    if (batch || waiting.length === 0) return;
    batch = Buffer.from(takeWaiting());
    writeBatch(batch);
  }

  function takeWaiting(): string {
    const text = waiting.join('');
    waiting = [];
    waitingLength = 0;
    return text;
  }

  function writeBatch(bytes: Buffer): void {
    isRetrying = false;
    write(standardOutput, bytes, (error, written) => {
      if (error && isFull(error)) {
        isRetrying = true;
        setTimeout(writeBatch, retryMs, bytes).unref();
        return;
      }
      batch = error || written === bytes.length ? undefined : bytes.subarray(written);
      if (error) dropped += linesIn(bytes);
      if (batch) writeBatch(batch);
      else if (waitingLength >= batchLength) writeWaiting();
    });
  }

  setInterval(writeWaiting, maxWaitMs).unref();

  return {
    destination: {
      write(line) {
        if (waitingLength + line.length > maxWaitingLength) {
          dropped += 1;
          return;
        }
        waiting.push(line);
        waitingLength += line.length;
        if (waitingLength >= batchLength) writeWaiting();
      },
    },
    droppedLines: () => dropped,
    flush() {
      // A batch that is not waiting for a retry has been passed to the operating system.
      const rest = Buffer.concat([isRetrying && batch ? batch : Buffer.alloc(0), Buffer.from(takeWaiting())]);
      writeUntil(performance.now() + maxFlushMs, rest);
    },
  };
}

function writeUntil(deadline: number, bytes: Buffer): void {
  let rest = bytes;
  while (rest.length > 0 && performance.now() < deadline) {
    try {
      rest = rest.subarray(writeSync(standardOutput, rest));
    } catch (error) {
      if (!isFull(error as NodeJS.ErrnoException)) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
}

/** Whether a pipe is full because its reader is slow. Node makes standard output non-blocking. */
function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

function linesIn(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1;
}
