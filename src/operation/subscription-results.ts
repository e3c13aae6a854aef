import type { ExecutionResult } from 'graphql';
import { done, type EventReader, type EventSource, StoppableIterator } from '../tools/iterators.ts';
import type { OperationInProgress } from './operation-in-progress.ts';
import { executeEvent, type Result, type Selection } from './shared-events.ts';

export interface ResultReader {
  /** Must not throw. `result`: undefined at the end of the results. */
  onResult(result: ExecutionResult | undefined): void;
}

/** The results of a subscription's events, with masked errors. They end when the event source ends, and when stopped. */
export class SubscriptionResults extends StoppableIterator<ExecutionResult> implements EventReader {
  readonly #source: EventSource<object>;
  readonly #selection: Selection;
  readonly #operation: OperationInProgress;
  #reader: ResultReader | undefined;
  #events = 0;

  constructor(source: EventSource<object>, selection: Selection, operation: OperationInProgress) {
    super();
    this.#source = source;
    this.#selection = selection;
    this.#operation = operation;
    operation.dependencies.metrics.subscriptions.inc();
  }

  next(): Promise<IteratorResult<ExecutionResult, void>> {
    return new Promise((resolve) =>
      this.read({ onResult: (result) => resolve(result ? { done: false, value: result } : done) }),
    );
  }

  stop(): void {
    this.#end();
    this.#source.stop();
  }

  /**
   * Like `next`, without a promise: calls `onResult` once, as soon as there is a result. To be called when the previous
   * result has been received. Subscribers with the same selection get the same object for an event, unless it has errors.
   */
  read(reader: ResultReader): void {
    this.#reader = reader;
    this.#readEvent();
  }

  /** Waits until the source has received all events of the present moment: it may skip some of them. */
  onReady(): void {
    void Promise.resolve().then(() => this.#readEvent());
  }

  #readEvent(): void {
    let result: Result | undefined;
    try {
      const event = this.#source.read(this);
      if (event === undefined) return;
      if (event.done) {
        this.#inTurn(() => this.#settle(undefined));
        return;
      }
      this.#events += 1;
      result = executeEvent(this.#selection, event.value, this.#operation);
    } catch (error) {
      this.#inTurn(() => this.#fail(error));
      return;
    }
    // Few results have to be waited for.
    if (!(result instanceof Promise)) this.#settle(result);
    else
      result.then(
        (settled) => this.#settle(settled),
        (error) => this.#fail(error),
      );
  }

  /** Ends the subscription when the turn of the event loop has time for it: thousands of one document end at the same time. */
  #inTurn(end: () => void): void {
    void this.#operation.doPart(end);
  }

  #settle(result: ExecutionResult | undefined): void {
    // Thousands of subscriptions wait for their next event.
    this.#operation.resultSize = undefined;
    if (!result) this.#end();
    this.#reader?.onResult(result && this.#operation.mask(result));
  }

  #fail(error: unknown): void {
    const result = this.#operation.hasEnded ? undefined : this.#operation.failedResult(error);
    this.stop();
    this.#reader?.onResult(result);
  }

  #end(): void {
    if (this.#operation.hasEnded) return;
    this.#selection.release();
    this.#operation.dependencies.metrics.subscriptions.dec();
    this.#operation.end(this.#events);
  }
}
