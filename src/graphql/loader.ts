import DataLoader from 'dataloader';
import type { Endpoint } from '../upstream/endpoint.ts';
import { type Context, createOperationCache } from './context.ts';

/**
 * Loads values through one DataLoader for each operation. The keys that lists and aliases request at once are deduplicated
 * and passed to `loadAll` together, which starts their calls and returns a promise for each. A failed call fails its own
 * key only. `endpoint`: the endpoint that is called; a key is the last part of its path.
 */
export function createLoader<Value>(
  endpoint: Endpoint,
  loadAll: (keys: readonly string[], context: Context) => readonly Promise<Value>[],
): (key: string, context: Context) => Promise<Value> {
  const loaderOf = createOperationCache(
    (context) =>
      new DataLoader<string, Value>(
        (keys) => Promise.all(loadAll(keys, context).map((call) => call.catch((error: Error) => error))),
        { batchScheduleFn: queueMicrotask },
      ),
  );
  const listedKeysOf = createOperationCache(() => new Set<string>());
  return (key, context) => {
    const { callList } = context;
    if (callList) {
      const listed = listedKeysOf(context);
      if (listed.has(key)) callList.repeat(endpoint.operation, key);
      listed.add(key);
    }
    return loaderOf(context).load(key);
  };
}
