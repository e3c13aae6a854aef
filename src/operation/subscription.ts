import { createHash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import { done, stoppableIterator } from '../iterators.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { executePlanned } from './executor/planned-executor.ts';
import type { OperationScope } from './scope.ts';

type Result = ExecutionResult | Promise<ExecutionResult>;

/** The results of the events that are delivered in this turn of the event loop, by event and selection. */
const results = new Map<object, Map<string, Result>>();

/**
 * Executes a subscription event once for all subscribers with the same selection: its result depends on the event
 * alone. Results are dropped at the end of the turn of the event loop, in which all subscribers are served; an event can
 * be the last of its document for hours. `selection`: see `selectionOf`.
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
    // The signal of the first subscriber must not abort the execution: other subscribers share it.
    result = executePlanned({ ...args, rootValue: event, externalAbortSignal: undefined });
    ofEvent.set(selection, result);
  }
  return result;
}

/** Cache key, equal for the same document, operation name and variables (SHA-256). */
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
