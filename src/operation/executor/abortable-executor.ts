/** Starts, ends and aborts an execution by a plan, as graphql-js does, without what it creates for each execution. */
import type { ExecutionResult, ValidatedExecutionArgs } from 'graphql';
import { ensureGraphQLError } from 'graphql/error/ensureGraphQLError.js';
import { createSharedExecutionContext } from 'graphql/execution/createSharedExecutionContext.js';
import type { MaybePromise } from '../../tools/maybe-promise.ts';
import type { ResultLimit } from '../result-limit.ts';
import { type Data, LimitedExecutor } from './limited-executor.ts';

/** Shared by all executions. It tracks work for a hook that no operation has. */
const shared = createSharedExecutionContext(new AbortController().signal);

export abstract class AbortableExecutor extends LimitedExecutor {
  constructor(args: ValidatedExecutionArgs, limit: ResultLimit) {
    // graphql-js creates an AbortController for each execution and aborts it at the end, which can cost as much as the
    // execution itself. Here it is created when a resolver reads its signal.
    super(args, limit, { ...shared, getAbortSignal: () => this.#signalForResolvers() });
  }

  /** Executes the root fields. Returns the value of `data`; throws or rejects when that is null. */
  protected abstract executeRoot(): MaybePromise<Data>;

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
  override executeRootSelectionSetImpl(): MaybePromise<ExecutionResult> {
    const { externalAbortSignal: signal } = this.validatedExecutionArgs;
    signal?.throwIfAborted();
    let rejectNow: (() => void) | undefined;
    const onAbort = () => {
      this.abort(signal?.reason);
      rejectNow?.();
    };
    signal?.addEventListener('abort', onAbort);
    const respond = (data: Data | null) => {
      signal?.removeEventListener('abort', onAbort);
      return this.buildResponse(data);
    };
    const failed = (error: unknown) => {
      this.collectedErrors.add(ensureGraphQLError(error), undefined);
      return respond(null);
    };
    let data: MaybePromise<Data>;
    try {
      data = this.executeRoot();
    } catch (error) {
      return this.finish(failed(error));
    }
    if (!(data instanceof Promise)) return this.finish(respond(data));
    const response = data.then(respond, failed);
    return new Promise((resolve, reject) => {
      rejectNow = () => reject(this.createAbortedExecutionError(response));
      if (this.aborted) rejectNow();
      // A step after the response, as in graphql-js: then nothing more is resolved.
      response.then((result) => this.aborted || resolve(this.finish(result)), reject);
    });
  }
}
