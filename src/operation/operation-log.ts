/** The log line and the metrics of an operation that has ended. */
import type { Bound } from '../bounds.ts';
import type { Caller, CallSummary } from '../caller.ts';
import { laneTag } from '../caller.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface EndedOperation {
  readonly caller: Caller;
  readonly type: string;
  /** The name that the client gave, shortened. */
  readonly name: string | undefined;
  /** Its name in the manifest of persisted operations: the label in metrics. */
  readonly manifestName: string | undefined;
  /** SHA-256 of its text. */
  readonly hash: string;
  /** `ok`, `caller_left`, or the distinct codes of its errors. At least one. */
  readonly outcome: readonly string[];
  /** The different bounds that its errors name. */
  readonly bounds: readonly Bound[];
  readonly durationMs: number;
  /** Number of results of a subscription; undefined for others. */
  readonly events: number | undefined;
  readonly calls: readonly CallSummary[];
  readonly traceId: string | undefined;
}

export function recordOperation(log: Log, metrics: Metrics, ended: EndedOperation): void {
  const { caller, type, name, manifestName, hash, outcome, bounds, durationMs, events, calls, traceId } =
    ended;
  const operation = manifestName ?? 'other';
  metrics.operations.inc({ type, operation, outcome: String(outcome[0]) });
  if (events === undefined) metrics.operationSeconds.observe({ type, operation }, durationMs / 1_000);
  log.operation({
    requestId: caller.requestId,
    lane: laneTag(caller.lane),
    operation: type,
    name,
    hash,
    outcome: outcome.length > 1 ? outcome : String(outcome[0]),
    bound: bounds.length > 1 ? bounds : bounds[0],
    durationMs: Math.round(durationMs),
    events,
    calls,
    traceId,
  });
}
