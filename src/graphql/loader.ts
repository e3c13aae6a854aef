import DataLoader from 'dataloader';
import type { Endpoint } from '../upstream/endpoint.ts';
import { type Context, createOperationCache } from './context.ts';

/**
 * Loads values through a DataLoader: the keys that the lists and aliases of an operation request at once are deduplicated
 * and passed to `loadAll` together, which starts their calls and returns a promise for each. A failed call fails its own
 * key only. Nothing is kept when a batch has started: the service decides how large its values are, and an operation may wait
 * for one of them. `endpoint`: the endpoint that is called; a key is the last part of its path.
 */
export function createLoader<Value>(
  endpoint: Endpoint,
  loadAll: (keys: readonly string[], context: Context) => readonly Promise<Value>[],
): (key: string, context: Context) => Promise<Value> {
  const loadOf = createOperationCache((context) => {
    let loader: DataLoader<string, Value> | undefined;
    const start = async (keys: readonly string[]) => {
      // It keeps its last batch.
      loader = undefined;
      // The batch is complete when the calls have started: each key follows its own call, and waits for no other one.
      return loadAll(keys, context) as readonly unknown[] as readonly Value[];
    };
    return (key: string) => {
      context.callList?.addField(endpoint.name, key);
      loader ??= new DataLoader(start, { batchScheduleFn: queueMicrotask });
      return loader.load(key);
    };
  });

  return (key, context) => loadOf(context)(key);
}
