/** One operation in progress: the context of its resolvers, its masked results, and what is recorded of it. */
import {
  type ExecutionResult,
  type GraphQLError,
  locatedError,
  OperationTypeNode,
  responsePathAsArray,
} from 'graphql';
import type { Caller, CallObserver, CallSummary, OnCall } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { type SideEffect, sideEffectOf } from '../errors.ts';
import { CallList } from '../graphql/call-list.ts';
import type { Context, GatewayDependencies } from '../graphql/context.ts';
import { OperationSideEffect } from '../graphql/operation-side-effect.ts';
import type { Shares } from '../shares/shares.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { noSpan, type Span, type Tracing } from '../telemetry/tracing.ts';
import type { MaybePromise } from '../tools/maybe-promise.ts';
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

export class OperationInProgress implements Context, Upstream, OperationRecord, CallObserver {
  readonly dependencies: OperationDependencies;
  readonly limits: Context['limits'];
  readonly assumptions: Context['assumptions'];
  readonly ledger: Context['ledger'];
  readonly watches: Context['watches'];
  readonly caller: Caller;
  readonly type: OperationTypeNode;
  readonly name: string | undefined;
  readonly hash: string;
  readonly persisted: PreparedOperation['persisted'];
  readonly span: Span;
  readonly startedAt = performance.now();
  errors: ErrorSummary | undefined;
  readonly calls: CallSummary[] = [];
  sentBy: readonly string[] | undefined;
  readonly sideEffect = new OperationSideEffect();
  readonly callList: CallList | undefined;
  resultSize: Context['resultSize'];
  holdResult: Context['holdResult'];
  cache: Context['cache'];
  hasEnded = false;
  /** Those of fields that have a value nevertheless. */
  readonly #addedErrors: GraphQLError[] = [];
  /** Reads of a mutation that are in progress. */
  #reads = 0;
  #releaseBuilt: (() => void) | undefined;
  #releases: readonly (() => void)[] = [];

  /** Keeps neither the document nor the variables. */
  constructor(prepared: PreparedOperation, caller: Caller, dependencies: OperationDependencies) {
    const { hash, persisted, operation } = prepared;
    const { config, tracing, resolvers } = dependencies;
    this.dependencies = dependencies;
    this.limits = resolvers.limits;
    this.assumptions = resolvers.assumptions;
    this.ledger = resolvers.ledger;
    this.watches = resolvers.watches;
    this.type = operation.operation;
    this.name = operation.name && detached(operation.name.value.slice(0, maxLoggedName));
    this.hash = hash;
    this.persisted = persisted;
    this.callList = config.exposesCalls ? new CallList() : undefined;
    this.span = tracing.start(this.type, {
      kind: 'server',
      parent: caller.trace,
      attributes: {
        'graphql.operation.type': this.type,
        'graphql.operation.name': this.name,
        'graphql.client.name': caller.application?.name,
        'graphql.client.version': caller.application?.version,
      },
    });
    this.caller = { ...caller, span: this.span, observer: this };
  }

  onCall(...[call, path, isShared]: Parameters<OnCall>): void {
    this.calls.push(call);
    this.callList?.add(call, path, isShared);
  }

  get onJoinedCall(): OnCall | undefined {
    return this.callList?.add;
  }

  onRepetition(requestId: string): void {
    this.sentBy = [...(this.sentBy ?? []), requestId];
  }

  /** Makes the calls of its resolvers. */
  get upstream(): Upstream {
    return this;
  }

