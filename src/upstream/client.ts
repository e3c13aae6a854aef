/**
 * The client of the REST service: makes calls with a caller's credentials, within the bounds on concurrency, time,
 * retries and failing endpoints.
 */
import type { Caller, Holder } from '../caller.ts';
import { GatewayError, shuttingDown } from '../errors.ts';
import { createSlots } from '../shares/calls-and-uploads.ts';
import { LaneBudget } from '../shares/lane-budget.ts';
import { TurnTakingBudget } from '../shares/turn-taking-budget.ts';
import { Bag } from '../tools/bag.ts';
import type { CancelSignal } from '../tools/cancellation.ts';
import { type Call, isStreamed } from './call/call.ts';
import { type CallEnvironment, CallInProgress, createGuards, type Guards } from './call/call-in-progress.ts';
import type { BreakerState } from './call/circuit-breaker.ts';
import { Deadline } from './call/deadline.ts';
import { DecompressionQueue } from './call/decompression-queue.ts';
import { type Endpoint, endpointPath, requireCredentials } from './endpoint.ts';

/** Makes calls for one caller. */
export interface Upstream {
  /** Rejects with a `GatewayError`, or with an `InvalidInputError` when the service rejected the input of a write. */
  call<T>(call: Call<T>): Promise<T>;
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/** A read that others may join. */
interface Flight {
  // Undefined once it has ended: a Map's old tables keep deleted entries until a full collection.
  call: CallInProgress<unknown> | undefined;
}

const breakerStateValues = { closed: 0, 'half-open': 1, open: 2 };

interface UpstreamClientOptions
  extends Pick<
    CallEnvironment,
    'dispatcher' | 'maxResponseBytes' | 'userAgent' | 'shares' | 'metrics' | 'onDrift'
  > {
  /** Base URL of the service, with its path prefix if it has one. */
  readonly baseUrl: URL;
  /** Time limit of a read, retries included (ms). */
  readonly readDeadlineMs: number;
  readonly writeDeadlineMs: number;
  /** Time limit of a call with a streamed body, from the body's last byte (ms). */
  readonly scanDeadlineMs: number;
  /** Bounds the operations that wait for a read of another one. */
  readonly joins: LaneBudget;
}

export function createUpstreamClient(options: UpstreamClientOptions) {
  const { baseUrl, shares, metrics } = options;
  const slots = createSlots(shares);
  const guards = new Map<Endpoint, Guards>();
  const environment: CallEnvironment = {
    ...options,
    origin: baseUrl.origin,
    pathPrefix: baseUrl.pathname.replace(/\/+$/, ''),
    slots,
    // An eighth more than the largest: small responses, which do not wait, take of it.
    responses: new TurnTakingBudget(shares.of.responses, shares, options.maxResponseBytes * (9 / 8)),
    decompressionQueue: new DecompressionQueue(shares.acceptedLanes),
    callsInProgress: new Bag(),
    guardsOf: (endpoint) => guards.getOrInsertComputed(endpoint, () => createGuards(shares.acceptedLanes)),
  };
  const reads = new Map<string, Flight>();
  const writeBodies = new LaneBudget(shares.of.writes, shares);
  metrics.gauge('folio_service_calls_in_flight', slots.running);
  metrics.gauge('folio_service_calls_queued', slots.waiting);
  metrics.gauge('folio_breaker_state', () =>
    breakerStates().map(([endpoint, state]) => [endpoint, breakerStateValues[state]]),
  );

  function breakerStates(): [endpoint: string, state: BreakerState][] {
    return [...guards].map(([{ name }, { breaker }]) => [name, breaker.state()]);
  }

  /** Joins the same read of the same lane when one is in flight, or makes it. Nothing is kept after it. */
  function read<T>(caller: Caller, call: Call<T>, path: string): Promise<T> {
    const key = `${call.endpoint.name} ${path} ${caller.lane}`;
    const ms = options.readDeadlineMs;
    const { waitedMs = 0 } = caller;
    const flying = () => reads.get(key)?.call as CallInProgress<T> | undefined;

    function start(signal: CancelSignal, elapsedMs: number): Promise<T> {
      const started = new CallInProgress(environment, caller, call, path, ms, { elapsedMs });
      const flight: Flight = { call: started };
      reads.set(key, flight);
      return started.run(signal, () => {
        flight.call = undefined;
        if (reads.get(key) === flight) reads.delete(key);
      });
    }

    async function join(other: CallInProgress<T>): Promise<T> {
      const release = options.joins.hold(caller, 1, 503);
      const joinedAt = performance.now();
      try {
        return await other.join(caller.signal, caller.observer?.onJoinedCall);
      } catch (error) {
        const timedOut = error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT';
        const elapsedMs = waitedMs + performance.now() - joinedAt;
        if (!timedOut || caller.signal.aborted || elapsedMs >= ms) throw error;
        // The shared read's deadline started before these callers joined it: they share another one, each for the rest of its own.
        const own = new Deadline(ms, { elapsedMs, signals: [caller.signal] });
        try {
          return await (flying()?.join(own, caller.observer?.onJoinedCall) ?? start(own, 0));
        } catch (failure) {
          throw own.hasExpired() ? error : failure;
        } finally {
          own.stop();
        }
      } finally {
        await shares.scheduler.laterTurn(caller);
        release();
      }
    }

    const other = flying();
    return other ? join(other) : start(caller.signal, waitedMs);
  }

  /** `builtBytes`: what the operation has built of its result, which it holds until it ends: waiting cannot help. */
  function holdForWrite(holder: Holder, bytes: number, builtBytes = 0): () => void {
    if (builtBytes > 0 && bytes + builtBytes > writeBodies.largest) throw resultTooLargeForWrite();
    return writeBodies.hold(holder, bytes + builtBytes);
  }

  /** A write runs to completion after its caller disconnects: aborted midway, its outcome would be unknown. */
  function write<T>(caller: Caller, call: Call<T>, path: string, heldBytes: number): Promise<T> {
    const { body, keptBytes = 0 } = call;
    const release = holdForWrite(caller, keptBytes + (isStreamed(body) ? 0 : (body?.length ?? 0)), heldBytes);
    const [ms, timing] = isStreamed(body)
      ? [options.scanDeadlineMs, { paused: true, signals: [caller.signal, body.signal] }]
      : [options.writeDeadlineMs, { elapsedMs: caller.waitedMs ?? 0 }];
    return new CallInProgress(environment, caller, call, path, ms, timing).run(undefined, release);
  }

  /** A poll may wait long for its slot, which is not a failure: its deadline starts with the slot. */
  function poll<T>(caller: Caller, call: Call<T>, path: string): Promise<T> {
    const { readDeadlineMs } = options;
    return new CallInProgress(environment, caller, call, path, readDeadlineMs, { paused: true }).run(
      caller.signal,
    );
  }

  /** Whether all calls but polls have been ended, and no other is made. */
  let isStopped = false;

  return {
    /** Makes a call for a caller, as `Upstream.call` does. `heldBytes`: what its operation holds while a write waits or runs. */
    call<T>(caller: Caller, call: Call<T>, heldBytes = 0): Promise<T> {
      const { endpoint, parameters } = call;
      try {
        requireCredentials(caller.credentials, endpoint);
        const path = endpointPath(endpoint, parameters);
        if (isStopped && !call.isPoll) throw shuttingDown();
        if (endpoint.kind === 'write') return write(caller, call, path, heldBytes);
        caller.signal.throwIfAborted();
        return call.isPoll ? poll(caller, call, path) : read(caller, call, path);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    requireRoom: slots.requireRoom,
    /** The memory budget of all responses that are being read. */
    responses: environment.responses,
    /** Holds memory that a write keeps besides its body. Throws RATE_LIMITED when there is no room. */
    holdForWrite,
    /** Holds what a mutation has built while it waits for a read: alone it always can. */
    holdBuilt: (holder: Holder, bytes: number) =>
      writeBodies.hold(holder, Math.min(bytes, Math.floor(writeBodies.share.newcomers / 2))),
    /** Resolves when no call but polls is in progress: those that are left when no caller waits are writes. */
    settled: () => environment.callsInProgress.whenIdle(),
    /** Ends all calls with an error: OUTCOME_UNKNOWN for a write that may have been sent. Later ones are refused. */
    stop() {
      isStopped = true;
      for (const call of environment.callsInProgress.toArray()) call.abort(shuttingDown());
    },
    /** The endpoints whose circuit breaker is open or half-open. */
    openBreakers: () => breakerStates().flatMap(([endpoint, state]) => (state === 'closed' ? [] : endpoint)),
  };
}

/** The operation holds so much of its result that there is never room for another write in it. */
function resultTooLargeForWrite(): GatewayError {
  return new GatewayError({
    code: 'OPERATION_TOO_EXPENSIVE',
    bound: 'writes',
    message:
      'The result of the operation so far is too large for another write in the same operation. ' +
      'This write was not sent: send it in an operation of its own, or select less before it.',
  });
}
