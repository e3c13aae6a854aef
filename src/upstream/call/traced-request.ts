/** The trace headers of a call to the service, and the span of each attempt. */
import type { Span } from '../../telemetry/tracing.ts';
import type { AttemptRequest } from './attempt.ts';

/**
 * The request with a span of its own and its trace headers, if the operation is traced. `template`: its path with
 * placeholders instead of ids. `attempts`: this one included.
 */
export function tracedRequest(
  request: AttemptRequest,
  template: string,
  parent: Span | undefined,
  attempts: number,
): AttemptRequest {
  if (!parent?.traceId) return request;
  const span = startSpan(request, template, parent, attempts);
  const { traceparent, tracestate } = span;
  const trace = { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
  return { ...request, span, headers: { ...request.headers, ...trace } };
}

/**
 * Starts a span by OpenTelemetry's HTTP client conventions. Its URL has placeholders instead of ids: an id is the
 * caller's data.
 */
function startSpan(
  { endpoint: { method }, origin }: AttemptRequest,
  template: string,
  parent: Span,
  attempts: number,
): Span {
  const { hostname, port, protocol } = new URL(origin);
  return parent.child(`${method} ${template}`, {
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'url.full': origin + template,
      'url.template': template,
      'http.request.resend_count': attempts > 1 ? attempts - 1 : undefined,
    },
  });
}
