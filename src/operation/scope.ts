import { type DocumentNode, type ExecutionResult, type GraphQLError, Kind, print, visit } from 'graphql';
import type { Caller, CallSummary } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { CallList } from '../graphql/call-list.ts';
import type { Context, GatewayDependencies } from '../graphql/context.ts';
import { OperationSideEffect } from '../graphql/side-effect.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { type MaskContext, maskError } from './error-masking.ts';
import { recordOperation } from './operation-log.ts';
import type { PreparedOperation } from './prepared.ts';

/** One operation in progress: its context, its masked results, and its log line, metrics and span. */
export interface OperationScope {
  readonly context: Context;
  /** Masks the errors of the result of a query or mutation, and adds its calls where results list them. */
  finish(result: ExecutionResult): ExecutionResult;
  /** Masks the errors of a result. */
  mask(result: ExecutionResult): ExecutionResult;
  /** The result of an operation that threw. */
  failedResult(error: unknown): ExecutionResult;
  /** Writes the log line and the metrics, and ends the span. `events`: number of results of a subscription. */
  end(events?: number): void;
}

/** What all operations of a gateway share. */
export interface ScopeDependencies {
  readonly config: Pick<Config, 'exposesCalls'>;
  readonly resolvers: GatewayDependencies;
  readonly upstream: UpstreamClient;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Log;
}

/** Longest operation name in a log line or a span, in characters. Callers choose the name. */
export const maxLoggedName = 100;

export function beginOperation(
  { document, hash, manifestName, operation: { operation: type, name } }: PreparedOperation,
  caller: Caller,
  { config, resolvers, upstream: client, metrics, tracing, log }: ScopeDependencies,
): OperationScope {
  const startedAt = performance.now();
  const loggedName = name?.value.slice(0, maxLoggedName);
  const calls: CallSummary[] = [];
  const codes = new Set<string>();
  const sideEffect = new OperationSideEffect();
  const span = tracing.start(type, {
    kind: 'server',
    parent: caller.traceparent,
    attributes: {
      'graphql.operation.type': type,
      'graphql.operation.name': loggedName,
      'graphql.document': tracing.documents ? print(withoutLiterals(document)) : undefined,
    },
  });
  const callList = config.exposesCalls ? new CallList() : undefined;
  const recorded: Caller = {
    ...caller,
    span,
    onCall(call, path, isShared) {
      calls.push(call);
      callList?.add(call, path, isShared);
    },
    onJoinedCall: callList?.add,
  };
  const upstream = client.forCaller(recorded);
  const masking: MaskContext = {
    requestId: caller.requestId,
    operationType: type,
    hasWritten: () => calls.some(({ kind }) => kind === 'write'),
    sideEffect: () => sideEffect.current,
    onBug: (error) =>
      caller.signal.aborted || log.error({ err: error, requestId: caller.requestId }, 'unforeseen error'),
  };

  function mask(result: ExecutionResult): ExecutionResult {
    if (!result.errors) return result;
    const errors = result.errors.map((error) => maskError(error, masking));
    for (const { extensions } of errors) codes.add(String(extensions['code']));
    return { ...result, errors };
  }

  return {
    context: {
      ...resolvers,
      caller: recorded,
      upstream: {
        call(call) {
          const result = upstream.call(call);
          return call.endpoint.kind === 'write' ? sideEffect.follow(result) : result;
        },
      },
      sideEffect,
      callList,
      cache: new Map(),
    },
    finish(result) {
      const masked = mask(result);
      const extensions = callList?.extensions();
      return extensions ? { ...masked, extensions: { ...extensions } } : masked;
    },
    mask,
    // The caller disconnected: return nothing, and do not report the aborted work as a bug.
    failedResult: (error) =>
      caller.signal.aborted ? { data: null } : mask({ errors: [error as GraphQLError] }),
    end(events) {
      const durationMs = performance.now() - startedAt;
      const outcome = codes.size > 0 ? [...codes] : [caller.signal.aborted ? 'caller_left' : 'ok'];
      const [code] = codes;
      span.end(code);
      recordOperation(log, metrics, {
        caller,
        type,
        name: loggedName,
        manifestName,
        hash,
        outcome,
        durationMs,
        events,
        calls,
        traceId: span.traceId,
      });
    },
  };
}

/** Removes literal values, which may be personal data. The selected fields stay. */
function withoutLiterals(document: DocumentNode): DocumentNode {
  return visit(document, {
    StringValue: (node) => ({ ...node, value: '', block: false }),
    IntValue: (node) => ({ ...node, value: '0' }),
    FloatValue: (node) => ({ ...node, value: '0' }),
    ListValue: { leave: (node) => ({ ...node, values: [] }) },
    ObjectValue: { leave: () => ({ kind: Kind.OBJECT, fields: [] }) },
  });
}
