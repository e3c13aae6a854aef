/** One operation in progress: its context, its masked results and its span. */
import {
  type ExecutionResult,
  type GraphQLError,
  locatedError,
  OperationTypeNode,
  responsePathAsArray,
} from 'graphql';
import type { Caller, CallSummary } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { CallList } from '../graphql/call-list.ts';
import type { Context, GatewayDependencies } from '../graphql/context.ts';
import { OperationSideEffect } from '../graphql/operation-side-effect.ts';
import type { Shares } from '../shares/shares.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { noSpan, type Tracing } from '../telemetry/tracing.ts';
import { detached } from '../tools/shortened.ts';
import type { Call } from '../upstream/call/call.ts';
import type { Upstream, UpstreamClient } from '../upstream/client.ts';
import { type MaskContext, maskError } from './error-masking.ts';
import { ErrorSummary, maxLoggedName, type OperationRecord, recordEnd } from './operation-log.ts';
import type { CountUsage } from './usage-counter.ts';
import type { PreparedOperation } from './valid-document.ts';

/** What all operations of a gateway share. */
export interface OperationDependencies {
  readonly config: Pick<Config, 'exposesCalls'>;
  readonly resolvers: GatewayDependencies;
  readonly upstream: UpstreamClient;
  readonly metrics: Metrics;
  readonly countUsage: CountUsage;
  readonly tracing: Tracing;
  readonly log: Log;
  readonly shares: Pick<Shares, 'scheduler'>;
}

export class OperationInProgress implements Upstream {
  readonly context: Context;
  readonly dependencies: OperationDependencies;
  readonly #record: OperationRecord;
  readonly #errors: GraphQLError[] = [];
  /** Reads of a mutation that are in progress. */
  #reads = 0;
  #releaseBuilt = () => {};
  readonly #releases: (() => void)[] = [];
  hasEnded = false;

  /** Keeps neither the document nor the variables. */
  constructor(prepared: PreparedOperation, caller: Caller, dependencies: OperationDependencies) {
    const { hash, persisted, operation } = prepared;
    const { config, tracing, resolvers, shares } = dependencies;
    const callList = config.exposesCalls ? new CallList() : undefined;
    const type = operation.operation;
    const name = operation.name && detached(operation.name.value.slice(0, maxLoggedName));
    this.dependencies = dependencies;
    const span = tracing.start(type, {
      kind: 'server',
      parent: caller.trace,
      attributes: {
        'graphql.operation.type': type,
        'graphql.operation.name': name,
        'graphql.client.name': caller.application?.name,
        'graphql.client.version': caller.application?.version,
      },
    });
    const calls: CallSummary[] = [];
    const sentBy: string[] = [];
    const startedAt = performance.now();
    this.#record = {
      type,
      name,
      hash,
      persisted,
      startedAt,
      span,
      errors: new ErrorSummary(),
      calls,
      sentBy,
    };
    this.context = {
      ...resolvers,
      caller: {
        ...caller,
        span,
        onCall: (call, path, isShared) => {
          calls.push(call);
          callList?.add(call, path, isShared);
        },
        onJoinedCall: callList?.add,
        onRepetition: (requestId) => sentBy.push(requestId),
      },
      upstream: this,
      sideEffect: new OperationSideEffect(),
      doPart: (part, bytes) => shares.scheduler.waitForTurn(caller, bytes)?.then(part) ?? part(),
      addError: (error, { fieldNodes, path }) => {
        this.#errors.push(locatedError(error, fieldNodes, responsePathAsArray(path)));
      },
      callList,
      resultSize: undefined,
      holdResult: undefined,
      holdForWrite: (bytes) => this.dependencies.upstream.holdForWrite(caller, bytes),
      onEnd: (release) => {
        if (this.hasEnded) release();
        else this.#releases.push(release);
      },
      holdResultSoFar: () => this.dependencies.upstream.holdForWrite(caller, 0, this.#builtBytes),
      cache: undefined,
    };
  }

  call<T>(call: Call<T>): Promise<T> {
    const { caller, sideEffect } = this.context;
    const { upstream } = this.dependencies;
    if (call.endpoint.kind === 'write')
      return sideEffect.follow(upstream.call(caller, call, this.#builtBytes));
    return this.#record.type === OperationTypeNode.MUTATION
      ? this.#readAfterWrite(() => upstream.call(caller, call))
      : upstream.call(caller, call);
  }

  get #builtBytes(): number {
    return this.context.resultSize?.largeBytes ?? 0;
  }

  /** The first of the reads of a mutation in progress, such as those of the statuses after imports, holds what is built. */
  async #readAfterWrite<T>(read: () => Promise<T>): Promise<T> {
    const { upstream } = this.dependencies;
    if (this.#reads === 0) this.#releaseBuilt = upstream.holdBuilt(this.context.caller, this.#builtBytes);
    this.#reads += 1;
    try {
      return await read();
    } finally {
      this.#reads -= 1;
      if (this.#reads === 0) this.#releaseBuilt();
    }
  }

  /** Masks the errors of the result of a query or mutation, and adds its calls where results list them. */
  finish(result: ExecutionResult): ExecutionResult {
    const { errors = [] } = result;
    const masked = this.mask(
      this.#errors.length > 0 ? { ...result, errors: [...errors, ...this.#errors] } : result,
    );
    const extensions = this.context.callList?.extensions();
    return extensions ? { ...masked, extensions } : masked;
  }

  mask(result: ExecutionResult): ExecutionResult {
    if (!result.errors) return result;
    const { caller, sideEffect } = this.context;
    const { requestId, signal } = caller;
    const masking: MaskContext = {
      requestId,
      operationType: this.#record.type,
      sideEffect: sideEffect.current,
      onBug: (error) =>
        signal.aborted || this.dependencies.log.error({ err: error, requestId }, 'unforeseen error'),
    };
    const errors = result.errors.map((error) => maskError(error, masking));
    this.#record.errors.add(errors, this.dependencies.metrics);
    return { ...result, errors };
  }

  failedResult(error: unknown): ExecutionResult {
    // The caller disconnected: return nothing, and do not report the aborted work as a bug.
    if (this.context.caller.signal.aborted) return { data: null };
    return this.mask({ errors: [error as GraphQLError] });
  }

  /** Over HTTP the span lasts until the response has been sent, and has its status. */
  #endSpan({ onResponse }: Caller): void {
    const { span, errors } = this.#record;
    if (span === noSpan) return;
    const { code } = errors;
    const end = (status?: number) => {
      if (status !== undefined) span.set({ 'http.response.status_code': status, 'url.path': '/graphql' });
      span.end(code);
    };
    if (onResponse) onResponse(end);
    else end();
  }

  /** Writes the log line and the metrics, and ends the span. `events`: number of results of a subscription. */
  end(events?: number): void {
    this.hasEnded = true;
    for (const release of this.#releases.splice(0)) release();
    const { caller } = this.context;
    this.#endSpan(caller);
    recordEnd(this.#record, caller, events, this.dependencies);
    this.dependencies.countUsage(caller, this.#record.persisted?.manifests);
  }
}
