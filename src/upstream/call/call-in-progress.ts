/** One call to the service in progress: its time, its attempts, and the callers that wait for its result. */
import type { Caller, Holder, OnCall } from '../../caller.ts';
import { GatewayError, InvalidInputError } from '../../errors.ts';
import { type AcceptedLanes, provesCredentials } from '../../shares/accepted-lanes.ts';
import type { SlotKind, Slots } from '../../shares/calls-and-uploads.ts';
import type { Shares } from '../../shares/shares.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { noSpan, type Span } from '../../telemetry/tracing.ts';
import type { Bag, BagItem } from '../../tools/bag.ts';
import type { CancelSignal } from '../../tools/cancellation.ts';
import type { Endpoint } from '../endpoint.ts';
import { Attempt, type AttemptEnvironment, type AttemptedCall } from './attempt.ts';
import { attemptSpan } from './attempt-span.ts';
import { type Call, isStreamed } from './call.ts';
import { createEndpointBreaker } from './circuit-breaker.ts';
import { Deadline, type DeadlineOptions } from './deadline.ts';
import { failedOutcome } from './failed-outcome.ts';
import type { AttemptOutcome } from './response-outcome.ts';
import { createRetryBudget, type RetryBudget, retryDelay } from './retry.ts';

/** What all calls of a client share. */
export interface CallEnvironment extends AttemptEnvironment {
  /** Path of the base URL, without a slash at its end. */
  readonly pathPrefix: string;
  readonly slots: Slots;
  readonly guardsOf: (endpoint: Endpoint) => Guards;
  readonly shares: Shares;
  /** Calls that callers wait for: all but polls. */
  readonly callsInProgress: Bag<CallInProgress<unknown>>;
  readonly metrics: Metrics;
}

export type Guards = ReturnType<typeof createGuards>;

/** Creates what protects one endpoint from the calls of all callers together. */
export function createGuards(acceptedLanes: AcceptedLanes) {
  const [ofAccepted, ofNewcomers] = [createRetryBudget(), createRetryBudget()];
  return {
    /** What newcomers retry takes nothing from accepted callers. */
    budgetOf: ({ lane }: Holder) => (acceptedLanes.has(lane) ? ofAccepted : ofNewcomers),
    breaker: createEndpointBreaker(acceptedLanes),
  };
}

/** A field or caller that waits for the result. */
interface Waiter<T> {
  readonly signal: CancelSignal | undefined;
  /** Called when the call has ended. */
  readonly onCall: OnCall | undefined;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Makes attempts until one succeeds, its time is over, or a retry could repeat a write or cannot help. */
export class CallInProgress<T> extends Deadline implements AttemptedCall<T>, BagItem {
  placeInBag = -1;
  readonly environment: CallEnvironment;
  readonly caller: Caller;
  readonly description: Call<T>;
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly #slotKind: SlotKind;
  readonly #guards: Guards;
  readonly #retryBudget: RetryBudget;
  #startedAt = 0;
  #waiting: Waiter<T>[] = [];
  #onEnd: (() => void) | undefined;
  #attempts = 0;
  #status: number | undefined;
  #cause: string | undefined;
  #isShared = false;
  readonly #onLeave = () => {
    const left = this.#waiting.filter(({ signal }) => signal?.aborted);
    this.#waiting = this.#waiting.filter(({ signal }) => !signal?.aborted);
    // A promise of its own for each: one for all would keep what waits for it until the call ends.
    for (const { signal, reject } of left) reject(signal?.reason);
    if (this.#waiting.length > 0) return;
    this.#onEnd?.();
    this.abort(left.at(-1)?.signal?.reason);
  };

