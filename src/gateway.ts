/** Starts a gateway with a server of its own, or for the server of a host, and closes its parts in reverse. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayOptions, type GatewayParts, startParts } from './gateway-parts.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { Resources } from './tools/resources.ts';

export interface Gateway {
  /** Address of the GraphQL endpoint. */
  readonly url: string;
  /** The service's address, or the sandbox's without a service. */
  readonly serviceUrl: string;
  /** Address of `/metrics`, when METRICS_PORT is set. */
  readonly metricsUrl: string | undefined;
  /**
   * Finishes what is in progress within the grace time, then closes every part. Rejects with the failures of all parts
   * that could not be closed.
   */
  close(): Promise<void>;
}

export type EmbeddedGateway = Awaited<ReturnType<typeof startEmbeddedGateway>>;

/**
 * Resolves once the gateway accepts requests. Parts are started in order and closed in reverse, also when a later part
 * fails to start.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config } = options;
  return await start(options, async ({ http, serviceUrl, metricsPort }) => {
    const server = createHttpServer(http);
    const addressOf = (port: number, path: string) => `http://${urlHost(config.listen.host)}:${port}${path}`;
    const url = addressOf(await server.listen(), '/graphql');
    const metricsUrl = metricsPort === undefined ? undefined : addressOf(metricsPort, '/metrics');
    return { server, gateway: { url, serviceUrl, metricsUrl } };
  });
}

/** As `startGateway`, for the requests of a host. `fetch` responds to a GraphQL request, whatever its path. */
export async function startEmbeddedGateway(options: GatewayOptions) {
  return await start(options, async ({ http, serviceUrl }) => {
    const { createFetchServer } = await import('./http/fetch/server.ts');
    const server = createFetchServer(http);
    return { server, gateway: { serviceUrl, fetch: server.fetch } };
  });
}

async function start<T>(
  options: GatewayOptions,
  serve: (parts: GatewayParts) => Promise<{ server: Pick<HttpServer, 'load' | 'drain'>; gateway: T }>,
): Promise<T & Pick<Gateway, 'close'>> {
  const { config, log } = options;
  const resources = new Resources();
  try {
    const started = await startParts(options, resources);
    const { server, gateway } = await serve(started);
    const { readiness } = started.http;
    readiness.phase = 'ready';
    const graceOver = Promise.withResolvers<void>();
    resources.defer(() => server.drain({ graceMs: config.shutdownGraceMs, graceOver: graceOver.promise }));
    const close = async () => {
      const startedAt = performance.now();
      log.info({ ...server.load(), delayMs: config.shutdownDelayMs }, 'draining');
      readiness.phase = 'draining';
      await sleep(config.shutdownDelayMs);
      setTimeout(() => {
        started.stopCalls();
        graceOver.resolve();
      }, config.shutdownGraceMs).unref();
      const failures = await resources.close();
      const refused = await started.http.metrics.operationsWith('SHUTTING_DOWN');
      log.info({ refused, durationMs: Math.round(performance.now() - startedAt) }, 'stopped');
      if (failures.length > 0) throw new AggregateError(failures, 'The gateway did not close completely.');
    };
    return { ...gateway, close };
  } catch (error) {
    // The caller gets the reason why the start failed; further failures are logged.
    for (const err of await resources.close()) log.error({ err }, 'a part of the gateway was not closed');
    throw error;
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
