export interface Deadline {
  readonly ms: number;
  /** Aborted when the time is over, or with the reason of the first outer signal to abort. */
  readonly signal: AbortSignal;
  /** Whether the time ran out (and not somebody aborted). */
  isOver(): boolean;
  remainingMs(): number;
  /** Starts the clock of a paused deadline; no effect on a running one. */
  resume(): void;
  /** From now on only the clock counts. */
  detach(): void;
  /** Gives the timer and the listeners back. */
  stop(): void;
}

export interface DeadlineOptions {
  /** The clock starts with `resume`. Default false. */
  readonly paused?: boolean;
  readonly signals?: readonly AbortSignal[];
  /** Ends the call: aborted by the clock, and by whoever made it. Default: one of the deadline's own. */
  readonly controller?: AbortController;
}

/** One total time for a call. */
export function startDeadline(
  ms: number,
  { paused = false, signals = [], controller = new AbortController() }: DeadlineOptions = {},
): Deadline {
  let endsAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let over = false;

  const leave = () => controller.abort(signals.find((signal) => signal.aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', leave, { once: true });
  if (signals.some((signal) => signal.aborted)) leave();

  const deadline: Deadline = {
    ms,
    signal: controller.signal,
    isOver: () => over,
    remainingMs: () => (endsAt === undefined ? ms : endsAt - performance.now()),
    resume() {
      if (timer !== undefined) return;
      endsAt = performance.now() + ms;
      timer = setTimeout(() => {
        over = true;
        controller.abort(new Error('the deadline is over'));
      }, ms);
    },
    detach() {
      for (const signal of signals) signal.removeEventListener('abort', leave);
    },
    stop() {
      clearTimeout(timer);
      deadline.detach();
    },
  };
  if (!paused) deadline.resume();
  return deadline;
}
