import { createHash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import { done, type EventSource, StoppableIterator } from '../iterators.ts';
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

/** The results of a subscription's events, with masked errors. They end when the event source ends, and when stopped. */
export class SubscriptionResults extends StoppableIterator<ExecutionResult> {
  readonly #source: EventSource<object>;
  readonly #execute: (event: object) => Result;
  readonly #scope: OperationScope;
  readonly #metrics: Metrics;
  #events = 0;
  #hasEnded = false;

  constructor(
    source: EventSource<object>,
    execute: (event: object) => Result,
    scope: OperationScope,
    metrics: Metrics,
  ) {
    super();
    this.#source = source;
    this.#execute = execute;
    this.#scope = scope;
    this.#metrics = metrics;
    metrics.subscriptions.inc();
  }

  next(): Promise<IteratorResult<ExecutionResult, void>> {
    return new Promise((resolve) => this.#deliver(resolve));
  }

  stop(): void {
    this.#end();
    this.#source.stop();
  }

  /** Settles `next` with the result of the next event, as soon as there is one. */
  async #deliver(resolve: (result: IteratorResult<ExecutionResult, void>) => void): Promise<void> {
    try {
      // Not before the source has received all events of the present moment: it may skip some of them.
      const event = this.#source.read(() => void Promise.resolve().then(() => this.#deliver(resolve)));
      if (event === undefined) return;
      if (!event.done) {
        this.#events += 1;
        const value = this.#scope.mask(await this.#execute(event.value));
        return resolve({ done: false, value });
      }
    } catch (error) {
      if (this.#hasEnded) return resolve(done);
      const value = this.#scope.failedResult(error);
      this.stop();
      return resolve({ done: false, value });
    }
    this.#end();
    resolve(done);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#metrics.subscriptions.dec();
    this.#scope.end(this.#events);
  }
}