  call<T>(call: Call<T>): Promise<T> {
    const { caller, sideEffect } = this;
    const { upstream } = this.dependencies;
    if (call.endpoint.kind === 'write')
      return sideEffect.follow(upstream.call(caller, call, this.#builtBytes));
    return this.type === OperationTypeNode.MUTATION
      ? this.#readAfterWrite(() => upstream.call(caller, call))
      : upstream.call(caller, call);
  }

  doPart<T>(part: () => MaybePromise<T>, bytes?: number): MaybePromise<T> {
    return this.dependencies.shares.scheduler.waitForTurn(this.caller, bytes)?.then(part) ?? part();
  }

  addError(error: unknown, { fieldNodes, path }: Parameters<Context['addError']>[1]): void {
    this.#addedErrors.push(locatedError(error, fieldNodes, responsePathAsArray(path)));
  }

  holdForWrite(bytes: number): () => void {
    return this.dependencies.upstream.holdForWrite(this.caller, bytes);
  }

  holdResultSoFar(): () => void {
    return this.dependencies.upstream.holdForWrite(this.caller, 0, this.#builtBytes);
  }

  onEnd(release: () => void): void {
    if (this.hasEnded) release();
    else this.#releases = this.#releases.concat(release);
  }

  get #builtBytes(): number {
    return this.resultSize?.largeBytes ?? 0;
  }

  /** The first of the reads of a mutation in progress, such as those of the statuses after imports, holds what is built. */
  async #readAfterWrite<T>(read: () => Promise<T>): Promise<T> {
    const { upstream } = this.dependencies;
    if (this.#reads === 0) this.#releaseBuilt = upstream.holdBuilt(this.caller, this.#builtBytes);
    this.#reads += 1;
    try {
      return await read();
    } finally {
      this.#reads -= 1;
      if (this.#reads === 0) this.#releaseBuilt?.();
    }
  }

  /** Ends a query or a mutation with the result of `execute`, or with an error that it throws. */
  run(execute: () => MaybePromise<ExecutionResult>): MaybePromise<ExecutionResult> {
    const finish = (result: ExecutionResult) => this.#ended(() => this.#finish(result));
    const fail = (error: unknown) => this.#ended(() => this.failedResult(error));
    try {
      const result = execute();
      return result instanceof Promise ? result.then(finish, fail) : finish(result);
    } catch (error) {
      return fail(error);
    }
  }

  #ended(settle: () => ExecutionResult): ExecutionResult {
    try {
      return settle();
    } catch (error) {
      return this.failedResult(error);
    } finally {
      this.end();
    }
  }

  /** Masks the errors of the result of a query or mutation, and adds its calls where results list them. */
  #finish(result: ExecutionResult): ExecutionResult {
    const { errors = [] } = result;
    const added = this.#addedErrors;
    const masked = this.mask(added.length > 0 ? { ...result, errors: [...errors, ...added] } : result);
    const extensions = this.callList?.extensions();
    return extensions ? { ...masked, extensions } : masked;
  }

  mask(result: ExecutionResult): ExecutionResult {
    if (!result.errors) return result;
    const { requestId, signal } = this.caller;
    const masking: MaskContext = {
      requestId,
      operationType: this.type,
      onBug: (error) =>
        signal.aborted || this.dependencies.log.error({ err: error, requestId }, 'unforeseen error'),
    };
    const errors = result.errors.map((error) =>
      maskError(error, { ...masking, sideEffect: this.#sideEffectOf(error) }),
    );
    this.errors ??= new ErrorSummary();
    this.errors.add(errors, this.dependencies.metrics);
    return { ...result, errors };
  }

  /** Of a root field that has a value although it failed, what the others did says nothing. */
  #sideEffectOf({ path }: GraphQLError): SideEffect {
    const failed = this.#addedErrors.find((added) => added.path?.[0] === path?.[0]);
    return failed ? sideEffectOf(failed.originalError) : this.sideEffect.current;
  }

  failedResult(error: unknown): ExecutionResult {
    // The caller disconnected: return nothing, and do not report the aborted work as a bug.
    if (this.caller.signal.aborted) return { data: null };
    return this.mask({ errors: [error as GraphQLError] });
  }

  /** Over HTTP the span lasts until the response has been sent, and has its status. */
  #endSpan(): void {
    const { span, caller } = this;
    if (span === noSpan) return;
    const code = this.errors?.code;
    const end = (status?: number) => {
      if (status !== undefined) span.set({ 'http.response.status_code': status, 'url.path': '/graphql' });
      span.end(code);
    };
    if (caller.onResponse) caller.onResponse(end);
    else end();
  }

  /** Writes the log line and the metrics, and ends the span. `events`: number of results of a subscription. */
  end(events?: number): void {
    this.hasEnded = true;
    const releases = this.#releases;
    this.#releases = [];
    for (const release of releases) release();
    this.#endSpan();
    recordEnd(this, events, this.dependencies);
    this.dependencies.countUsage(this.caller, this.persisted?.manifests);
  }
}
