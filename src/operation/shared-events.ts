/** Executes an event of a subscription once for all subscribers with the same selection. */
import { hash } from 'node:crypto';
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import type { Context } from '../graphql/context.ts';
import type { MaybePromise } from '../tools/maybe-promise.ts';
import { mechanisms } from '../tools/speed-mechanisms.ts';
import { executePlanned } from './executor/planned-executor.ts';

export type Result = MaybePromise<ExecutionResult>;

/** What subscriptions with the same document, operation name and variables share: how their events are executed. */
export interface Selection {
  /** Without a caller's context, and without the variables as they were sent: only the coerced ones are used. */
  readonly args: ValidatedExecutionArgs;
  /** Call it when a subscription ends. */
  release(): void;
}

export function createSelections() {
  /** By SHA-256 of the document's hash, operation name and variables. */
  const selections = new Map<string, Selection & { subscriptions: number }>();

  function start(args: ValidatedExecutionArgs, key: string) {
    const notShared = {
      rawVariableValues: undefined,
      contextValue: undefined,
      externalAbortSignal: undefined,
    };
    return {
      args: { ...args, ...notShared },
      subscriptions: 0,
      release() {
        this.subscriptions -= 1;
        if (this.subscriptions === 0) selections.delete(key);
      },
    };
  }

  /** `variablesJson`: the coerced variables. */
  return (args: ValidatedExecutionArgs, documentHash: string, variablesJson: string): Selection => {
    const parts = [documentHash, args.operation.name?.value ?? null, variablesJson];
    const key = hash('sha256', JSON.stringify(parts), 'base64');
    const selection = selections.getOrInsertComputed(key, () => start(args, key));
    selection.subscriptions += 1;
    return selection;
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
export function executeEvent(selection: Selection, event: object, contextValue: Context): Result {
  const executeNow = () => executePlanned({ ...selection.args, contextValue, rootValue: event });
  const execute = () => contextValue.doPart(executeNow);
  if (!mechanisms.sharedEvents) return execute();
  const resultsOfEvent = () => {
    setImmediate(() => results.delete(event));
    return new Map();
  };
  return results.getOrInsertComputed(event, resultsOfEvent).getOrInsertComputed(selection, execute);
}
