/** The composition root: a configuration becomes a running gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { createLaneMaker } from './caller.ts';
import type { Config } from './config/config.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { createHttpServer } from './http/server.ts';
import { currentStatus } from './malaysia/malaysia.api.ts';
import { createStatusWatches } from './malaysia/status-watch.ts';
import { operationLimits } from './operation/limits.ts';
import { noPersistedOperations, readPersistedOperations } from './operation/persisted-operations.ts';
import { createPipeline } from './operation/pipeline.ts';
import type { Sandbox } from './sandbox/server.ts';
import { schema } from './schema.ts';
import { createAcceptedLanes } from './state/accepted-lanes.ts';
import { createIdempotencyLedger } from './state/ledger/ledger.ts';
import { createMemoryStore } from './state/ledger/memory-store.ts';
import { createRedisStore } from './state/ledger/redis-store.ts';
import { createRateLimit } from './state/rate-limit.ts';
import type { SharedRedis } from './state/redis.ts';
import { createRedisStatusBus } from './state/redis-status-bus.ts';
import { createSealedBox, type SealedBox } from './state/sealed-box.ts';
import { createLocalStatusBus } from './state/status-bus.ts';
import { createDriftReporter } from './telemetry/drift.ts';
import type { Log } from './telemetry/log.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { noTracing, type Tracing } from './telemetry/tracing.ts';
import { createUpstreamClient } from './upstream/client.ts';
import { createDispatcher } from './upstream/dispatcher.ts';

export interface Gateway {
  /** Where GraphQL is served. */
  readonly url: string;
  /** The service's address: the sandbox's, when it answers. */
  readonly serviceUrl: string;
  /** Where `/metrics` is, when it has a port of its own. */
  readonly metricsUrl: string | undefined;
  /**
   * Finishes what is in progress within the grace time, then closes every part. Rejects with the failures of all parts
   * that could not be closed.
   */
  close(): Promise<void>;
}

/** Longest time to send the last spans when the gateway stops (ms). */
const longestFlushMs = 2_000;

/**
 * Resolves once the gateway accepts requests. Parts are built in this order and closed in reverse, also when a later
 * part fails to start. `droppedLogLines`: number of lines that the log's output did not take.
 */
export async function startGateway(
  config: Config,
  log: Log,
  droppedLogLines: () => number = () => 0,
): Promise<Gateway> {
  await using starting = new AsyncDisposableStack();
  let graceOver: Promise<unknown> = Promise.resolve();

  const { file, only } = config.persistedOperations;
  const persistedOperations = file ? readPersistedOperations(file, only, schema) : noPersistedOperations;
  const metrics = createMetrics(packageJson.version);
  metrics.logLinesDropped(droppedLogLines);
  const tracing = await createTracing(config);
  // A collector that does not respond must not hold the process.
  starting.defer(() => Promise.race([tracing.close().catch(() => {}), pause(longestFlushMs)]).then(() => {}));
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await startMetricsServer(config.listen, config.metricsPort, metrics);
  starting.defer(() => metricsServer?.close());

  const sandbox = await startSandbox(config);
  starting.defer(() => sandbox?.close());
  const shared = await connectShared(config, log);
  starting.defer(() => shared?.redis.close());
  const laneOf = createLaneMaker(config.laneSecret);
  const acceptedLanes = createAcceptedLanes();
  const { ledger, rateLimit, statusBus } = await createState(config, metrics, shared);

  const { service } = config;
  const baseUrl = service.kind === 'remote' ? service.baseUrl : new URL((sandbox as { url: string }).url);
  const dispatcher = createDispatcher(config, baseUrl);
  starting.defer(() => dispatcher.destroy());
  const upstream = createUpstreamClient({
    ...config.upstream,
    maxBytesOfWrites: config.memory.writesInProgress,
    acceptedLanes,
    dispatcher,
    baseUrl,
    userAgent: `folio/${packageJson.version}`,
    metrics,
    onDrift: createDriftReporter(log, metrics),
  });
  // A write runs to completion after its caller disconnects.
  starting.defer(() => Promise.race([upstream.settled(), graceOver]).then(() => {}));
  const statusWatches = createStatusWatches({
    ...config.malaysia,
    maxWatchesPerCaller: config.limits.maxWatchesPerCaller,
    acceptedLanes,
    bus: statusBus,
    metrics,
    tracing,
    poll: (caller, documentId) => currentStatus(upstream.forCaller(caller), documentId, { isPoll: true }),
  });
  starting.defer(() => statusWatches.close());

  const limits = { ...config.limits, maxOperationDepth: operationLimits.maxDepth };
  const resolvers = { limits, assumptions: config.assumptions, laneOf, ledger, parts: { statusWatches } };
  const pipeline = createPipeline({
    schema,
    config,
    persistedOperations,
    rateLimit,
    acceptedLanes,
    upstream,
    resolvers,
    metrics,
    tracing,
    log,
  });
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
  const port = await server.listen();
  starting.defer(() => server.drain(config.shutdownGraceMs));
  server.becomeReady();

  const started = starting.move();
  return {
    url: `http://${urlHost(config.listen.host)}:${port}/graphql`,
    serviceUrl: baseUrl.href,
    metricsUrl: metricsServer && `http://${urlHost(config.listen.host)}:${metricsServer.port}/metrics`,
    async close() {
      graceOver = pause(config.shutdownGraceMs);
      await started.disposeAsync();
    },
  };
}

/** Resolves after `ms`, and keeps no process alive. */
function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
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

async function createState(
  { idempotencyTtlMs: ttlMs, limits, memory }: Config,
  metrics: Metrics,
  shared: Shared | undefined,
) {
  metrics.gauge('folio_redis_lost', () => (shared?.redis.isLost() ? 1 : 0));
  const store = shared
    ? createRedisStore(shared.redis, shared.box, { ttlMs })
    : createMemoryStore({ ttlMs, metrics, maxBytes: memory.idempotencyLedger });
  return {
    ledger: createIdempotencyLedger(store, metrics),
    rateLimit: await createRateLimit(limits.rateLimitPerMinute, shared?.redis.commands),
    statusBus: shared ? createRedisStatusBus(shared.redis, shared.box) : createLocalStatusBus(),
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
