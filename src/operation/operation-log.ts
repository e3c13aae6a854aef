/** What the log and the metrics record about each operation, and about each that is refused before it starts. */
import type { GraphQLError } from 'graphql';
import type { Bound } from '../bound-names.ts';
import { type Caller, type CallSummary, laneTag } from '../caller.ts';
import { GatewayError, graverOf, type SideEffect } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Span } from '../telemetry/tracing.ts';
import type { ServedOperation } from './persisted/manifests.ts';

/** Longest operation name in a log line or a span, in characters. Callers choose the name. */
export const maxLoggedName = 100;

/** Outcomes that an operator has to look at: the service failed, or nobody knows what it did. */
const trouble = /^(?:OUTCOME_UNKNOWN$|UPSTREAM_)/;

interface Records {
  readonly metrics: Metrics;
  readonly log: Log;
}

/** An operation that has ended. */
interface EndedOperation {
  readonly caller: Caller;
  readonly type: string;
  readonly name: string | undefined;
  readonly hash: string;
  readonly persisted: ServedOperation | undefined;
  readonly errors: ErrorSummary;
  readonly durationMs: number;
  /** Number of results of a subscription. */
  readonly events: number | undefined;
  readonly calls: readonly CallSummary[];
  /** Ids of the requests that were sent under the idempotency keys which the operation repeats. */
  readonly sentBy: readonly string[];
  readonly span: Span;
}

export function recordOperation(operation: EndedOperation, { metrics, log }: Records): void {
  const { caller, type, persisted, durationMs, events, span } = operation;
  const { outcome: code, bound, sideEffect, reason } = operation.errors.members();
  const outcome = code ?? (caller.signal.aborted ? 'caller_left' : 'ok');
  const outcomes = typeof outcome === 'string' ? [outcome] : outcome;
  const lane = laneTag(caller.lane);
  const labels = { type, operation: persisted?.name ?? 'other' };
  metrics.operations.inc({ ...labels, outcome: String(outcomes[0]) });
  if (events === undefined) {
    metrics.operationSeconds.observe({ labels, value: durationMs / 1_000, exemplarLabels: span.exemplar });
  }
  metrics.topCallers.add('operations', lane, 1);
  if (bound !== undefined) metrics.topCallers.add('refusals', lane, 1);
  const line = {
    requestId: caller.requestId,
    lane,
    clientName: caller.application?.name,
    clientVersion: caller.application?.version,
    operation: type,
    name: operation.name,
    hash: operation.hash,
    outcome,
    bound,
    sideEffect,
    reason,
    durationMs: Math.round(durationMs),
    events,
    calls: operation.calls,
    sentBy: operation.sentBy.length > 0 ? operation.sentBy : undefined,
    traceId: span.traceId,
  };
  log[outcomes.some((one) => trouble.test(one)) ? 'warn' : 'info'](line, 'operation');
}

/** `errors`: masked. */
export function recordRefusal(
  errors: readonly GraphQLError[],
  requestId: string,
  { metrics, log }: Records,
): void {
  const summary = new ErrorSummary();
  summary.add(errors);
  countRefusals(metrics, errors);
  log.info({ requestId, ...summary.members() }, 'operation refused');
  metrics.operations.inc({ type: 'unknown', operation: 'other', outcome: String(summary.code) });
}

/** Counts the errors that name a bound. `errors`: masked. */
export function countRefusals(metrics: Metrics, errors: readonly GraphQLError[]): void {
  for (const { extensions } of errors) {
    const bound = extensions['bound'] as Bound | undefined;
    if (bound) metrics.refusals.inc({ bound });
  }
}

/** What the log says about the errors of an operation. */
export class ErrorSummary {
  readonly #codes: string[] = [];
  readonly #bounds: Bound[] = [];
  #sideEffect: SideEffect | undefined;
  #reason: string | undefined;

  /** `errors`: masked. */
  add(errors: readonly GraphQLError[]): void {
    for (const { message, originalError, extensions } of errors) {
      const { code, bound, sideEffect } = extensions as {
        code: string;
        bound?: Bound;
        sideEffect: SideEffect;
      };
      if (!this.#codes.includes(code)) this.#codes.push(code);
      if (bound && !this.#bounds.includes(bound)) this.#bounds.push(bound);
      this.#sideEffect = graverOf(sideEffect, this.#sideEffect ?? sideEffect);
      // Messages about an input may quote the caller or the service.
      if (originalError instanceof GatewayError && !code.startsWith('BAD_')) this.#reason ??= message;
    }
  }

  /** The code of the first error; undefined without errors. */
  get code(): string | undefined {
    return this.#codes[0];
  }

  /** The members of the log line, each undefined without errors. */
  members() {
    return {
      outcome: oneOrAll(this.#codes),
      bound: oneOrAll(this.#bounds),
      /** Of several, the one that has changed most. */
      sideEffect: this.#sideEffect,
      /** The message of the first error that the gateway has worded: it contains no data. */
      reason: this.#reason,
    };
  }
}

/** A single value, or a list of several. */
function oneOrAll<T>(all: readonly T[]): T | readonly T[] | undefined {
  return all.length > 1 ? all : all[0];
}