  /** `path`: the endpoint's path with its parameters inserted. `ms` and `options`: of its deadline. */
  constructor(
    environment: CallEnvironment,
    caller: Caller,
    description: Call<T>,
    path: string,
    ms: number,
    options: DeadlineOptions,
  ) {
    super(ms, options);
    const { endpoint, body, isPoll } = description;
    this.environment = environment;
    this.caller = caller;
    this.description = description;
    this.endpoint = endpoint;
    this.path = environment.pathPrefix + path;
    this.#guards = environment.guardsOf(endpoint);
    this.#retryBudget = this.#guards.budgetOf(caller);
    this.#slotKind = isPoll ? 'poll' : isStreamed(body) ? 'upload' : 'request';
  }

  /**
   * Starts the call and returns its result. A caller whose `signal` is aborted waits no longer; the last one aborts the call.
   * `onEnd`: called when the call has ended or is aborted for that reason, before its promises settle.
   */
  run(signal?: CancelSignal, onEnd?: () => void): Promise<T> {
    const result = this.#wait(signal);
    this.#onEnd = onEnd;
    this.#startedAt = performance.now();
    if (this.#slotKind !== 'poll') this.environment.callsInProgress.add(this);
    this.#continue(() => {
      this.#retryBudget.countCall();
      this.#next();
    });
    return result;
  }

  /** Returns the result for another field or caller. */
  join(signal: CancelSignal, onCall: OnCall | undefined): Promise<T> {
    this.#isShared = true;
    return this.#wait(signal, onCall);
  }

