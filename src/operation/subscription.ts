import { createHash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import type { Metrics } from '../telemetry/metrics.ts';
import { executePlanned } from './executor/planned-executor.ts';
import type { Run } from './scope.ts';

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
 * The answers to a subscription's events, with masked errors; they end when the source does. An iterator of its
 * own and no generator: `return` must reach the source at once, also while it waits for the next event.
 */
export function eventsOf(
  source: AsyncIterable<unknown>,
  respond: (event: unknown) => ExecutionResult | Promise<ExecutionResult>,
  run: Run,
  { subscriptions }: Metrics,
): AsyncGenerator<ExecutionResult, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  let events = 0;
  let ended = false;
  subscriptions.inc();
  const end = () => {
    if (ended) return;
    ended = true;
    subscriptions.dec();
    run.end(events);
  };
  const stop = async (): Promise<IteratorResult<ExecutionResult, void>> => {
    end();
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      try {
        const { done, value } = await iterator.next();
        if (!done) {
          events += 1;
          return { done: false, value: run.masked(await respond(value)) };
        }
      } catch (error) {
        if (ended) return { done: true, value: undefined };
        const value = run.failed(error);
        await stop();
        return { done: false, value };
      }
      end();
      return { done: true, value: undefined };
    },
    return: stop,
    throw: stop,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}
