/** Responses that are not GraphQL results: probes, metrics, and errors of other paths. */
import type { ServerResponse } from 'node:http';
import type { Metrics } from '../telemetry/metrics.ts';

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** Readiness: 503 during start and drain. Degraded dependencies are listed and do not change the status. */
export function sendReadiness(
  response: ServerResponse,
  phase: 'starting' | 'ready' | 'draining',
  degraded: readonly string[],
): void {
  sendJson(response, phase === 'ready' ? 200 : 503, { status: phase, degraded });
}

/** For Prometheus. */
export async function sendMetrics(response: ServerResponse, metrics: Metrics): Promise<void> {
  const text = await metrics.text();
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
}
