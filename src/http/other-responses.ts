/** Responses that are not GraphQL results: probes, metrics, and errors of requests that are for neither. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../telemetry/metrics.ts';
import { prefersOpenMetrics } from './accept.ts';
import { countOfHeader } from './request-head.ts';

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** Refuses a request without `Host`, or with several (RFC 9112, section 3.2). False: it has one, or needs none. */
export function refuseWithoutOneHost(
  { rawHeaders, httpVersion }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const hosts = countOfHeader('host', rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return false;
  response.shouldKeepAlive = false;
  const what = hosts === 0 ? 'is missing' : 'is given more than once: send it once';
  sendJson(response, 400, { error: `The header Host ${what}.` });
  return true;
}

/** What `/ready` says, on the public port and on METRICS_PORT. */
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
