import { Cancellation, type CancelSignal } from '../../tools/cancellation.ts';

export interface DeadlineOptions {
  /** Whether the clock starts only with `resume`. Default false. */
  readonly paused?: boolean;
  /** Part of the time that is over before the clock starts (ms). Default 0. */
  readonly elapsedMs?: number;
  /** Signals that end the call too, until `detach`. Default: none. */
  readonly signals?: readonly CancelSignal[];
}

/** The reason of a deadline whose time is over. */
const expired = new Error('The deadline expired.');

/**
 * Total time limit of one call, its wait and retries included. Aborted when the time is over, with the reason of the
 * first of `signals` that is aborted, or by `abort`.
 */
export class Deadline extends Cancellation {
  /** The limit (ms). */
  readonly ms: number;
  readonly #elapsedMs: number;
  readonly #signals: readonly CancelSignal[];
  readonly #onAbort = () => this.abort(this.#signals.find(({ aborted }) => aborted)?.reason);
  #expiresAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Immediate | undefined;

  constructor(ms: number, { paused = false, elapsedMs = 0, signals = [] }: DeadlineOptions = {}) {
    super();
    this.ms = ms;
    this.#elapsedMs = elapsedMs;
    this.#signals = signals;
    for (const signal of signals) signal.addEventListener('abort', this.#onAbort);
    if (signals.some(({ aborted }) => aborted)) this.#onAbort();
    if (!paused) this.resume();
  }

  /** Whether the time is over, as opposed to aborted for another reason. */
  hasExpired(): boolean {
    return this.reason === expired;
  }

  remainingMs(): number {
    return this.#expiresAt === undefined ? this.ms - this.#elapsedMs : this.#expiresAt - performance.now();
  }

  /** Starts the clock of a paused deadline. Does nothing when the clock runs. */
  resume(): void {
    if (this.#timer !== undefined) return;
    const leftMs = this.ms - this.#elapsedMs;
    this.#expiresAt = performance.now() + leftMs;
    if (leftMs <= 0) this.abort(expired);
    else this.#timer = setTimeout(() => this.#expire(), leftMs);
  }

  /** After a pause of the process, a response that has arrived meanwhile is read first. */
  #expire(): void {
    this.#expiry = setImmediate(() => this.abort(expired));
  }

  /** Calls `work` after that time (ms), or when the deadline is aborted before. */
  afterDelay(ms: number, work: () => void): void {
    const go = () => {
      clearTimeout(timer);
      this.removeEventListener('abort', go);
      work();
    };
    const timer = setTimeout(go, ms);
    this.addEventListener('abort', go);
  }

  /** Stops listening to `signals`: from now on only the clock ends the call. */
  detach(): void {
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort);
  }

  /** Clears the timer and removes the listeners. */
  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#expiry);
    this.detach();
  }
}
