/** The responses of `/health`, `/ready` and `/metrics`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../telemetry/metrics.ts';
import { prefersOpenMetrics } from './accept.ts';
import { sendJson } from './json-response.ts';

/** What `/ready` reports, on the public port and on METRICS_PORT. */
export class Readiness {
  phase: 'starting' | 'ready' | 'draining' = 'starting';
  /** Names of degraded dependencies. They do not change the status. */
  degraded: () => readonly string[] = () => [];
}

/** Responds to `/health` (the process runs) and `/ready` (503 during start and drain). False: it is another path. */
export function sendProbe(path: string, response: ServerResponse, { phase, degraded }: Readiness): boolean {
  if (path === '/health') sendJson(response, 200, { status: 'alive' });
  else if (path === '/ready')
    sendJson(response, phase === 'ready' ? 200 : 503, { status: phase, degraded: degraded() });
  else return false;
  return true;
}

/** For Prometheus, in the format that it asks for. */
export async function sendMetrics(
  { headers }: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
): Promise<void> {
  const isOpenMetrics = prefersOpenMetrics(headers.accept);
  const { contentType, text } = await metrics.text({ isOpenMetrics });
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
}
