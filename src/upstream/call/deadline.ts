export interface DeadlineOptions {
  /** Whether the clock starts only with `resume`. Default false. */
  readonly paused?: boolean;
  /** Signals that end the call too, until `detach`. Default: none. */
  readonly signals?: readonly AbortSignal[];
  /** Controller of `signal`, which its owner may abort too. Default: a new one. */
  readonly controller?: AbortController;
}

/** Total time limit of one call, its wait and retries included. */
export class Deadline {
  /** The limit (ms). */
  readonly ms: number;
  /** Aborted when the time is over, or with the reason of the first of `signals` that is aborted. */
  readonly signal: AbortSignal;
  readonly #controller: AbortController;
  readonly #signals: readonly AbortSignal[];
  #onAbort: (() => void) | undefined;
  #expiresAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #expired = false;

  constructor(
    ms: number,
    { paused = false, signals = [], controller = new AbortController() }: DeadlineOptions = {},
  ) {
    this.ms = ms;
    this.signal = controller.signal;
    this.#controller = controller;
    this.#signals = signals;
    this.#attach();
    if (!paused) this.resume();
  }

  /** Whether the time is over, as opposed to aborted for another reason. */
  hasExpired(): boolean {
    return this.#expired;
  }

  remainingMs(): number {
    return this.#expiresAt === undefined ? this.ms : this.#expiresAt - performance.now();
  }

  /** Starts the clock of a paused deadline. Does nothing when the clock runs. */
  resume(): void {
    if (this.#timer !== undefined) return;
    this.#expiresAt = performance.now() + this.ms;
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#controller.abort(new Error('The deadline expired.'));
    }, this.ms);
  }

  #attach(): void {
    if (this.#signals.length === 0) return;
    const onAbort = () => this.#controller.abort(this.#signals.find((signal) => signal.aborted)?.reason);
    for (const signal of this.#signals) signal.addEventListener('abort', onAbort, { once: true });
    if (this.#signals.some((signal) => signal.aborted)) onAbort();
    this.#onAbort = onAbort;
  }

  /** Stops listening to `signals`: from now on only the clock ends the call. */
  detach(): void {
    const onAbort = this.#onAbort;
    if (onAbort) for (const signal of this.#signals) signal.removeEventListener('abort', onAbort);
  }

  /** Clears the timer and removes the listeners. */
  stop(): void {
    clearTimeout(this.#timer);
    this.detach();
  }
}
