/** An attempt at a call, recorded in the metrics and in the trace. */
import type { Caller } from '../../caller.ts';
import { GatewayError, InvalidInputError } from '../../errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { noSpan } from '../../telemetry/tracing.ts';
import { type AttemptOutcome, type AttemptRequest, attempt } from './attempt.ts';
import type { Call } from './call.ts';
import type { Deadline } from './deadline.ts';
import type { FailedCall } from './failures.ts';

export interface Observed {
  readonly caller: Caller;
  /** 1 for the first attempt. */
  readonly number: number;
  readonly metrics: Metrics;
}

/** Makes one attempt and records it. Never rejects. */
export async function observedAttempt<T>(
  { caller, number, metrics }: Observed,
  call: Call<T>,
  request: Omit<AttemptRequest, 'span'>,
  failedCall: FailedCall,
  deadline: Deadline,
): Promise<AttemptOutcome<T>> {
  const { operation: endpoint } = call.endpoint;
  const startedAt = performance.now();
  const span = caller.span?.traceId ? spanOf(caller.span, call, request, number) : noSpan;
  const { traceparent } = span;
  const headers = traceparent ? { ...request.headers, traceparent } : request.headers;
  const outcome = await attempt(call, { ...request, headers, span }, failedCall, deadline);
  const label = outcomeLabel(outcome);
  metrics.serviceCalls.inc({ endpoint, outcome: label, attempt: number });
  metrics.serviceCallSeconds.observe({ endpoint }, (performance.now() - startedAt) / 1_000);
  span.set({ 'http.response.status_code': outcome.status });
  // OpenTelemetry's HTTP conventions: `error.type` is the status when it is an error status.
  const hasErrorStatus = outcome.status !== undefined && outcome.status >= 400;
  span.end(label === 'ok' ? undefined : hasErrorStatus ? String(outcome.status) : label);
  return outcome;
}

/**
 * Starts a span by OpenTelemetry's HTTP client conventions. Its URL has placeholders instead of ids: an id is the
 * caller's data.
 */
function spanOf(
  parent: NonNullable<Caller['span']>,
  { endpoint: { method, path } }: Call<unknown>,
  { origin, pathPrefix }: Pick<AttemptRequest, 'origin' | 'pathPrefix'>,
  number: number,
) {
  const { hostname, port, protocol } = new URL(origin);
  const template = pathPrefix + path;
  return parent.child(`${method} ${template}`, {
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'url.full': origin + template,
      'url.template': template,
      'http.request.resend_count': number > 1 ? number - 1 : undefined,
    },
  });
}

function outcomeLabel(outcome: AttemptOutcome<unknown>): string {
  if ('value' in outcome) return 'ok';
  const { failure } = outcome;
  if (failure instanceof InvalidInputError) return 'invalid_input';
  return failure instanceof GatewayError ? failure.code : 'aborted';
}
