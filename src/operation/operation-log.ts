/** The log line and the metrics of an operation that has ended. */

import type { GraphQLError } from 'graphql';
import type { Bound } from '../bounds.ts';
import type { CallSummary } from '../caller.ts';
import { GatewayError, type SideEffect } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Exemplar } from '../telemetry/tracing.ts';

/** The log line, in the order of its members. */
export interface OperationLine {
  readonly requestId: string;
  /** Tag of the caller's lane. */
  readonly lane: string;
  /** The application that the client says it is. */
  readonly clientName: string | undefined;
  readonly clientVersion: string | undefined;
  readonly operation: string;
  /** The name that the client gave, shortened. */
  readonly name: string | undefined;
  /** SHA-256 of its text. */
  readonly hash: string;
  /** `ok`, `caller_left`, or the code of its errors; a list of several codes. */
  readonly outcome: string | readonly string[];
  /** The bound that its errors name; a list of several bounds. */
  readonly bound: Bound | readonly Bound[] | undefined;
  /** What the errors say about the service: of several, the one that has changed most. Undefined without errors. */
  readonly sideEffect: SideEffect | undefined;
  /** The message of the first error that the gateway has worded: it contains no data. */
  readonly reason: string | undefined;
  readonly durationMs: number;
  /** Number of results of a subscription; undefined for others. */
  readonly events: number | undefined;
  readonly calls: readonly CallSummary[];
  /** Request ids of the requests that were sent under the idempotency keys which the operation repeats. */
  readonly sentBy: readonly string[] | undefined;
  readonly traceId: string | undefined;
}

/** What the log says about the errors of an operation. */
export class ErrorSummary {
  readonly #codes = new Set<string>();
  readonly #bounds = new Set<Bound>();
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
      this.#codes.add(code);
      if (bound) this.#bounds.add(bound);
      if (sideEffects.indexOf(sideEffect) > sideEffects.indexOf(this.#sideEffect))
        this.#sideEffect = sideEffect;
      // Messages about an input may quote the caller or the service.
      if (originalError instanceof GatewayError && !code.startsWith('BAD_')) this.#reason ??= message;
    }
  }

  /** The code of the first error; undefined without errors. */
  get code(): string | undefined {
    return this.#codes.values().next().value;
  }

  /** `outcome`: undefined without errors. */
  members() {
    return {
      outcome: oneOrAll(this.#codes),
      bound: oneOrAll(this.#bounds),
      sideEffect: this.#sideEffect,
      reason: this.#reason,
    };
  }
}

/** From the least to the most that has changed. */
const sideEffects: readonly (SideEffect | undefined)[] = [undefined, 'NONE', 'POSSIBLE', 'APPLIED'];

function oneOrAll<T>(values: ReadonlySet<T>): T | readonly T[] | undefined {
  const all = [...values];
  return all.length > 1 ? all : all[0];
}

/** Outcomes that an operator has to look at: the service failed, or nobody knows what it did. */
const trouble = /^(?:OUTCOME_UNKNOWN$|UPSTREAM_)/;

/** `manifestName`: its name in the manifest of persisted operations, the label in metrics. */
export function recordOperation(
  log: Log,
  metrics: Metrics,
  line: OperationLine,
  manifestName: string | undefined,
  exemplarLabels: Exemplar,
): void {
  const labels = { type: line.operation, operation: manifestName ?? 'other' };
  const outcomes = [line.outcome].flat();
  metrics.operations.inc({ ...labels, outcome: String(outcomes[0]) });
  if (line.events === undefined)
    metrics.operationSeconds.observe({ labels, value: line.durationMs / 1_000, exemplarLabels });
  metrics.topCallers.add('operations', line.lane, 1);
  if (line.bound !== undefined) metrics.topCallers.add('refusals', line.lane, 1);
  const level = outcomes.some((outcome) => trouble.test(outcome)) ? 'warn' : 'info';
  log[level]({ ...line, durationMs: Math.round(line.durationMs) }, 'operation');
}
