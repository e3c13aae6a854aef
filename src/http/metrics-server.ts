/**
 * Serves `/metrics` and the probes on a separate port, which need not be public. Connections that wait to be accepted on
 * the public port do not delay it.
 */
import { createServer } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { listen } from './listen.ts';
import { type Readiness, sendJson, sendMetrics, sendProbe } from './probes.ts';

export async function startMetricsServer(
  { host }: Config['listen'],
  port: number,
  metrics: Metrics,
  readiness: Readiness,
) {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    if (sendProbe(path, response, readiness)) return;
    if (path === '/metrics') sendMetrics(request, response, metrics).catch(() => response.destroy());
    else sendJson(response, 404, { error: 'Not found: this port serves /metrics, /health and /ready.' });
  });
  return {
    port: await listen(server, { host, port }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
