/** All that can be told from outside of an execution, as a text: two executors are equal when their texts are. */
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

/** As `execute` of graphql-js, with the planned execution. */
export const executeByPlan: Execute = (args) => {
  const validated = validateExecutionArgs(args);
  return 'schema' in validated ? executePlanned(validated) : { errors: validated };
};

/**
 * Its answer or what it threw, whether at once or later; then the events it caused, those after the answer and
 * rejections that nobody handled included.
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
    outcome = `${returned instanceof Promise ? 'later' : 'at once'} ${describeResult(result)}`;
  } catch (error) {
    outcome = `throws ${await describeThrown(error)}`;
  }
  // What still runs does so in microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  for (const listener of listeners) process.on('unhandledRejection', listener);
  return [outcome, ...events].join('\n');
}

function describeResult({ errors, ...rest }: ExecutionResult): string {
  // JSON does not tell whether an object has a prototype: the one difference that there is.
  const data = describe(rest).replaceAll('[Object: null prototype] ', '');
  return [data, ...(errors ?? []).map(describeError)].join('\n');
}

async function describeThrown(error: unknown): Promise<string> {
  if (!(error instanceof AbortedGraphQLExecutionError)) return describeError(error);
  const unfinished: ExecutionResult = await error.abortedResult;
  const isLate = error.abortedResult instanceof Promise;
  return `${error} for ${error.cause}, ${isLate ? 'later' : 'at once'} ${describeResult(unfinished)}`;
}

function describeError(error: unknown): string {
  if (!(error instanceof GraphQLError)) return `no GraphQLError: ${String(error)}`;
  const { message, path, locations, positions, extensions, originalError, nodes } = error;
  const kinds = nodes?.map(({ kind, loc }) => `${kind} ${loc?.start}`);
  return describe({ message, path, locations, positions, extensions, cause: String(originalError), kinds });
}

function describe(value: unknown): string {
  return inspect(value, {
    depth: Number.POSITIVE_INFINITY,
    maxArrayLength: null,
    breakLength: Number.POSITIVE_INFINITY,
    // Otherwise long lists stand in columns as wide as their members.
    compact: false,
  });
}
