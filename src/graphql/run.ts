import type { ExecutionResult, GraphQLError, OperationDefinitionNode } from 'graphql';
import { laneTag } from '../state/lane.ts';
import type { Log } from '../telemetry/log.ts';
import type { Caller, CallSummary } from '../upstream/call.ts';
import type { Context, Services } from './context.ts';
import { type MaskContext, maskError } from './mask.ts';

/** One operation under way: its context, its errors as the caller may see them, and its line in the log. */
export interface Run {
  readonly context: Context;
  masked(result: ExecutionResult): ExecutionResult;
  /** The result that stands for an operation which threw. */
  failed(error: unknown): ExecutionResult;
  /** Writes the line. `events`: how many a subscription told. */
  end(events?: number): void;
}

export function beginRun(
  operation: OperationDefinitionNode,
  caller: Caller,
  services: Services,
  log: Log,
): Run {
  const startedAt = performance.now();
  const calls: CallSummary[] = [];
  const codes = new Set<string>();
  const recorded: Caller = { ...caller, onCall: (call) => calls.push(call) };
  const masking: MaskContext = {
    requestId: caller.requestId,
    operationType: operation.operation,
    hasWritten: () => calls.some(({ kind }) => kind === 'write'),
    onBug: (error) =>
      caller.signal.aborted || log.error({ err: error, requestId: caller.requestId }, 'unforeseen error'),
  };

  function masked(result: ExecutionResult): ExecutionResult {
    if (!result.errors) return result;
    const errors = result.errors.map((error) => maskError(error, masking));
    for (const { extensions } of errors) codes.add(String(extensions['code']));
    return { ...result, errors };
  }

  return {
    context: { services, caller: recorded, upstream: services.upstream.forCaller(recorded) },
    masked,
    // Who has left is told nothing, and what broke off with it is no mistake.
    failed: (error) => (caller.signal.aborted ? { data: null } : masked({ errors: [error as GraphQLError] })),
    end(events) {
      log.info(
        {
          requestId: caller.requestId,
          lane: laneTag(caller.lane),
          operation: operation.operation,
          name: operation.name?.value,
          outcome: codes.size > 0 ? [...codes] : caller.signal.aborted ? 'caller left' : 'ok',
          durationMs: Math.round(performance.now() - startedAt),
          ...(events !== undefined && { events }),
          calls,
        },
        'operation',
      );
    },
  };
}

/**
 * A subscription's events with masked errors. An iterator of its own and no generator: `return` must reach
 * the source at once, also while it waits for the next event.
 */
export function eventsOf(
  source: AsyncIterable<ExecutionResult>,
  run: Run,
): AsyncGenerator<ExecutionResult, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  let events = 0;
  let ended = false;
  const end = () => {
    if (!ended) run.end(events);
    ended = true;
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
          return { done: false, value: run.masked(value) };
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
