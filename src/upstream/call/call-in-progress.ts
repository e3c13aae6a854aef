/** One call to the service in progress, from its wait for a slot to its result. */
import type { Caller, Holder, OnCall } from '../../caller.ts';
import { GatewayError, InvalidInputError } from '../../errors.ts';
import { type AcceptedLanes, provesCredentials } from '../../shares/accepted-lanes.ts';
import type { SlotKind, Slots } from '../../shares/calls-and-uploads.ts';
import type { Shares } from '../../shares/shares.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { noSpan, type Span } from '../../telemetry/tracing.ts';
import type { Bag, BagItem } from '../../tools/bag.ts';
import { type Endpoint, requestHeaders } from '../endpoint.ts';
import { Attempt, type AttemptEnvironment, type AttemptRequest } from './attempt.ts';
import { type Call, isStreamed } from './call.ts';
import { createEndpointBreaker } from './circuit-breaker.ts';
import type { Deadline } from './deadline.ts';
import { failedOutcome } from './failed-outcome.ts';
import type { AttemptOutcome } from './response-outcome.ts';
import { createRetryBudget, retryDelay } from './retry.ts';
import { tracedRequest } from './traced-request.ts';

/** What all calls of a client share. */
export interface CallEnvironment extends AttemptEnvironment {
  /** Path of the base URL, without a slash at its end. */
  readonly pathPrefix: string;
  readonly userAgent: string;
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

export class CallInProgress<T> implements BagItem {
  placeInBag = -1;
  readonly #environment: CallEnvironment;
  readonly #caller: Caller;
  readonly #call: Call<T>;
  readonly #deadline: Deadline;
  readonly #request: AttemptRequest;
  #attempts = 0;
  #status: number | undefined;
  #cause: string | undefined;
  #isShared = false;
  /** Of the callers that joined and list their calls; undefined while there are none. */
  #onSharedCall: OnCall[] | undefined;

  /** `path`: the endpoint's path with its parameters inserted. */
  constructor(environment: CallEnvironment, caller: Caller, call: Call<T>, path: string, deadline: Deadline) {
    const { endpoint, body, headers } = call;
    const { credentials, requestId } = caller;
    this.#environment = environment;
    this.#caller = caller;
    this.#call = call;
    this.#deadline = deadline;
    this.#request = {
      environment,
      endpoint,
      requestId,
      credentials,
      holder: caller,
      path: environment.pathPrefix + path,
      headers: {
        ...requestHeaders(caller, environment.userAgent),
        'content-type': typeof body === 'string' ? 'application/json' : undefined,
        ...headers,
      },
      span: noSpan,
    };
  }

  abort(reason: unknown): void {
    this.#deadline.abort(reason);
  }

  /** Records that another field or caller waits for the call too. `onCall` is called when the call ends. */
  shareWith(onCall: OnCall | undefined): void {
    this.#isShared = true;
    if (onCall) this.#onSharedCall = [...(this.#onSharedCall ?? []), onCall];
  }

