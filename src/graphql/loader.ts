import DataLoader from 'dataloader';
import { type Context, createOperationCache } from './context.ts';

/**
 * Loads values through one DataLoader for each operation. The keys that lists and aliases request in one tick are
 * deduplicated and passed to `loadAll` together, which starts their calls and returns a promise for each. A failed call
 * fails its own key only.
 */
export function createLoader<Value>(
  loadAll: (keys: readonly string[], context: Context) => readonly Promise<Value>[],
): (key: string, context: Context) => Promise<Value> {
  const loaderOf = createOperationCache(
    (context) =>
      new DataLoader<string, Value>(async (keys) => {
        const outcomes = await Promise.allSettled(loadAll(keys, context));
        return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason));
      }),
  );
  return (key, context) => loaderOf(context).load(key);
}
