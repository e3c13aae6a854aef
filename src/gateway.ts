/** The composition root: a configuration becomes a running gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import packageJson from '../package.json' with { type: 'json' };
import { createLaneMaker } from './caller.ts';
import type { Config } from './config/config.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { createHttpServer } from './http/server.ts';
import { noPersistedOperations, readPersistedOperations } from './operation/persisted-operations.ts';
import { createPipeline } from './operation/pipeline.ts';
import type { Sandbox } from './sandbox/server.ts';
import { schema } from './schema.ts';
import { createAcceptedLanes } from './state/accepted-lanes.ts';
import { createIdempotencyLedger } from './state/ledger/memory-ledger.ts';
import { createRedisLedger } from './state/ledger/redis-ledger.ts';
import { createRateLimit } from './state/rate-limit.ts';
import type { SharedRedis } from './state/redis.ts';
import { createRedisStatusBus } from './state/redis-status-bus.ts';
import { createSealedBox, type SealedBox } from './state/sealed-box.ts';
import { createLocalStatusBus } from './state/status-bus.ts';
import { createDriftReport } from './telemetry/drift.ts';
import type { Log } from './telemetry/log.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { noTracing, type Tracing } from './telemetry/tracing.ts';
import { createUpstreamClient } from './upstream/client.ts';

export interface Gateway {
  /** Where GraphQL is served. */
  readonly url: string;
  /** The service's address: the sandbox's, when it answers. */
  readonly serviceUrl: string;
  /** Where `/metrics` is, when it has a port of its own. */
  readonly metricsUrl: string | undefined;
  /** Finishes what is under way, within the grace time, and stops. */
  close(): Promise<void>;
}

/** Longest time in which the last spans are sent when the gateway stops (ms). */
const longestFlushMs = 2_000;

/** Resolves once the gateway accepts requests. `droppedLogLines`: how many the log's output did not take. */
export async function startGateway(
  config: Config,
  log: Log,
  droppedLogLines: () => number = () => 0,
): Promise<Gateway> {
  const { service } = config;
  const { file, only } = config.persistedOperations;
  const persistedOperations = file ? readPersistedOperations(file, only, schema) : noPersistedOperations;
  const metrics = createMetrics(packageJson.version);
  metrics.logLinesDropped(droppedLogLines);
  const tracing = await createTracing(config);
  const shared = await connectShared(config, log);
  const sandbox = await startSandbox(config);
  const baseUrl = service.kind === 'remote' ? service.baseUrl : new URL((sandbox as { url: string }).url);
  const dispatcher = createDispatcher(config, baseUrl);
  const acceptedLanes = createAcceptedLanes();
  const upstream = createUpstreamClient({
    ...config.upstream,
    maxBytesOfWrites: config.memory.writesInProgress,
    acceptedLanes,
    dispatcher,
    baseUrl,
    userAgent: `folio/${packageJson.version}`,
    metrics,
    onDrift: createDriftReport(log, metrics),
  });
  const closing = new AbortController();
  const laneOf = createLaneMaker(config.laneSecret);
  const services = {
    config,
    upstream,
    laneOf,
    acceptedLanes,
    ...(await createState(config, metrics, shared)),
    persistedOperations,
    metrics,
    tracing,
    closing: closing.signal,
  };
  const pipeline = createPipeline({ schema, services, log });
  const server = createHttpServer({
    config,
    pipeline,
    laneOf,
    acceptedLanes,
    log,
    metrics,
    degraded: () => [
      ...upstream.openBreakers().map((operation) => `breaker open: ${operation}`),
      ...(shared?.redis.isLost() ? ['redis lost'] : []),
      ...(shared?.redis.isEvicting() ? ['redis evicts'] : []),
    ],
  });
  const metricsServer =
    config.metricsPort !== undefined
      ? await startMetricsServer(config.listen, config.metricsPort, metrics)
      : undefined;
  const port = await server.listen();
  server.becomeReady();

  return {
    url: `http://${urlHost(config.listen.host)}:${port}/graphql`,
    serviceUrl: baseUrl.href,
    metricsUrl: metricsServer && `http://${urlHost(config.listen.host)}:${metricsServer.port}/metrics`,
    async close() {
      const over = sleep(config.shutdownGraceMs, undefined, { ref: false });
      await server.drain(config.shutdownGraceMs);
      closing.abort();
      // Writes whose callers have left run to their end all the same.
      await Promise.race([upstream.settled(), over]);
      await dispatcher.destroy();
      shared?.redis.close();
      metricsServer?.close();
      // A collector that does not answer must not hold the process.
      await Promise.race([tracing.close().catch(() => {}), sleep(longestFlushMs, undefined, { ref: false })]);
      await sandbox?.close();
    },
  };
}

interface Shared {
  readonly redis: SharedRedis;
  readonly box: SealedBox;
}

/** What the gateways of a fleet share; undefined for one alone. Loaded only where it is asked for. */
async function connectShared({ redisUrl, laneSecret }: Config, log: Log): Promise<Shared | undefined> {
  if (redisUrl === undefined || laneSecret === undefined) return undefined;
  const { connectRedis } = await import('./state/redis.ts');
  return { redis: await connectRedis(redisUrl, laneSecret, log), box: createSealedBox(laneSecret) };
}

/** The service's stand-in, where it is asked for; not even loaded elsewhere. */
async function startSandbox({ service, production }: Config): Promise<Sandbox | undefined> {
  if (service.kind !== 'sandbox') return undefined;
  const sandbox = await import('./sandbox/server.ts');
  return await sandbox.startSandbox({ port: service.port, speed: service.speed, controls: !production });
}

/** Traces are sent where a collector is named; nothing is loaded for them elsewhere. */
async function createTracing({ tracing }: Config): Promise<Tracing> {
  if (!tracing) return noTracing;
  const { createOpenTelemetry } = await import('./telemetry/open-telemetry.ts');
  return await createOpenTelemetry(tracing, packageJson.version);
}

function createDispatcher({ service, upstream: { connections } }: Config, { origin }: URL): Dispatcher {
  const options = { connections, pipelining: 1, allowH2: false, connect: { timeout: 5_000 } };
  const proxy = service.kind === 'remote' ? service.proxy : undefined;
  if (!proxy) return new Pool(origin, options);
  return new EnvHttpProxyAgent({
    ...options,
    ...(proxy.http && { httpProxy: proxy.http.href }),
    ...(proxy.https && { httpsProxy: proxy.https.href }),
    noProxy: proxy.except,
  });
}

async function createState(
  { idempotencyTtlMs: ttlMs, limits, memory }: Config,
  metrics: Metrics,
  shared: Shared | undefined,
) {
  metrics.gauge('folio_redis_lost', () => (shared?.redis.isLost() ? 1 : 0));
  return {
    ledger: shared
      ? createRedisLedger(shared.redis, shared.box, { ttlMs, metrics })
      : createIdempotencyLedger({ ttlMs, metrics, maxBytes: memory.idempotencyLedger }),
    rateLimit: await createRateLimit(limits.rateLimitPerMinute, shared?.redis.commands),
    statusBus: shared ? createRedisStatusBus(shared.redis, shared.box) : createLocalStatusBus(),
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