  /**
   * Makes attempts until one succeeds, the deadline is over, or a retry could repeat a write or cannot help. `onEnd`: called
   * when the call has ended, before the promise settles.
   */
  async run(onEnd = () => {}): Promise<T> {
    const { slots, guardsOf, callsInProgress, pathPrefix } = this.#environment;
    const { endpoint } = this.#call;
    const { budgetOf, breaker } = guardsOf(endpoint);
    const budget = budgetOf(this.#caller);
    const slotKind = slotKindOf(this.#call);
    const template = pathPrefix + endpoint.path;
    if (slotKind !== 'poll') callsInProgress.add(this);
    const deadline = this.#deadline;
    const startedAt = performance.now();
    budget.countCall();
    try {
      while (true) {
        if (deadline.aborted) throw this.#endedUnsent(deadline.reason);
        const release = slots.tryHold(this.#caller, slotKind) ?? (await this.#waitForSlot(slotKind));
        let outcome: AttemptOutcome<T>;
        try {
          if (slotKind === 'poll') {
            deadline.resume();
            this.#call.onStart?.();
          }
          const record = breaker.admit(this.#caller);
          if (typeof record === 'object') {
            throw failedOutcome(this.#request, 'breaker open', { retryAfterMs: record.openForMs }).failure;
          }
          this.#attempts += 1;
          const request = tracedRequest(this.#request, template, this.#caller.span, this.#attempts);
          const attemptedAt = performance.now();
          // A request that has ended may still wait for a connection: without its slot, others would wait behind it.
          outcome = await new Attempt(this.#call, request, deadline, release).start();
          record(outcome.health);
          this.#report(outcome, request.span, attemptedAt);
        } catch (error) {
          release();
          throw error;
        }
        if ('value' in outcome) return outcome.value;
        if (slotKind === 'poll') throw outcome.failure;
        const delayMs = retryDelay(outcome, this.#attempts, deadline.remainingMs(), budget);
        if (delayMs === undefined) throw outcome.failure;
        await deadline.sleep(delayMs);
        if (deadline.aborted) throw outcome.failure;
      }
    } finally {
      onEnd();
      if (slotKind !== 'poll') callsInProgress.delete(this);
      deadline.stop();
      this.#reportEnd(startedAt);
    }
  }

  #reportEnd(startedAt: number): void {
    const { operation, kind } = this.#call.endpoint;
    const durationMs = Math.round(performance.now() - startedAt);
    const [status, attempts, cause] = [this.#status, this.#attempts, this.#cause];
    const summary = { operation, kind, status, attempts, cause, durationMs };
    this.#caller.onCall?.(summary, this.#request.path, this.#isShared);
    for (const onCall of this.#onSharedCall ?? []) onCall(summary, this.#request.path, true);
  }

  /** The error of a call that ends before an attempt: its time is over, or `reason`. Of the writes only an upload ends with its caller. */
  #endedUnsent(reason: unknown): unknown {
    if (this.#deadline.hasExpired())
      return failedOutcome(this.#request, 'not sent in time', { deadlineMs: this.#deadline.ms }).failure;
    if (this.#call.endpoint.kind === 'read' || reason instanceof GatewayError) return reason;
    return failedOutcome(this.#request, 'upload interrupted').failure;
  }

  async #waitForSlot(slotKind: SlotKind): Promise<() => void> {
    const deadline = this.#deadline;
    const span = this.#caller.span?.child('wait for a slot');
    try {
      return await this.#environment.slots.hold(this.#caller, slotKind, deadline);
    } catch (error) {
      throw this.#endedUnsent(error);
    } finally {
      span?.end();
    }
  }

  /** Records the attempt in the metrics and in the trace, and its lane as accepted if it proved the credentials. */
  #report(outcome: AttemptOutcome<T>, span: Span, startedAt: number): void {
    const { metrics, shares } = this.#environment;
    const { operation: endpoint, requiredCredentials } = this.#call.endpoint;
    const label = outcomeLabel(outcome);
    this.#status = outcome.status;
    const cause = connectionErrorOf(outcome);
    // The time of the call can end while it connects again: then the error of the attempt before says why.
    if (cause !== undefined || outcome.status !== undefined) this.#cause = cause;
    metrics.serviceCalls.inc({ endpoint, outcome: label, attempt: this.#attempts });
    const value = (performance.now() - startedAt) / 1_000;
    metrics.serviceCallSeconds.observe({ labels: { endpoint }, value, exemplarLabels: span.exemplar });
    if (label === 'ok' && provesCredentials(this.#caller.credentials, requiredCredentials))
      shares.acceptedLanes.accept(this.#caller);
    if (span === noSpan) return;
    span.set({ 'http.response.status_code': outcome.status });
    // OpenTelemetry's HTTP conventions: `error.type` is the status when it is an error status.
    const hasErrorStatus = outcome.status !== undefined && outcome.status >= 400;
    span.end(label === 'ok' ? undefined : hasErrorStatus ? String(outcome.status) : label);
  }
}

function slotKindOf({ isPoll, body }: Call<unknown>): SlotKind {
  if (isPoll) return 'poll';
  return isStreamed(body) ? 'upload' : 'request';
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
