/** The parts of a gateway behind its server: builds each from the configuration, once and in order. `gateway.ts` closes them in reverse. */
import packageJson from '../package.json' with { type: 'json' };
import { createLaneMaker } from './caller.ts';
import type { Config } from './config/config.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { Readiness } from './http/probes.ts';
import { operationLimits } from './operation/limits.ts';
import { followManifests } from './operation/persisted/persisted-operations.ts';
import { createPipeline } from './operation/pipeline.ts';
import { schema } from './schema.ts';
import { createSharedState } from './shared-state.ts';
import { createSharesByBound } from './shares/bound-sizes.ts';
import { LaneBudget } from './shares/lane-budget.ts';
import { createShares } from './shares/shares.ts';
import { createDriftReporter } from './telemetry/drift.ts';
import type { Log } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { noTracing } from './telemetry/tracing.ts';
import type { Resources } from './tools/resources.ts';
import { createUpstreamClient } from './upstream/client.ts';
import { type ConnectInProcess, createDispatcher } from './upstream/dispatcher.ts';
import { systemClock } from './watch/clock.ts';
import { createPollBudget } from './watch/poll-budget.ts';
import { createWatches } from './watch/watch-registry.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly log: Log;
  /** Number of lines that the log's output did not take. Default: none. */
  readonly droppedLogLines?: () => number;
  /** Connects to a service in the same process. Default: over the network. */
  readonly connect?: ConnectInProcess;
}

export type GatewayParts = Awaited<ReturnType<typeof startParts>>;

/** Longest time to store the outcomes of the writes that `stopCalls` has ended (ms): as long as the last responses have. */
const lastOutcomesMs = 1_000;

/** Adds each part that must be closed to `resources`, as soon as it has started. */
export async function startParts(
  { config, log, droppedLogLines, connect }: GatewayOptions,
  resources: Resources,
) {
  const metrics = createMetrics(packageJson.version, droppedLogLines);
  // Read first: nothing has started yet when a manifest is invalid.
  const persistedOperations = await followManifests(config, schema, metrics, log);
  resources.defer(() => persistedOperations.close());
  let tracing = noTracing;
  if (config.tracing) {
    const { startExports } = await import('./telemetry/open-telemetry.ts');
    tracing = startExports(config.tracing, packageJson.version, metrics, log, resources);
  }
  const readiness = new Readiness();
  const { listen, metricsPort } = config;
  // Of `/metrics` and the probes, if METRICS_PORT sets a separate port.
  const metricsServer =
    metricsPort === undefined ? undefined : await startMetricsServer(listen, metricsPort, metrics, readiness);
  if (metricsServer) resources.defer(() => metricsServer.close());

  const shares = createShares(createSharesByBound(config), metrics, log);
  const { ledger, joins, outcomesStored, rateLimit, watchBus, fleetBudget, redisProblems } =
    await createSharedState(config, metrics, log, shares, resources);
  const laneOf = createLaneMaker(config.laneSecret?.current);

  const baseUrl = await startOrFindService(config, resources);
  const dispatcher = createDispatcher(config, baseUrl, connect);
  resources.defer(() => dispatcher.destroy());
  const upstream = createUpstreamClient({
    ...config.upstream,
    joins,
    shares,
    dispatcher,
    baseUrl,
    userAgent: `folio/${packageJson.version}`,
    metrics,
    onDrift: createDriftReporter(log, metrics),
  });
  // A write runs to completion after its caller disconnects, and its outcome is stored, until the grace time is over.
  const lastOutcomes = new AbortController();
  resources.defer(() => upstream.settled());
  resources.defer(() => outcomesStored(lastOutcomes.signal));

  const { assumptions } = config;
  const { pollBudgetPerSecond } = config.watch;
  const watches = createWatches({
    ...config.watch,
    budget: createPollBudget(pollBudgetPerSecond, shares.acceptedLanes, systemClock, fleetBudget),
    bound: new LaneBudget(shares.of.watches, shares),
    shares,
    bus: watchBus,
    metrics,
    tracing,
    upstream,
    assumptions,
  });
  metrics.gauge('folio_watches', () => watches.size);
  resources.defer(() => watches.close());

  const limits = { ...config.limits, maxOperationDepth: operationLimits.maxDepth };
  const resolvers = { limits, assumptions, ledger, watches };
  const pipeline = createPipeline({
    schema,
    config,
    persistedOperations,
    rateLimit,
    shares,
    upstream,
    resolvers,
    metrics,
    tracing,
    log,
  });

  readiness.degraded = () => [
    ...upstream.openBreakers().map((endpoint) => `breaker open: ${endpoint}`),
    ...redisProblems(),
  ];
  return {
    http: { config, pipeline, laneOf, shares, responses: upstream.responses, log, metrics, readiness },
    /** The service's address, or the sandbox's without a service. */
    serviceUrl: baseUrl.href,
    metricsPort: metricsServer?.port,
    /** Ends all calls to the service with an error, at the end of the grace time. */
    stopCalls() {
      upstream.stop();
      setTimeout(() => lastOutcomes.abort(), lastOutcomesMs).unref();
    },
  };
}

/** The base URL of the document service. Without one the sandbox is started, and is loaded only then. */
async function startOrFindService(
  { upstream: { target }, production }: Config,
  resources: Resources,
): Promise<URL> {
  if (target.kind === 'remote') return target.baseUrl;
  const { startSandbox } = await import('./sandbox/server.ts');
  const sandbox = await startSandbox({ speed: target.speed, controls: !production });
  resources.defer(() => sandbox.close());
  return new URL(sandbox.url);
}