  #wait(signal?: CancelSignal, onCall?: OnCall): Promise<T> {
    signal?.addEventListener('abort', this.#onLeave);
    return new Promise((resolve, reject) => this.#waiting.push({ signal, onCall, resolve, reject }));
  }

  /** Does the next step. What it throws ends the call: thrown into undici or a timer, it would end the process. */
  #continue(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#end(({ reject }) => reject(error));
    }
  }

  /** Makes an attempt now, or once there is a slot for it. */
  #next(): void {
    if (this.aborted) throw this.#endedUnsent(this.reason);
    const { slots } = this.environment;
    const release = slots.tryHold(this.caller, this.#slotKind);
    if (release) {
      this.#attempt(release);
      return;
    }
    const span = this.caller.span?.child('wait for a slot');
    slots
      .hold(this.caller, this.#slotKind, this)
      .finally(() => span?.end())
      .then(
        (held) => this.#continue(() => this.#attempt(held)),
        (error) => this.#end(({ reject }) => reject(this.#endedUnsent(error))),
      );
  }

  /** `release`: of its slot. A request that has ended may still wait for a connection: without its slot, others would wait behind it. */
  #attempt(release: () => void): void {
    try {
      if (this.#slotKind === 'poll') {
        this.resume();
        this.description.onStart?.();
      }
      const record = this.#guards.breaker.admit(this.caller);
      if (typeof record === 'object')
        throw failedOutcome(this, 'breaker open', { retryAfterMs: record.openForMs }).failure;
      this.#attempts += 1;
      const span = attemptSpan(this.caller.span, this.endpoint, this.environment, this.#attempts);
      const startedAt = performance.now();
      const onOutcome = (outcome: AttemptOutcome<T>) =>
        this.#continue(() => {
          record(outcome.health);
          this.#report(outcome, span, startedAt);
          this.#settleOrRetry(outcome);
        });
      new Attempt(this, span, onOutcome, release).start();
    } catch (error) {
      release();
      throw error;
    }
  }

  #settleOrRetry(outcome: AttemptOutcome<T>): void {
    const { ifUnknown } = this.description;
    if ('value' in outcome) {
      this.#end(({ resolve }) => resolve(outcome.value));
      return;
    }
    if (ifUnknown !== undefined && outcome.status === 404 && outcomeLabel(outcome) === 'NOT_FOUND') {
      this.#end(({ resolve }) => resolve(ifUnknown));
      return;
    }
    // An abort does not end an attempt whose response has come.
    if (this.#slotKind === 'poll' || this.aborted) throw outcome.failure;
    const delayMs = retryDelay(outcome, this.#attempts, this.remainingMs(), this.#retryBudget);
    if (delayMs === undefined) throw outcome.failure;
    this.afterDelay(delayMs, () =>
      this.#continue(() => {
        if (this.aborted) throw outcome.failure;
        this.#next();
      }),
    );
  }

  /** Ends the call, then settles the promises of those that wait. */
  #end(settle: (waiter: Waiter<T>) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { signal } of waiting) signal?.removeEventListener('abort', this.#onLeave);
    this.#onEnd?.();
    if (this.#slotKind !== 'poll') this.environment.callsInProgress.delete(this);
    this.stop();
    let settleEach = settle;
    try {
      this.#reportEnd(waiting);
    } catch (error) {
      settleEach = ({ reject }) => reject(error);
    }
    for (const waiter of waiting) settleEach(waiter);
  }

  #reportEnd(waiting: readonly Waiter<T>[]): void {
    const { name: operation, kind } = this.endpoint;
    const durationMs = Math.round(performance.now() - this.#startedAt);
    const [status, attempts, cause] = [this.#status, this.#attempts, this.#cause];
    const summary = { operation, kind, status, attempts, cause, durationMs };
    this.caller.observer?.onCall(summary, this.path, this.#isShared);
    for (const { onCall } of waiting) onCall?.(summary, this.path, true);
  }

  /** The error of a call that ends before an attempt: its time is over, or `reason`. Of the writes only an upload ends with its caller. */
  #endedUnsent(reason: unknown): unknown {
    if (this.hasExpired()) return failedOutcome(this, 'not sent in time').failure;
    if (this.endpoint.kind === 'read' || reason instanceof GatewayError) return reason;
    return failedOutcome(this, 'upload interrupted').failure;
  }

  /** Records the attempt in the metrics and in the trace, and its lane as accepted if it proved the credentials. */
  #report(outcome: AttemptOutcome<T>, span: Span, startedAt: number): void {
    const { metrics, shares } = this.environment;
    const { name: endpoint, requiredCredentials } = this.endpoint;
    const label = outcomeLabel(outcome);
    this.#status = outcome.status;
    const cause = connectionErrorOf(outcome);
    // The time of the call can end while it connects again: then the error of the attempt before says why.
    if (cause !== undefined || outcome.status !== undefined) this.#cause = cause;
    metrics.serviceCalls.inc({ endpoint, outcome: label, attempt: this.#attempts });
    const value = (performance.now() - startedAt) / 1_000;
    metrics.serviceCallSeconds.observe({ labels: { endpoint }, value, exemplarLabels: span.exemplar });
    if (label === 'ok' && provesCredentials(this.caller.credentials, requiredCredentials))
      shares.acceptedLanes.accept(this.caller);
    if (span === noSpan) return;
    span.set({ 'http.response.status_code': outcome.status });
    // OpenTelemetry's HTTP conventions: `error.type` is the status when it is an error status.
    const hasErrorStatus = outcome.status !== undefined && outcome.status >= 400;
    span.end(label === 'ok' ? undefined : hasErrorStatus ? String(outcome.status) : label);
  }
}

/** The code of Node.js, undici or OpenSSL for a connection that gave no response. */
function connectionErrorOf(outcome: AttemptOutcome<unknown>): string | undefined {
  if ('value' in outcome || outcome.status !== undefined) return undefined;
  const { cause } = Object(outcome.failure) as { cause?: unknown };
  const { code, name } = Object(cause) as { code?: unknown; name?: unknown };
  // undici means to give it a code of llhttp, and gives it none.
  if (name === 'HTTPParserError') return 'UND_ERR_HTTP_PARSER';
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}

function outcomeLabel(outcome: AttemptOutcome<unknown>): string {
  if ('value' in outcome) return 'ok';
  const { failure } = outcome;
  if (failure instanceof InvalidInputError) return 'invalid_input';
  return failure instanceof GatewayError ? failure.code : 'aborted';
}
