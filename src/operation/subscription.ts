import { createHash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import { done, stoppableIterator } from '../iterators.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { executePlanned } from './executor/planned-executor.ts';
import type { OperationScope } from './scope.ts';

type Result = ExecutionResult | Promise<ExecutionResult>;

/** The results of the events that are being delivered, by selection. Empty again in the next turn of the event loop. */
const results = new Map<object, Map<string, Result>>();

/**
 * Executes an event of a subscription once for all subscribers who asked for the same: what an event resolves
 * to depends on nothing but the event. All of them are served in the same turn of the event loop; a result is not
 * kept longer, since an event can be the last of its document for hours. `selection`: see `selectionOf`.
 */
export function executeEvent(args: ValidatedExecutionArgs, event: object, selection: string): Result {
  if (results.size === 0) setImmediate(() => results.clear());
  let ofEvent = results.get(event);
  if (!ofEvent) {
    ofEvent = new Map();
    results.set(event, ofEvent);
  }
  let result = ofEvent.get(selection);
  if (!result) {
    // The first subscriber may leave; the others still want the event.
    result = executePlanned({ ...args, rootValue: event, externalAbortSignal: undefined });
    ofEvent.set(selection, result);
  }
  return result;
}

/** Equal for all who ask for the same of the same events: SHA-256 of the document's hash, the operation's name and the variables. */
export function selectionOf(hash: string, operationName: string | undefined, variablesJson: string): string {
  return createHash('sha256')
    .update(JSON.stringify([hash, operationName ?? null, variablesJson]))
    .digest('base64');
}

/**
 * The results of a subscription's events, with masked errors. Ends when the event source ends, and when `return` is
 * called, also while the source waits for its next event.
 */
export function resultsOf(
  source: AsyncIterable<unknown>,
  execute: (event: unknown) => ExecutionResult | Promise<ExecutionResult>,
  scope: OperationScope,
  { subscriptions }: Metrics,
): AsyncGenerator<ExecutionResult, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  let events = 0;
  let hasEnded = false;
  subscriptions.inc();

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    subscriptions.dec();
    scope.end(events);
  }

  async function stop(): Promise<void> {
    end();
    await iterator.return?.();
  }

  return stoppableIterator(async () => {
    try {
      const result = await iterator.next();
      if (!result.done) {
        events += 1;
        return { done: false, value: scope.mask(await execute(result.value)) };
      }
    } catch (error) {
      if (hasEnded) return done;
      const value = scope.failedResult(error);
      await stop();
      return { done: false, value };
    }
    end();
    return done;
  }, stop);
}
