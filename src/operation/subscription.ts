import { createHash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import type { Context } from '../graphql/context.ts';
import type { Scheduler } from '../shares/scheduler.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { done, type EventReader, type EventSource, StoppableIterator } from '../tools/iterators.ts';
import { mechanisms } from '../tools/speed-mechanisms.ts';
import { executePlanned } from './executor/planned-executor.ts';
import type { OperationInProgress } from './operation-in-progress.ts';

type Result = ExecutionResult | Promise<ExecutionResult>;

/** What subscriptions with the same document, operation name and variables share: how their events are executed. */
class Selection {
  /** Arguments without a caller's context. */
  readonly args: ValidatedExecutionArgs;
  readonly #release: (selection: Selection) => void;
  #subscriptions = 0;

  constructor(args: ValidatedExecutionArgs, release: (selection: Selection) => void) {
    // The variables as they were sent are not kept: only the coerced ones are used.
    const notShared = {
      rawVariableValues: undefined,
      contextValue: undefined,
      externalAbortSignal: undefined,
    };
    this.args = { ...args, ...notShared };
    this.#release = release;
  }

  hold(): this {
    this.#subscriptions += 1;
    return this;
  }

  release(): void {
    this.#subscriptions -= 1;
    if (this.#subscriptions === 0) this.#release(this);
  }
}

/** Returns a function that returns the selection of a subscription. Call its `release` when the subscription ends. */
export function createSelections() {
  /** By SHA-256 of the document's hash, operation name and variables. */
  const selections = new Map<string, Selection>();

  /** `hash`: of the document. `variablesJson`: the coerced variables. */
  return (args: ValidatedExecutionArgs, hash: string, variablesJson: string): Selection => {
    const key = createHash('sha256')
      .update(JSON.stringify([hash, args.operation.name?.value ?? null, variablesJson]))
      .digest('base64');
    return selections
      .getOrInsertComputed(key, () => new Selection(args, () => selections.delete(key)))
      .hold();
  };
}

/** The results of the events that are delivered in this turn of the event loop. */
const results = new Map<object, Map<Selection, Result>>();

/**
 * Executes a subscription event once for all subscribers with the same selection: its result depends on the event
 * alone. Results are dropped at the end of the turn of the event loop, in which all subscribers are served; an event can
 * be the last of its document for hours. The execution is never aborted, because subscribers share it. It waits while the
 * turn has no time for it: thousands of selections of one document have an event at once.
 */
function executeEvent(
  selection: Selection,
  event: object,
  contextValue: Context,
  scheduler: Scheduler,
): Result {
  const executeNow = () => executePlanned({ ...selection.args, contextValue, rootValue: event });
  const execute = () => scheduler.waitForTurn(contextValue.caller)?.then(executeNow) ?? executeNow();
  if (!mechanisms.sharedEvents) return execute();
  const resultsOfEvent = () => {
    setImmediate(() => results.delete(event));
    return new Map();
  };
  return results.getOrInsertComputed(event, resultsOfEvent).getOrInsertComputed(selection, execute);
}

export interface ResultReader {
  /** Must not throw. `result`: undefined at the end of the results. */
  onResult(result: ExecutionResult | undefined): void;
}

/** The results of a subscription's events, with masked errors. They end when the event source ends, and when stopped. */
export class SubscriptionResults extends StoppableIterator<ExecutionResult> implements EventReader {
  readonly #source: EventSource<object>;
  readonly #selection: Selection;
  readonly #releaseDocument: () => void;
  readonly #operation: OperationInProgress;
  readonly #scheduler: Scheduler;
  readonly #metrics: Metrics;
  #reader: ResultReader | undefined;
  #events = 0;
  #hasEnded = false;

  constructor(
    source: EventSource<object>,
    selection: Selection,
    releaseDocument: () => void,
    operation: OperationInProgress,
    scheduler: Scheduler,
    metrics: Metrics,
  ) {
    super();
    this.#source = source;
    this.#selection = selection;
    this.#releaseDocument = releaseDocument;
    this.#operation = operation;
    this.#scheduler = scheduler;
    this.#metrics = metrics;
    metrics.subscriptions.inc();
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
      result = this.#execute(event.value);
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
    const turn = this.#scheduler.waitForTurn(this.#operation.context.caller);
    if (turn) void turn.then(end);
    else end();
  }

  #execute(event: object): Result {
    this.#events += 1;
    return executeEvent(this.#selection, event, this.#operation.context, this.#scheduler);
  }

  #settle(result: ExecutionResult | undefined): void {
    if (!result) this.#end();
    this.#reader?.onResult(result && this.#operation.mask(result));
  }

  #fail(error: unknown): void {
    const result = this.#hasEnded ? undefined : this.#operation.failedResult(error);
    this.stop();
    this.#reader?.onResult(result);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#selection.release();
    this.#releaseDocument();
    this.#metrics.subscriptions.dec();
    this.#operation.end(this.#events);
  }
}
