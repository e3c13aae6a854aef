/** What the log and the metrics record about each operation: when it ends, or is refused before it starts. */
import type { GraphQLError, OperationTypeNode } from 'graphql';
import type { Bound } from '../bound-names.ts';
import { type Caller, type CallSummary, laneTag } from '../caller.ts';
import { GatewayError, graverOf, type SideEffect } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Span } from '../telemetry/tracing.ts';

/** Longest operation name in a log line or a span, in characters. Callers choose the name. */
export const maxLoggedName = 100;

/** Outcomes that an operator has to look at: the service failed, or nobody knows what it did. */
const trouble = /^(?:OUTCOME_UNKNOWN$|UPSTREAM_)/;

/** Outcomes that count before others, the gravest first: alerts look at each of the first two, and at the share of the others. */
const grave = [/^OUTCOME_UNKNOWN$/, /^INTERNAL_SERVER_ERROR$/, trouble];

interface Destination {
  readonly metrics: Metrics;
  readonly log: Log;
}

interface EndedOperation {
  readonly caller: Caller;
  readonly type: OperationTypeNode;
  readonly name: string | undefined;
  readonly hash: string;
  /** Its name in a manifest; undefined when no manifest has it. */
  readonly persistedName: string | undefined;
  readonly errors: ErrorSummary;
  readonly durationMs: number;
  /** Number of results of a subscription; undefined for a query or mutation. */
  readonly events: number | undefined;
  readonly calls: readonly CallSummary[];
  /** Ids of the requests that were sent under the idempotency keys which the operation repeats. */
  readonly sentBy: readonly string[];
  readonly span: Span;
}

/** Writes the log line of an operation that has ended, and counts it. */
export function recordOperation(operation: EndedOperation, { metrics, log }: Destination): void {
  const { caller, type, name, hash, durationMs, events, calls, sentBy, span } = operation;
  const { outcome: code, bound, sideEffect, reason } = operation.errors.members();
  const outcome = code ?? (caller.signal.aborted ? 'caller_left' : 'ok');
  const outcomes = typeof outcome === 'string' ? [outcome] : outcome;
  const lane = laneTag(caller.lane);
  const labels = { type, operation: operation.persistedName ?? 'other' };
  metrics.operations.inc({ ...labels, outcome: countedOf(outcomes) });
  if (events === undefined) {
    const { exemplar: exemplarLabels } = span;
    metrics.operationSeconds.observe({ labels, value: durationMs / 1_000, exemplarLabels });
  }
  metrics.topCallers.add('operations', lane, 1);
  if (bound !== undefined) metrics.topCallers.add('refusals', lane, 1);
  const line = {
    requestId: caller.requestId,
    lane,
    clientName: caller.application?.name,
    clientVersion: caller.application?.version,
    operation: type,
    name,
    hash,
    outcome,
    bound,
    sideEffect,
    reason,
    durationMs: Math.round(durationMs),
    events,
    calls,
    sentBy: sentBy.length > 0 ? sentBy : undefined,
    traceId: span.traceId,
  };
  log[outcomes.some((one) => trouble.test(one)) ? 'warn' : 'info'](line, 'operation');
}

/** The one of several outcomes that is counted: the gravest, or the first if none is grave. */
function countedOf(outcomes: readonly string[]): string {
  for (const kind of grave) {
    const found = outcomes.find((outcome) => kind.test(outcome));
    if (found !== undefined) return found;
  }
  return String(outcomes[0]);
}

/** `errors`: masked. */
export function recordRefusal(
  errors: readonly GraphQLError[],
  requestId: string,
  { metrics, log }: Destination,
): void {
  const summary = new ErrorSummary();
  summary.add(errors, metrics);
  log.info({ requestId, ...summary.members() }, 'operation refused');
  metrics.operations.inc({ type: 'unknown', operation: 'other', outcome: String(summary.code) });
}

/** What the log says about the errors of an operation. */
export class ErrorSummary {
  readonly #codes: string[] = [];
  readonly #bounds: Bound[] = [];
  #sideEffect: SideEffect | undefined;
  #reason: string | undefined;

  /** Counts the errors that name a bound. `errors`: masked. */
  add(errors: readonly GraphQLError[], metrics: Metrics): void {
    for (const { message, originalError, extensions } of errors) {
      const { code, bound, sideEffect } = extensions as {
        code: string;
        bound?: Bound;
        sideEffect: SideEffect;
      };
      if (!this.#codes.includes(code)) this.#codes.push(code);
      if (bound) metrics.refusals.inc({ bound });
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
