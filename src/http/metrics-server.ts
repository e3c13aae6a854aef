/** Serves `/metrics` on a separate port, which need not be public. */
import { createServer } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { listen } from './listen.ts';
import { sendJson, sendMetrics } from './probes.ts';

export async function startMetricsServer({ host }: Config['listen'], port: number, metrics: Metrics) {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      sendJson(response, 404, { error: 'Not found: the metrics are at /metrics.' });
      return;
    }
    sendMetrics(request, response, metrics).catch(() => response.destroy());
  });
  return {
    port: await listen(server, { host, port }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
