/** The log's way to standard output: batched, bounded, and never waited for. */
import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const standardOutput = 1;
/** Characters in one write, and the longest time that a line waits for it (ms). */
const batchLength = 8 * 1024;
const longestWaitMs = 200;
/** Most characters of lines that wait for an output that does not take them: 1 Mi. Later lines are dropped. */
const maxWaitingLength = 1024 * 1024;
/** Time between two attempts to write to a full pipe (ms). */
const retryMs = 50;
/** Longest time in which the last lines are written when the process exits (ms). */
const longestFlushMs = 1_000;

export interface LogOutput {
  readonly destination: DestinationStream;
  /** How many lines were dropped because standard output did not take them. */
  readonly droppedLines: () => number;
  /** Writes the waiting lines, for at most a second. Call it when the process exits. */
  readonly flush: () => void;
}

/**
 * Writes lines in batches: a write for each line costs more than making it. A stalled output never blocks the event
 * loop: lines wait in a bounded buffer, then they are dropped and counted.
 */
export function createLogOutput(): LogOutput {
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  /** What is being written. */
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

  setInterval(writeWaiting, longestWaitMs).unref();

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
      // A batch that is not retried is with the operating system already.
      const rest = Buffer.concat([isRetrying && batch ? batch : Buffer.alloc(0), Buffer.from(takeWaiting())]);
      writeUntil(performance.now() + longestFlushMs, rest);
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

/** A pipe whose reader does not read, as long as it is non-blocking: Node makes standard output so. */
function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

function linesIn(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1;
}
