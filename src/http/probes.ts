/** Responses that are not GraphQL results: probes, metrics, and errors of other paths. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../telemetry/metrics.ts';
import { prefersOpenMetrics } from './accept.ts';

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
