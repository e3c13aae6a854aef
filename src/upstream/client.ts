/**
 * The client of the REST service: makes calls with a caller's credentials, within the bounds on concurrency, time,
 * retries and failing endpoints.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Caller } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';
import { createLaneBudget } from '../state/lane-budget.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AttemptOutcome, AttemptRequest } from './call/attempt.ts';
import { createBulkhead } from './call/bulkhead.ts';
import { type Call, isStreamed } from './call/call.ts';
import {
  type BreakerState,
  type CircuitBreaker,
  createCircuitBreaker,
  type OpenRejection,
} from './call/circuit-breaker.ts';
import { Deadline, type DeadlineOptions } from './call/deadline.ts';
import { errorForOpenBreaker, errorForTimeout, type FailedCall } from './call/failures.ts';
import { observedAttempt } from './call/observed-attempt.ts';
import { backoffMs, createRetryBudget, maxRetries, type RetryBudget } from './call/retry.ts';
import { createSingleFlight } from './call/single-flight.ts';
import type { Drift } from './decode.ts';
import { type Endpoint, endpointPath, requireCredentials } from './endpoint.ts';

/** Makes calls for one caller. */
export interface Upstream {
  /** Rejects with a `GatewayError`, or with an `InvalidInputError` when the service rejected the input of a write. */
  call<T>(call: Call<T>): Promise<T>;
}

export interface UpstreamClient {
  forCaller(caller: Caller): Upstream;
  /** Resolves when no write is in progress. */
  settled(): Promise<void>;
  /** The operations whose circuit breaker is open or half-open. */
  openBreakers(): string[];
}

const breakerStateValues = { closed: 0, 'half-open': 1, open: 2 };

/** What protects one endpoint from the calls of all callers together. */
interface Guards {
  readonly budget: RetryBudget;
  readonly breaker: CircuitBreaker;
}

export interface UpstreamClientOptions {
  readonly dispatcher: Dispatcher;
  /** Base URL of the service, with its path prefix if it has one. */
  readonly baseUrl: URL;
  readonly userAgent: string;
  /** Time limit of a read, retries included (ms). */
  readonly readDeadlineMs: number;
  /** Time limit of a write without a streamed body (ms). */
  readonly writeDeadlineMs: number;
  /** Time limit of a call with a streamed body, from the body's last byte (ms). */
  readonly scanDeadlineMs: number;
  readonly maxResponseBytes: number;
  /** Calls in flight, all callers together. */
  readonly connections: number;
  /** Calls in flight of one caller. */
  readonly concurrencyPerCaller: number;
  /** Most bytes of the bodies of all writes in progress, whose callers may have disconnected. */
  readonly maxBytesOfWrites: number;
  readonly acceptedLanes: AcceptedLanes;
  readonly metrics: Metrics;
  readonly onDrift: (operation: string, drift: Drift) => void;
}

