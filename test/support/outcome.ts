/** Everything observable of an execution, as text. Two executors are equal when their texts are equal. */
import { inspect } from 'node:util';
import {
  AbortedGraphQLExecutionError,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  validateExecutionArgs,
} from 'graphql';
import { executePlanned } from '../../src/operation/executor/planned-executor.ts';

export type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

/** Like `execute` of graphql-js, by the plan. */
export const executeByPlan: Execute = (args) => {
  const validated = validateExecutionArgs(args);
  return 'schema' in validated ? executePlanned(validated) : { errors: validated };
};

/**
 * The result or the thrown error, and whether it was synchronous; then the logged events, including those after the
 * result and unhandled rejections.
 */
export async function outcomeOf(
  execute: Execute,
  argsFor: (log: (event: string) => void) => ExecutionArgs,
): Promise<string> {
  const events: string[] = [];
  const unhandled = (reason: unknown) => events.push(`unhandled ${describeError(reason)}`);
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled);
  let outcome: string;
  try {
    const returned = execute(argsFor((event) => events.push(event)));
    const result = await returned;
    outcome = `${returned instanceof Promise ? 'later' : 'synchronous'} ${describeResult(result)}`;
  } catch (error) {
    outcome = `throws ${await describeThrown(error)}`;
  }
  // Remaining work runs in microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  for (const listener of listeners) process.on('unhandledRejection', listener);
  return [outcome, ...events].join('\n');
}

function describeResult({ errors, ...rest }: ExecutionResult): string {
  // The only permitted difference: objects with and without a prototype. JSON does not show it.
  const data = describe(rest).replaceAll('[Object: null prototype] ', '');
  return [data, ...(errors ?? []).map(describeError)].join('\n');
}

async function describeThrown(error: unknown): Promise<string> {
  if (!(error instanceof AbortedGraphQLExecutionError)) return describeError(error);
  const unfinished: ExecutionResult = await error.abortedResult;
  const isLate = error.abortedResult instanceof Promise;
  return `${error} for ${error.cause}, ${isLate ? 'later' : 'synchronous'} ${describeResult(unfinished)}`;
}

function describeError(error: unknown): string {
  if (!(error instanceof GraphQLError)) return `not a GraphQLError: ${String(error)}`;
  const { message, path, locations, positions, extensions, originalError, nodes } = error;
  const kinds = nodes?.map(({ kind, loc }) => `${kind} ${loc?.start}`);
  return describe({ message, path, locations, positions, extensions, cause: String(originalError), kinds });
}

function describe(value: unknown): string {
  return inspect(value, {
    depth: Number.POSITIVE_INFINITY,
    maxArrayLength: null,
    breakLength: Number.POSITIVE_INFINITY,
    // Otherwise long lists are printed in columns.
    compact: false,
  });
}
