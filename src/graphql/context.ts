/** What resolvers can use: the parts of the gateway, and those of their operation. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Caller } from '../caller.ts';
import type { AssumptionsConfig, Config } from '../config/config.ts';
import type { GatewayError } from '../errors.ts';
import type { IdempotencyLedger } from '../state/ledger/ledger.ts';
import type { MaybePromise } from '../tools/maybe-promise.ts';
import type { Upstream } from '../upstream/client.ts';
import type { Watches } from '../watch/watch-registry.ts';
import type { CallList } from './call-list.ts';
import type { OperationSideEffect } from './operation-side-effect.ts';

/** What the resolvers of all operations share. */
export interface GatewayDependencies {
  readonly limits: Config['limits'] & { readonly maxOperationDepth: number };
  readonly assumptions: AssumptionsConfig;
  readonly ledger: Pick<IdempotencyLedger, 'runOnce' | 'find'>;
  readonly watches: Pick<Watches, 'subscribe' | 'observed' | 'refused'>;
}

export interface Context extends GatewayDependencies {
  readonly caller: Caller;
  /** Calls the document service with this caller's credentials. */
  readonly upstream: Upstream;
  readonly sideEffect: OperationSideEffect;
  /**
   * Does one of several parts of the operation that may take long: now if this turn has time for it. `bytes`: of what the part
   * reads. A large one gets a turn of its own.
   */
  doPart<T>(part: () => MaybePromise<T>, bytes?: number): MaybePromise<T>;
  /** Adds the error of a field that has a value nevertheless. */
  addError(error: unknown, field: Pick<GraphQLResolveInfo, 'fieldNodes' | 'path'>): void;
  /** Undefined where results do not list their calls. */
  readonly callList?: CallList | undefined;
  /** What of the result is built: the operation holds it while a later field waits. Set by the executor. */
  resultSize: { readonly largeBytes: number; keep(bytes: number): void } | undefined;
  /** Holds what is built of the result of a query, in place of what was held before. Undefined for another operation. Returns an error when there is no room. */
  holdResult: ((bytes: number) => GatewayError | undefined) | undefined;
  /** As `holdForWrite`, what is built of the result of a mutation while it waits for something else than a write. */
  holdResultSoFar(): () => void;
  /** Holds memory that a write keeps besides its body. Returns a function that releases it. Throws RATE_LIMITED when there is no room. */
  holdForWrite(bytes: number): () => void;
  /** Calls `release` when the operation has ended, or now if it has. */
  onEnd(release: () => void): void;
  /** See `createOperationCache`. */
  cache: Map<unknown, unknown> | undefined;
}

/**
 * Returns a function that creates a value once for each operation, when it is first used. The value is kept in the context
 * and not in a WeakMap: there, a value that refers to its context would stay in memory until the next full garbage
 * collection.
 */
export function createOperationCache<T>(create: (context: Context) => T): (context: Context) => T {
  return (context) => {
    context.cache ??= new Map();
    return context.cache.getOrInsertComputed(create, () => create(context)) as T;
  };
}
