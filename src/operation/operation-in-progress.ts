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
import { noSpan, type Span, type Tracing } from '../telemetry/tracing.ts';
import { detached } from '../tools/shortened.ts';
import type { Call } from '../upstream/call/call.ts';
import type { Upstream, UpstreamClient } from '../upstream/client.ts';
import { type MaskContext, maskError } from './error-masking.ts';
import { ErrorSummary, maxLoggedName, recordEnd } from './operation-log.ts';
import type { CountUsage } from './usage-counter.ts';
import type { PreparedOperation, ServedOperation } from './valid-document.ts';

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
  readonly #type: OperationTypeNode;
  readonly #name: string | undefined;
  readonly #hash: string;
  readonly #persisted: ServedOperation | undefined;
  readonly dependencies: OperationDependencies;
  readonly #span: Span;
  readonly #startedAt = performance.now();
  readonly #calls: CallSummary[] = [];
  readonly #sentBy: string[] = [];
  readonly #summary = new ErrorSummary();
  readonly #errors: GraphQLError[] = [];
  /** Reads of a mutation that are in progress. */
  #reads = 0;
  #releaseBuilt = () => {};
  /** What is released when the operation ends. */
  readonly #releases: (() => void)[] = [];
  #hasEnded = false;

  /** Keeps neither the document nor the variables. */
  constructor(prepared: PreparedOperation, caller: Caller, dependencies: OperationDependencies) {
    const { hash, persisted, operation } = prepared;
    const { config, tracing, resolvers, shares } = dependencies;
    const callList = config.exposesCalls ? new CallList() : undefined;
    this.#type = operation.operation;
    this.#name = operation.name && detached(operation.name.value.slice(0, maxLoggedName));
    this.#hash = hash;
    this.#persisted = persisted;
    this.dependencies = dependencies;
    this.#span = tracing.start(this.#type, {
      kind: 'server',
      parent: caller.trace,
      attributes: {
        'graphql.operation.type': this.#type,
        'graphql.operation.name': this.#name,
        'graphql.client.name': caller.application?.name,
        'graphql.client.version': caller.application?.version,
      },
    });
    this.context = {
      ...resolvers,
      caller: {
        ...caller,
        span: this.#span,
        onCall: (call, path, isShared) => {
          this.#calls.push(call);
          callList?.add(call, path, isShared);
        },
        onJoinedCall: callList?.add,
        onRepetition: (requestId) => this.#sentBy.push(requestId),
      },
      upstream: this,
      sideEffect: new OperationSideEffect(),
      turnForPart: (bytes) => shares.scheduler.waitForTurn(caller, bytes),
      addError: (error, { fieldNodes, path }) => {
        this.#errors.push(locatedError(error, fieldNodes, responsePathAsArray(path)));
      },
      callList,
      resultSize: undefined,
      holdResult: undefined,
      holdForWrite: (bytes) => this.dependencies.upstream.holdForWrite(caller, bytes),
      onEnd: (release) => {
        if (this.#hasEnded) release();
        else this.#releases.push(release);
      },
      holdBuilt: () => this.dependencies.upstream.holdForWrite(caller, 0, this.#builtBytes),
      cache: undefined,
    };
  }

  call<T>(call: Call<T>): Promise<T> {
    const { caller, sideEffect } = this.context;
    const { upstream } = this.dependencies;
    if (call.endpoint.kind === 'write')
      return sideEffect.follow(upstream.call(caller, call, this.#builtBytes));
    return this.#type === OperationTypeNode.MUTATION
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
      operationType: this.#type,
      sideEffect: sideEffect.current,
      onBug: (error) =>
        signal.aborted || this.dependencies.log.error({ err: error, requestId }, 'unforeseen error'),
    };
    const errors = result.errors.map((error) => maskError(error, masking));
    this.#summary.add(errors, this.dependencies.metrics);
    return { ...result, errors };
  }

  /** The result of an operation that threw. */
  failedResult(error: unknown): ExecutionResult {
    // The caller disconnected: return nothing, and do not report the aborted work as a bug.
    if (this.context.caller.signal.aborted) return { data: null };
    return this.mask({ errors: [error as GraphQLError] });
  }

  /** Over HTTP the span lasts until the response has been sent, and has its status. */
  #endSpan({ onResponse }: Caller): void {
    if (this.#span === noSpan) return;
    const { code } = this.#summary;
    const end = (status?: number) => {
      if (status !== undefined)
        this.#span.set({ 'http.response.status_code': status, 'url.path': '/graphql' });
      this.#span.end(code);
    };
    if (onResponse) onResponse(end);
    else end();
  }

  /** Writes the log line and the metrics, and ends the span. `events`: number of results of a subscription. */
  end(events?: number): void {
    this.#hasEnded = true;
    for (const release of this.#releases) release();
    const { caller } = this.context;
    this.#endSpan(caller);
    const ended = {
      caller,
      type: this.#type,
      name: this.#name,
      hash: this.#hash,
      persistedName: this.#persisted?.name,
      summary: this.#summary,
      durationMs: performance.now() - this.#startedAt,
      events,
      calls: this.#calls,
      sentBy: this.#sentBy,
      span: this.#span,
    };
    recordEnd(ended, this.dependencies);
    this.dependencies.countUsage(caller, this.#persisted?.manifests);
  }
}
