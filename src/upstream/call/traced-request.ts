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
  const { endpoint, headers } = request;
  const { origin } = request.environment;
  const { hostname, port, protocol } = new URL(origin);
  // By OpenTelemetry's HTTP client conventions. The URL has placeholders instead of ids: an id is the caller's data.
  const span = parent.child(`${endpoint.method} ${template}`, {
    kind: 'client',
    attributes: {
      'http.request.method': endpoint.method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'url.full': origin + template,
      'url.template': template,
      'http.request.resend_count': attempts > 1 ? attempts - 1 : undefined,
    },
  });
  const { traceparent, tracestate } = span;
  const trace = { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
  return { ...request, span, headers: { ...headers, ...trace } };
}
