import { type DocumentNode, type ExecutionResult, type GraphQLError, Kind, print, visit } from 'graphql';
import type { Caller, CallSummary } from '../caller.ts';
import { laneTag } from '../caller.ts';
import type { Context, GatewayDependencies } from '../graphql/context.ts';
import { OperationSideEffect } from '../graphql/side-effect.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { type MaskContext, maskError } from './error-masking.ts';
import type { PreparedOperation } from './prepared.ts';

/** One operation under way: its context, its errors as the caller may see them, and what is told of it outside. */
export interface OperationScope {
  readonly context: Context;
  mask(result: ExecutionResult): ExecutionResult;
  /** The result that stands for an operation which threw. */
  failedResult(error: unknown): ExecutionResult;
  /** Writes the line in the log, the metrics and the span. `events`: how many a subscription told. */
  end(events?: number): void;
}

/** What the operations of a gateway share. */
export interface ScopeDependencies {
  readonly resolvers: GatewayDependencies;
  readonly upstream: UpstreamClient;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Log;
}

/** Longest operation name in a log line or a span, in characters: callers choose it. */
const maxLoggedName = 100;

export function beginOperation(
  { document, hash, manifestName, operation: { operation: type, name } }: PreparedOperation,
  caller: Caller,
  { resolvers, upstream: client, metrics, tracing, log }: ScopeDependencies,
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
  const recorded: Caller = { ...caller, span, onCall: (call) => calls.push(call) };
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
      cache: new Map(),
    },
    mask,
    // Who has left is told nothing, and what broke off with it is no mistake.
    failedResult: (error) =>
      caller.signal.aborted ? { data: null } : mask({ errors: [error as GraphQLError] }),
    end(events) {
      const durationMs = performance.now() - startedAt;
      const [code] = codes;
      const outcome = code ?? (caller.signal.aborted ? 'caller_left' : 'ok');
      const labels = { type, operation: manifestName ?? 'other' };
      metrics.operations.inc({ ...labels, outcome });
      if (events === undefined) metrics.operationSeconds.observe(labels, durationMs / 1_000);
      span.end(code);
      log.info(
        {
          requestId: caller.requestId,
          lane: laneTag(caller.lane),
          operation: type,
          name: loggedName,
          hash,
          outcome: codes.size > 1 ? [...codes] : outcome,
          durationMs: Math.round(durationMs),
          ...(events !== undefined && { events }),
          calls,
          traceId: span.traceId,
        },
        'operation',
      );
    },
  };
}

/** The literals may be anybody's data; what is asked for is not. */
function withoutLiterals(document: DocumentNode): DocumentNode {
  return visit(document, {
    StringValue: (node) => ({ ...node, value: '', block: false }),
    IntValue: (node) => ({ ...node, value: '0' }),
    FloatValue: (node) => ({ ...node, value: '0' }),
    ListValue: { leave: (node) => ({ ...node, values: [] }) },
    ObjectValue: { leave: () => ({ kind: Kind.OBJECT, fields: [] }) },
  });
}
