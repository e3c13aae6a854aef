import type { LaneMaker } from '../caller.ts';
import type { Config } from '../config/config.ts';
import type { PersistedOperations } from '../operation/persisted-operations.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';
import type { IdempotencyLedger } from '../state/ledger/memory-ledger.ts';
import type { RateLimit } from '../state/rate-limit.ts';
import type { StatusBus } from '../state/status-bus.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { Caller } from '../upstream/call/call.ts';
import type { Upstream, UpstreamClient } from '../upstream/client.ts';
import type { OperationSideEffect } from './side-effect.ts';

/** What all operations of a gateway share. */
export interface Services {
  readonly config: Config;
  readonly upstream: UpstreamClient;
  readonly laneOf: LaneMaker;
  readonly acceptedLanes: AcceptedLanes;
  readonly ledger: IdempotencyLedger;
  readonly rateLimit: RateLimit;
  readonly statusBus: StatusBus;
  readonly persistedOperations: PersistedOperations;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Aborted when the gateway closes its subscriptions. */
  readonly closing: AbortSignal;
}

/** What resolvers get: one for each operation. */
export interface Context {
  readonly services: Services;
  readonly caller: Caller;
  /** The service, with this caller's credentials. */
  readonly upstream: Upstream;
  readonly sideEffect: OperationSideEffect;
  /** See `createOperationCache`. */
  readonly cache: Map<unknown, unknown>;
}

/**
 * A value that each operation has one of, made when first asked for. It stands in the context itself: in a
 * WeakMap, a value that knows its context would keep the whole request until the next full collection.
 */
export function createOperationCache<T>(create: (context: Context) => T): (context: Context) => T {
  return (context) => {
    const { cache } = context;
    if (!cache.has(create)) cache.set(create, create(context));
    return cache.get(create) as T;
  };
}

/** A value that each gateway has one of, made when first asked for. */
export function createServicesCache<T>(create: (services: Services) => T): (context: Context) => T {
  const values = new WeakMap<Services, T>();
  return ({ services }) => {
    const value = values.get(services) ?? create(services);
    values.set(services, value);
    return value;
  };
}
