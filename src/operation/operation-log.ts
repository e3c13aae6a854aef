/** The log line and the metrics of an operation that has ended. */
import type { Bound } from '../bounds.ts';
import type { CallSummary } from '../caller.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The log line, in the order of its members. */
export interface OperationLine {
  readonly requestId: string;
  /** Tag of the caller's lane. */
  readonly lane: string;
  /** Type of the operation. */
  readonly operation: string;
  /** The name that the client gave, shortened. */
  readonly name: string | undefined;
  /** SHA-256 of its text. */
  readonly hash: string;
  /** `ok`, `caller_left`, or the code of its errors; a list of several codes. */
  readonly outcome: string | readonly string[];
  /** The bound that its errors name; a list of several bounds. */
  readonly bound: Bound | readonly Bound[] | undefined;
  readonly durationMs: number;
  /** Number of results of a subscription; undefined for others. */
  readonly events: number | undefined;
  readonly calls: readonly CallSummary[];
  /** Request ids of the requests that were sent under the idempotency keys which the operation repeats. */
  readonly sentBy: readonly string[] | undefined;
  readonly traceId: string | undefined;
}

/** Outcomes that an operator has to look at: the service failed, or nobody knows what it did. */
const trouble = /^(?:OUTCOME_UNKNOWN$|UPSTREAM_)/;

/** `manifestName`: its name in the manifest of persisted operations, the label in metrics. */
export function recordOperation(
  log: Log,
  metrics: Metrics,
  line: OperationLine,
  manifestName: string | undefined,
): void {
  const labels = { type: line.operation, operation: manifestName ?? 'other' };
  const outcomes = [line.outcome].flat();
  metrics.operations.inc({ ...labels, outcome: String(outcomes[0]) });
  if (line.events === undefined) metrics.operationSeconds.observe(labels, line.durationMs / 1_000);
  const level = outcomes.some((outcome) => trouble.test(outcome)) ? 'warn' : 'info';
  log[level]({ ...line, durationMs: Math.round(line.durationMs) }, 'operation');
}
