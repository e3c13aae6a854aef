import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import { executePlanned } from './planned-execution.ts';

type Result = ExecutionResult | Promise<ExecutionResult>;

const results = new WeakMap<object, Map<string, Result>>();

/**
 * Executes an event of a subscription once for all subscribers who asked for the same: what an event resolves
 * to depends on nothing but the event. `selection`: the document's hash, the operation's name, its variables.
 */
export function executeEvent(args: ValidatedExecutionArgs, event: object, selection: string): Result {
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
