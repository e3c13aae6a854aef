export interface DeadlineOptions {
  /** The clock starts with `resume`. Default false. */
  readonly paused?: boolean;
  readonly signals?: readonly AbortSignal[];
  /** Ends the call: aborted by the clock, and by whoever made it. Default: one of the deadline's own. */
  readonly controller?: AbortController;
}

/** One total time for a call. */
export class Deadline {
  readonly ms: number;
  /** Aborted when the time is over, or with the reason of the first outer signal to abort. */
  readonly signal: AbortSignal;
  readonly #controller: AbortController;
  readonly #signals: readonly AbortSignal[];
  #leave: (() => void) | undefined;
  #endsAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

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

  /** Whether the time ran out (and not somebody aborted). */
  hasExpired(): boolean {
    return this.#over;
  }

  remainingMs(): number {
    return this.#endsAt === undefined ? this.ms : this.#endsAt - performance.now();
  }

  /** Starts the clock of a paused deadline; no effect on a running one. */
  resume(): void {
    if (this.#timer !== undefined) return;
    this.#endsAt = performance.now() + this.ms;
    this.#timer = setTimeout(() => {
      this.#over = true;
      this.#controller.abort(new Error('the deadline is over'));
    }, this.ms);
  }

  #attach(): void {
    if (this.#signals.length === 0) return;
    const leave = () => this.#controller.abort(this.#signals.find((signal) => signal.aborted)?.reason);
    for (const signal of this.#signals) signal.addEventListener('abort', leave, { once: true });
    if (this.#signals.some((signal) => signal.aborted)) leave();
    this.#leave = leave;
  }

  /** From now on only the clock counts. */
  detach(): void {
    const leave = this.#leave;
    if (leave) for (const signal of this.#signals) signal.removeEventListener('abort', leave);
  }

  /** Gives the timer and the listeners back. */
  stop(): void {
    clearTimeout(this.#timer);
    this.detach();
  }
}