export function createUpstreamClient(options: UpstreamClientOptions): UpstreamClient {
  const { dispatcher, baseUrl, userAgent, acceptedLanes, metrics } = options;
  const pathPrefix = baseUrl.pathname.replace(/\/+$/, '');
  const bulkhead = createBulkhead({
    total: options.connections,
    perLane: options.concurrencyPerCaller,
    isAccepted: acceptedLanes.has,
  });
  const reads = createSingleFlight<unknown>();
  /** A count instead of a Set, whose old tables keep deleted entries until a full collection. */
  let writesInProgress = 0;
  let onSettled: (() => void)[] = [];
  const guards = new Map<Endpoint, Guards>();
  const writeBodies = createLaneBudget({
    maxBytes: options.maxBytesOfWrites,
    isAccepted: acceptedLanes.has,
  });
  metrics.gauge('folio_service_calls_in_flight', bulkhead.running);
  metrics.gauge('folio_service_calls_queued', bulkhead.waiting);
  metrics.gauge('folio_breaker_state', () =>
    breakerStates().map(([operation, state]) => [operation, breakerStateValues[state]]),
  );

  function guardsOf(endpoint: Endpoint): Guards {
    const known = guards.get(endpoint) ?? { budget: createRetryBudget(), breaker: createCircuitBreaker() };
    guards.set(endpoint, known);
    return known;
  }

  function breakerStates(): [operation: string, state: BreakerState][] {
    return [...guards].map(([{ operation }, { breaker }]) => [operation, breaker.state()]);
  }

  function attemptRequest(
    { credentials, requestId }: Caller,
    call: Call<unknown>,
    path: string,
  ): Omit<AttemptRequest, 'span'> {
    const { endpoint, headers } = call;
    return {
      dispatcher,
      origin: baseUrl.origin,
      method: endpoint.method,
      pathPrefix,
      path: pathPrefix + path,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        'x-request-id': requestId,
        'x-api-key': credentials.apiKey,
        authorization: credentials.authorization,
        ...headers,
      },
      maxResponseBytes: options.maxResponseBytes,
      report: (drift) => options.onDrift(endpoint.operation, drift),
    };
  }

  /** Makes attempts until one succeeds, the deadline is over, or a retry could repeat a write or cannot help. */
  async function run<T>(
    caller: Caller,
    call: Call<T>,
    path: string,
    ends: Pick<DeadlineOptions, 'signals' | 'controller'> = {},
  ): Promise<T> {
    const { endpoint } = call;
    const startedAt = performance.now();
    const failedCall = { endpoint, requestId: caller.requestId, credentials: caller.credentials };
    const deadline = startCallDeadline(caller, call, ends);
    const { budget, breaker } = guardsOf(endpoint);
    const request = attemptRequest(caller, call, path);
    budget.countCall();
    let attempts = 0;
    let status: number | undefined;
    try {
      while (true) {
        attempts += 1;
        const release =
          tryAcquireSlot(caller, call, deadline) ?? (await waitForSlot(caller, call, failedCall, deadline));
        const observed = { caller, number: attempts, metrics };
        let outcome: AttemptOutcome<T> | OpenRejection;
        try {
          outcome = await breaker.run(() => observedAttempt(observed, call, request, failedCall, deadline));
          if ('value' in outcome && hasCredentials(caller)) acceptedLanes.accept(caller.lane);
        } finally {
          release();
        }
        if ('openForMs' in outcome) throw errorForOpenBreaker(failedCall, outcome.openForMs);
        status = outcome.status;
        if ('value' in outcome) return outcome.value;
        const waitMs = outcome.retryAfterMs ?? backoffMs(attempts);
        const mayRetry =
          outcome.mayRetry && !call.isPoll && attempts <= maxRetries && waitMs < deadline.remainingMs();
        if (!mayRetry || !budget.takeRetry()) throw outcome.failure;
        await sleep(waitMs, undefined, { signal: deadline.signal }).catch(() => {
          throw outcome.failure;
        });
      }
    } finally {
      deadline.stop();
      const durationMs = Math.round(performance.now() - startedAt);
      caller.onCall?.({ operation: endpoint.operation, kind: endpoint.kind, status, attempts, durationMs });
    }
  }

  function startCallDeadline(caller: Caller, call: Call<unknown>, ends: DeadlineOptions): Deadline {
    const { endpoint, body } = call;
    if (isStreamed(body)) {
      return new Deadline(options.scanDeadlineMs, { paused: true, signals: [caller.signal, body.signal] });
    }
    const ms = endpoint.kind === 'read' ? options.readDeadlineMs : options.writeDeadlineMs;
    // A poll may wait long for its slot, which is not a failure: its deadline starts with the slot.
    return new Deadline(ms, { paused: call.isPoll === true, ...ends });
  }

  function tryAcquireSlot(caller: Caller, call: Call<unknown>, deadline: Deadline) {
    const release = deadline.signal.aborted ? undefined : bulkhead.tryAcquire(caller.lane, kindOf(call));
    if (release && call.isPoll) deadline.resume();
    return release;
  }

  async function waitForSlot(
    caller: Caller,
    call: Call<unknown>,
    failedCall: FailedCall,
    deadline: Deadline,
  ) {
    try {
      const release = await bulkhead.acquire(caller.lane, kindOf(call), deadline.signal);
      if (call.isPoll) deadline.resume();
      return release;
    } catch (error) {
      throw deadline.hasExpired() ? errorForTimeout(failedCall, false, deadline.ms) : error;
    }
  }

  /** Joins the same read of the same lane when one is in flight, or makes it. */
  async function read<T>(caller: Caller, call: Call<T>): Promise<T> {
    const path = checkedPath(caller, call);
    const key = `${call.endpoint.operation} ${path} ${caller.lane}`;
    const start = (controller: AbortController) => run(caller, call, path, { controller });
    const shared = reads.share(key, caller.signal, start);
    try {
      return (await shared.result) as T;
    } catch (error) {
      const timedOut = error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT';
      // The shared read's deadline started before this caller joined it: the caller gets a full deadline.
      if (shared.joined && timedOut) return await run(caller, call, path, { signals: [caller.signal] });
      throw error;
    }
  }

  /** A write runs to completion after its caller disconnects: aborted midway, its outcome would be unknown. */
  async function write<T>(caller: Caller, call: Call<T>): Promise<T> {
    const path = checkedPath(caller, call);
    const bytes = isStreamed(call.body) ? 0 : (call.body?.length ?? 0);
    const release = writeBodies.tryHold(caller.lane, bytes);
    if (!release) throw writeBudgetExhausted();
    const running = run(caller, call, path);
    writesInProgress += 1;
    const onEnd = () => {
      release();
      writesInProgress -= 1;
      if (writesInProgress > 0) return;
      for (const settled of onSettled) settled();
      onSettled = [];
    };
    running.then(onEnd, onEnd);
    return await running;
  }

  async function poll<T>(caller: Caller, call: Call<T>): Promise<T> {
    return await run(caller, call, checkedPath(caller, call), { signals: [caller.signal] });
  }

  return {
    forCaller: (caller) => ({
      call(call) {
        if (call.isPoll) return poll(caller, call);
        return call.endpoint.kind === 'read' ? read(caller, call) : write(caller, call);
      },
    }),
    settled() {
      if (writesInProgress === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onSettled.push(resolve);
      });
    },
    openBreakers: () =>
      breakerStates().flatMap(([operation, state]) => (state === 'closed' ? [] : operation)),
  };
}

/** Returns the call's path. Throws when the caller lacks a required credential, or an id is invalid. */
function checkedPath({ credentials }: Caller, { endpoint, parameters }: Call<unknown>): string {
  requireCredentials(credentials, endpoint.requiredCredentials, endpoint.operation);
  return endpointPath(endpoint, parameters);
}

function hasCredentials({ credentials: { apiKey, authorization } }: Caller): boolean {
  return apiKey !== undefined || authorization !== undefined;
}

function kindOf({ isPoll, body }: Call<unknown>): 'request' | 'upload' | 'poll' {
  if (isPoll) return 'poll';
  return isStreamed(body) ? 'upload' : 'request';
}

function writeBudgetExhausted(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many bytes are being written to the document service; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
