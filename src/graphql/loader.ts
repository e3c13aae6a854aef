import type { Endpoint } from '../upstream/endpoint.ts';
import { type Context, createOperationCache } from './context.ts';

/**
 * Loads values in batches: the keys that the lists and aliases of an operation request at once are deduplicated and passed to
 * `loadAll` together, which starts their calls and returns a promise for each. Nothing is kept when a batch has started: the
 * service decides how large its values are, and an operation may wait for one of them. `endpoint`: the endpoint that is called;
 * a key is the last part of its path.
 */
export function createLoader<Value>(
  endpoint: Endpoint,
  loadAll: (keys: readonly string[], context: Context) => readonly Promise<Value>[],
): (key: string, context: Context) => Promise<Value> {
  const batchOf = createOperationCache(() => new Map<string, PromiseWithResolvers<Value>>());
  const listedKeysOf = createOperationCache(() => new Set<string>());

  function start(batch: Map<string, PromiseWithResolvers<Value>>, context: Context): void {
    const requests = [...batch.values()];
    try {
      const calls = loadAll([...batch.keys()], context);
      for (const [index, { resolve }] of requests.entries()) resolve(calls[index] as Promise<Value>);
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
    batch.clear();
  }

  return (key, context) => {
    const { callList } = context;
    if (callList) {
      const listed = listedKeysOf(context);
      if (listed.has(key)) callList.repeat(endpoint.operation, key);
      listed.add(key);
    }
    const batch = batchOf(context);
    if (batch.size === 0) queueMicrotask(() => start(batch, context));
    return batch.getOrInsertComputed(key, () => Promise.withResolvers<Value>()).promise;
  };
}
