import { noSpan, type Span } from '../../telemetry/tracing.ts';
import type { Endpoint } from '../endpoint.ts';

/** The span of one attempt at a call, if its operation is traced. `attempts`: this one included. */
export function attemptSpan(
  parent: Span | undefined,
  endpoint: Endpoint,
  { origin, pathPrefix }: Readonly<Record<'origin' | 'pathPrefix', string>>,
  attempts: number,
): Span {
  if (!parent?.traceId) return noSpan;
  const { hostname, port, protocol } = new URL(origin);
  // By OpenTelemetry's HTTP client conventions. The URL has placeholders instead of ids: an id is the caller's data.
  const template = pathPrefix + endpoint.path;
  return parent.child(`${endpoint.method} ${template}`, {
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
}
