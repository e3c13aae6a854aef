/** Executes an event of a subscription once for all subscribers with the same selection. */
import { createHash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import type { Context } from '../graphql/context.ts';
import type { Scheduler } from '../shares/scheduler.ts';
import { mechanisms } from '../tools/speed-mechanisms.ts';
import { executePlanned } from './executor/planned-executor.ts';

export type Result = ExecutionResult | Promise<ExecutionResult>;

/** What subscriptions with the same document, operation name and variables share: how their events are executed. */
export class Selection {
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
export function executeEvent(
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
