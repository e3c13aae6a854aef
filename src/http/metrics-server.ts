/**
 * Serves `/metrics` and the probes on a separate port, which need not be public. Connections that wait to be accepted on
 * the public port do not delay it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { closeUnparsed } from './connection/close-unparsed.ts';
import { createIdleConnections } from './connection/idle-connections.ts';
import { refuseWithoutOneHost, sendJson } from './json-response.ts';
import { listen } from './listen.ts';
import { type Readiness, sendMetrics, sendProbe } from './probes.ts';
import { pathOf } from './request-head.ts';

/** Twice the connections that may wait for a request: none of them has had one. Beyond it the one that has waited longest is closed. */
const maxIdle = 200;
/** Most connections whose response is not sent completely. Beyond it the oldest is closed. */
const maxServed = 100;

/**
 * Each connection serves one request. Of those that are pipelined, each would have a response: 1,000 connections with 1,000
 * of them took the whole heap.
 */
export async function startMetricsServer(
  { host }: Config['listen'],
  port: number,
  metrics: Metrics,
  readiness: Readiness,
) {
  const idle = createIdleConnections(maxIdle);
  /** In the order of their requests. */
  const served = new Set<Socket>();
  function serve(socket: Socket): void {
    const [oldest] = served;
    served.add(socket);
    socket.once('close', () => served.delete(socket));
    if (served.size <= maxServed || !oldest) return;
    served.delete(oldest);
    oldest.destroy();
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (served.has(socket)) {
      closeUnparsed(socket);
      return;
    }
    serve(socket);
    idle.begin(socket);
    response.shouldKeepAlive = false;
    const path = pathOf(request);
    if (refuseWithoutOneHost(request, response) || sendProbe(path, response, readiness)) return;
    if (path === '/metrics') sendMetrics(request, response, metrics).catch(() => response.destroy());
    else sendJson(response, 404, { error: 'Not found: this port serves /metrics, /health and /ready.' });
  }

  // As in server.ts: Node responds to no request itself.
  const server = createServer({ requireHostHeader: false });
  server.on('request', onRequest).on('checkExpectation', onRequest);
  server.on('connection', (socket) => idle.open(socket));
  const listening = await listen(server, { host, port });
  return {
    port: listening.port,
    close() {
      void listening.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}
