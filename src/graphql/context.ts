import type { Caller, LaneMaker } from '../caller.ts';
import type { AssumptionsConfig, LimitsConfig } from '../config/config.ts';
import type { IdempotencyLedger } from '../state/ledger/ledger.ts';
import type { Upstream } from '../upstream/client.ts';
import type { OperationSideEffect } from './side-effect.ts';

/** What features build once for each gateway and use in their resolvers: each feature declares its own member. */
// biome-ignore lint/suspicious/noEmptyInterface: features augment it
export interface FeatureParts {}

/** What resolvers of all operations of a gateway share. */
export interface GatewayDependencies {
  readonly limits: LimitsConfig & { readonly maxOperationDepth: number };
  readonly assumptions: AssumptionsConfig;
  readonly laneOf: LaneMaker;
  readonly ledger: IdempotencyLedger;
  readonly parts: FeatureParts;
}

/** What resolvers reach: one for each operation. */
export interface Context extends GatewayDependencies {
  readonly caller: Caller;
  /** The service, with this caller's credentials. */
  readonly upstream: Upstream;
  readonly sideEffect: OperationSideEffect;
  /** See `createOperationCache`. */
  readonly cache: Map<unknown, unknown>;
}

/**
 * A value that each operation has one of, created when it is first needed. It is kept in the context: as the key of
 * a WeakMap, a context that its value refers to would stay in memory until the next full collection.
 */
export function createOperationCache<T>(create: (context: Context) => T): (context: Context) => T {
  return (context) => {
    const { cache } = context;
    if (!cache.has(create)) cache.set(create, create(context));
    return cache.get(create) as T;
  };
}
