/** What the log and the metrics record about each operation: when it ends, or is refused before it starts. */
import type { GraphQLError, OperationTypeNode } from 'graphql';
import type { Bound } from '../bound-names.ts';
import { type Caller, type CallSummary, laneTag } from '../caller.ts';
import { GatewayError, graverOf, type SideEffect } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Span } from '../telemetry/tracing.ts';
import type { PersistedOperation } from './valid-document.ts';

/** Longest operation name in a log line or a span, in characters. Callers choose the name. */
export const maxLoggedName = 100;

/** Outcomes that an operator has to look at: the service failed, or nobody knows what it did. */
const trouble = /^(?:OUTCOME_UNKNOWN$|UPSTREAM_)/;

/** Outcomes that count before others, the gravest first: alerts look at each of the first two, and at the share of the others. */
const grave = [/^OUTCOME_UNKNOWN$/, /^INTERNAL_SERVER_ERROR$/, trouble];

/** The one of several outcomes that is counted: the gravest, or the first if none is grave. */
function countedOf(outcomes: string | readonly string[]): string {
  if (typeof outcomes === 'string') return outcomes;
  const [gravest] = grave.flatMap((kind) => outcomes.filter((outcome) => kind.test(outcome)));
  return gravest ?? String(outcomes[0]);
}

interface Records {
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface OperationRecord {
  readonly caller: Caller;
  readonly type: OperationTypeNode;
  readonly name: string | undefined;
  readonly hash: string;
  readonly persisted: PersistedOperation | undefined;
  /** `performance.now()` */
  readonly startedAt: number;
  readonly span: Span;
  /** Undefined without errors. */
  readonly errors: ErrorSummary | undefined;
  readonly calls: CallSummary[];
  /** Ids of the requests that were sent under the idempotency keys which the operation repeats. */
  readonly sentBy: readonly string[] | undefined;
}

/** `events`: number of results of a subscription. */
export function recordEnd(
  record: OperationRecord,
  events: number | undefined,
  { metrics, log }: Records,
): void {
  const { type, caller, span } = record;
  const durationMs = performance.now() - record.startedAt;
  const { outcome: code, ...ofErrors } = (record.errors ?? new ErrorSummary()).members();
  const outcome = code ?? (caller.signal.aborted ? 'caller_left' : 'ok');
  const lane = laneTag(caller.lane);
  const labels = { type, operation: record.persisted?.name ?? 'other' };
  metrics.operations.inc({ ...labels, outcome: countedOf(outcome) });
  if (events === undefined) {
    const { exemplar: exemplarLabels } = span;
    metrics.operationSeconds.observe({ labels, value: durationMs / 1_000, exemplarLabels });
  }
  metrics.topCallers.add('operations', lane, 1);
  if (ofErrors.bound !== undefined) metrics.topCallers.add('refusals', lane, 1);
  const line = {
    requestId: caller.requestId,
    lane,
    clientName: caller.application?.name,
    clientVersion: caller.application?.version,
    operation: type,
    name: record.name,
    hash: record.hash,
    outcome,
    ...ofErrors,
    durationMs: Math.round(durationMs),
    events,
    calls: record.calls,
    sentBy: record.sentBy,
    traceId: span.traceId,
  };
  const level = [outcome].flat().some((each) => trouble.test(each)) ? 'warn' : 'info';
  log[level](line, 'operation');
}

/** `errors`: masked. */
export function recordRefusal(
  errors: readonly GraphQLError[],
  requestId: string,
  { metrics, log }: Records,
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

function oneOrAll<T>(all: readonly T[]): T | readonly T[] | undefined {
  return all.length > 1 ? all : all[0];
}
