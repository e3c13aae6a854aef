/** Starts, ends and aborts an execution by a plan, as graphql-js does, without what it creates for each execution. */
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import { ensureGraphQLError } from 'graphql/error/ensureGraphQLError.js';
import { createSharedExecutionContext } from 'graphql/execution/createSharedExecutionContext.js';
import type { ResultLimit } from '../result-limit.ts';
import { type Data, LimitedExecutor } from './limited-executor.ts';

export type MaybePromise<T> = Promise<T> | T;

/** Shared by all executions. It tracks work for a hook; operations with that hook are not planned. */
const shared = createSharedExecutionContext(new AbortController().signal);

export abstract class AbortableExecutor extends LimitedExecutor {
  constructor(args: ValidatedExecutionArgs, limit: ResultLimit) {
    // graphql-js creates an AbortController for each execution and aborts it at the end, which can cost as much as the
    // execution itself. Here it is created when a resolver reads its signal.
    super(args, limit, { ...shared, getAbortSignal: () => this.#signalForResolvers() });
  }

  /** Executes the root fields. Returns the value of `data`; throws or rejects when that is null. */
  protected abstract executeRoot(serially: boolean | undefined): MaybePromise<Data>;

  #signalForResolvers(): AbortSignal {
    if (!this.resolverAbortController) {
      this.resolverAbortController = new AbortController();
      const { externalAbortSignal } = this.validatedExecutionArgs;
      if (this.aborted) this.resolverAbortController.abort(externalAbortSignal?.reason);
    }
    return this.resolverAbortController.signal;
  }

  /**
   * As inherited, except that the abort handler is a local variable: assigned to a property, a function would keep each
   * execution, and with it the whole request, alive beyond the scavenges of V8.
   */
  override executeRootSelectionSetImpl(serially?: boolean): MaybePromise<ExecutionResult> {
    const { externalAbortSignal: signal } = this.validatedExecutionArgs;
    signal?.throwIfAborted();
    let rejectNow: ((error: unknown) => void) | undefined;
    let response: MaybePromise<ExecutionResult> | undefined;
    const onAbort = () => {
      this.abort(signal?.reason);
      rejectNow?.(this.createAbortedExecutionError(response as Promise<ExecutionResult>));
    };
    signal?.addEventListener('abort', onAbort);
    const stopListening = () => signal?.removeEventListener('abort', onAbort);
    const failed = (error: unknown) => {
      stopListening();
      this.collectedErrors.add(ensureGraphQLError(error), undefined);
      return this.buildResponse(null);
    };
    try {
      const data = this.executeRoot(serially);
      if (!(data instanceof Promise)) {
        stopListening();
        response = this.buildResponse(data);
      } else {
        response = data.then((settled) => {
          stopListening();
          return this.buildResponse(settled);
        }, failed);
      }
    } catch (error) {
      response = failed(error);
    }
    if (!(response instanceof Promise)) return this.finish(response);
    const responded = response;
    return new Promise((resolve, reject) => {
      rejectNow = reject;
      if (this.aborted) onAbort();
      const finished = (result: ExecutionResult) => resolve(this.finish(result));
      responded.then(finished).catch(reject);
    });
  }
}
