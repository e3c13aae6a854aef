import type { Config } from '../config.ts';
import type { Caller, Upstream, UpstreamClient } from '../upstream/client.ts';

/** What all operations of a gateway share. */
export interface Services {
  readonly config: Config;
  readonly upstream: UpstreamClient;
  /** Aborted when the gateway closes its subscriptions. */
  readonly closing: AbortSignal;
}

/** What resolvers get: one for each operation. */
export interface Context {
  readonly services: Services;
  readonly caller: Caller;
  /** The service, with this caller's credentials. */
  readonly upstream: Upstream;
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
