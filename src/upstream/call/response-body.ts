/** The body of one response while it is read: within the bound of a response, and within the memory of all responses. */
import type { Bound } from '../../bound-names.ts';
import type { Holder } from '../../caller.ts';
import type { Holding } from '../../shares/reclaiming-budget.ts';
import type { Shares } from '../../shares/shares.ts';
import type { TurnTakingBudget } from '../../shares/turn-taking-budget.ts';
import { ByteCollector } from '../../tools/byte-collector.ts';
import { ownTurnBytes } from '../../tools/event-loop-turns.ts';
import type { DecompressionQueue } from './decompression-queue.ts';

/** What bounds all responses that are being read. */
export interface ResponseBounds {
  /** Most bytes of the response's body, before and after decompression. */
  readonly maxResponseBytes: number;
  /** The memory budget of all responses that are being read. */
  readonly responses: TurnTakingBudget;
  readonly decompressionQueue: DecompressionQueue;
  readonly shares: Pick<Shares, 'scheduler'>;
}

export class ResponseBody {
  readonly #bounds: ResponseBounds;
  readonly #holder: Holder;
  readonly #bytes = new ByteCollector();
  readonly #holding: Holding;
  /** Ends the wait for its turn. */
  #stopWaiting: (() => void) | undefined;

  /** `holder`: for whom it counts. `drop`: called when the responses use too much memory, and this one most of it. Must close. */
  constructor(bounds: ResponseBounds, holder: Holder, drop: (bound: Bound | undefined) => void) {
    this.#bounds = bounds;
    this.#holder = holder;
    this.#holding = bounds.responses.open({ holder, drop: ({ bound }) => drop(bound) });
  }

  /** Returns false for a chunk beyond the bound of a response. */
  push(chunk: Buffer): boolean {
    if (this.#bytes.length + chunk.length > this.#bounds.maxResponseBytes) return false;
    this.#bytes.push(chunk);
    this.hold(this.#bytes.held);
    return true;
  }

  /** Number of bytes that have come. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** Whether no more may be read until others have been parsed: then `goOn` is called. */
  waits(goOn: () => void): boolean {
    return this.#bounds.responses.waits(this.#holding, goOn);
  }

  /**
   * Sets the bytes that are collected, decompressed or being decoded; few are not counted. Returns false when nobody waits for
   * them any more.
   */
  hold(bytes: number): boolean {
    if (bytes > ownTurnBytes) this.#holding.hold(bytes);
    return this.#holding.isOpen;
  }

  /** As `hold`, while more is decompressed. Resolves when it may hold more, or with false when nobody waits for it any more. */
  async holdInTurn(bytes: number): Promise<boolean> {
    if (!this.hold(bytes)) return false;
    return await this.#wait((start) => {
      if (!this.waits(start)) start();
      return () => {};
    });
  }

  /** Resolves in the turn of a large body, or with false at once when nobody waits for it any more: it must not be kept until then. */
  ownTurn(): Promise<boolean> {
    const { scheduler } = this.#bounds.shares;
    return this.#wait((start) => scheduler.forLargeInput(this.#holder, start));
  }

  /** Does the work in the holder's turn; resolves with undefined when nobody waits for the body any more. */
  async inTurn<R>(work: () => Promise<R>): Promise<R | undefined> {
    const { decompressionQueue } = this.#bounds;
    this.#holding.canGrow = false;
    if (!(await this.#wait((start) => decompressionQueue.wait(this.#holder, start)))) return undefined;
    this.#holding.canGrow = true;
    try {
      return await work();
    } finally {
      decompressionQueue.end();
    }
  }

  /** Resolves with true in its turn, or with false when it is closed before. `enqueue`: returns a function that leaves the queue. */
  #wait(enqueue: (start: () => void) => () => void): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = enqueue(() => resolve(true));
    this.#stopWaiting = () => {
      leave();
      resolve(false);
    };
    return promise;
  }

  /** Returns the collected bytes, which count until the end. */
  take(): Buffer {
    return this.#bytes.take();
  }

  close(): void {
    this.#stopWaiting?.();
    this.#holding.close();
    this.#bytes.clear();
  }
}
