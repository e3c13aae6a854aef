import type { Holder } from '../../caller.ts';
import type { AcceptedLanes } from '../../shares/accepted-lanes.ts';
import { FairQueue } from '../../shares/fair-queue.ts';

/** Most bodies in encodings with a wide window that are decompressed at the same time. */
const maxDecompressed = 2;

/**
 * Bodies that wait to be decompressed, of encodings whose window takes memory that no budget counts. A call keeps its slot
 * while its body waits, so that no more wait than calls may run.
 */
export class DecompressionQueue {
  readonly #waiting: FairQueue<() => void>;
  #taken = 0;

  constructor(acceptedLanes: AcceptedLanes) {
    this.#waiting = new FairQueue(acceptedLanes);
  }

  /** Calls `start` when it is the holder's turn, which lasts until `end` is called. Returns a function that stops waiting. */
  wait(holder: Holder, start: () => void): () => void {
    const stopWaiting = this.#waiting.add(holder, start);
    this.#startNext();
    return stopWaiting;
  }

  end(): void {
    this.#taken -= 1;
    this.#startNext();
  }

  #startNext(): void {
    if (this.#taken >= maxDecompressed) return;
    const start = this.#waiting.next();
    if (!start) return;
    this.#taken += 1;
    start();
  }
}
