/**
 * Reads the environment into a `Config`. variables.ts is the table of names, defaults, bounds and meanings; parsing,
 * `--help`, docs/configuration.md and .env.example are derived from it.
 */

import { countBounds, heapSize, memoryBudgets, responsesBytes } from './memory-budgets.ts';
import { isInNetworks } from './no-proxy.ts';
import { withFiles } from './secret-files.ts';
import {
  type ConfigurationProblem,
  type Environment,
  type malaysiaStates,
  readVariables,
  type Values,
  type VariableName,
} from './variables.ts';

/** Settings that no variable changes. */
const constants = {
  /** Most bytes of a response of the service, before and after decompression. */
  maxResponseBytes: 32 * 1024 * 1024,
  maxSubscriptionsPerSocket: 200,
  maxWatchesPerCaller: 10_000,
  /** How often the manifests of persisted operations are read again (ms). */
  manifestReloadMs: 5_000,
};

export type Config = ReturnType<typeof readConfig>;
export type TracingConfig = NonNullable<Config['tracing']>;
/** Assumptions about the service where its interface is silent (docs/service.md, "Assumptions"). */
export type AssumptionsConfig = Config['assumptions'];
export type MalaysiaStatusConfig = AssumptionsConfig['malaysiaStatus'];
export type MalaysiaState = (typeof malaysiaStates)[number];

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable} ${message}`);
    super(['The configuration cannot be used:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/**
 * Parses the environment; an empty string counts as unset. Throws one `ConfigurationError` with every problem.
 * Messages never quote a value: it may be a secret in the wrong variable. `heapBytes`: the heap size that the memory
 * budgets are derived from.
 */
export function readConfig(given: Environment, heapBytes = heapSize()) {
  const { env, files, problems: fileProblems } = withFiles(given);
  const { values, problems: ofValues } = readVariables(env);
  const problems = ofValues.map((problem) => (problem.variable in files ? ofFile(problem) : problem));
  problems.push(...fileProblems, ...contradictions(env, values));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...configOf(values, heapBytes), secretFiles: files };
}

function ofFile({ variable, message }: ConfigurationProblem): ConfigurationProblem {
  return { variable: `${variable}_FILE` as VariableName, message: `names a file whose content ${message}` };
}

function contradictions(env: Environment, values: Values): ConfigurationProblem[] {
  const production = values.NODE_ENV === 'production';
  const { METRICS_PORT, PORT, MALAYSIA_POLL_MIN_MS, MALAYSIA_POLL_MAX_MS } = values;
  // Undefined when its value is refused.
  const needsManifest = (values.PERSISTED_OPERATIONS_ONLY ?? 'run') !== 'run';
  // biome-ignore format: a table
  const rows: readonly [isProblem: unknown, variable: VariableName, message: string][] = [
    [production && !env['UPSTREAM_URL'], 'UPSTREAM_URL', 'must be set in production, to the address of the service or to sandbox'],
    [env['REDIS_URL'] && !env['LANE_SECRET'] && !env['LANE_SECRET_FILE'], 'LANE_SECRET', 'must be set with REDIS_URL, to the same value on all gateways'],
    [values.REDIS_REPLICAS > 0 && !env['REDIS_URL'] && !env['REDIS_URL_FILE'], 'REDIS_REPLICAS', 'must be 0 without REDIS_URL'],
    [needsManifest && !env['PERSISTED_OPERATIONS'], 'PERSISTED_OPERATIONS', 'must be set with PERSISTED_OPERATIONS_ONLY'],
    [MALAYSIA_POLL_MAX_MS < MALAYSIA_POLL_MIN_MS, 'MALAYSIA_POLL_MAX_MS', 'must not be below MALAYSIA_POLL_MIN_MS'],
    [METRICS_PORT && METRICS_PORT === PORT, 'METRICS_PORT', 'must be another port than PORT'],
    [production && values.EXPOSE_CALLS, 'EXPOSE_CALLS', 'must not be true in production'],
  ];
  return rows.flatMap(([isProblem, variable, message]) => (isProblem ? [{ variable, message }] : []));
}

function configOf(values: Values, heapBytes: number) {
  const production = values.NODE_ENV === 'production';
  const graphiql = values.GRAPHIQL ?? !production;
  const target = upstreamTarget(values);
  return {
    production,
    listen: { host: values.HOST, port: values.PORT },
    upstream: {
      target,
      readDeadlineMs: values.UPSTREAM_READ_DEADLINE_MS,
      writeDeadlineMs: values.UPSTREAM_WRITE_DEADLINE_MS,
      scanDeadlineMs: values.UPSTREAM_SCAN_DEADLINE_MS,
      maxResponseBytes: constants.maxResponseBytes,
      connections: values.UPSTREAM_CONNECTIONS,
      concurrencyPerCaller: values.UPSTREAM_CONCURRENCY_PER_CALLER,
    },
    limits: {
      maxUploadBytes: values.MAX_UPLOAD_BYTES,
      maxXmlBytes: values.MAX_XML_BYTES,
      maxRequestBytes: values.MAX_REQUEST_BYTES,
      maxSubscriptionsPerSocket: constants.maxSubscriptionsPerSocket,
      maxWatchesPerCaller: constants.maxWatchesPerCaller,
      maxOperationCost: values.MAX_OPERATION_COST,
      /** 0: no limit. */
      rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    },
    counts: countBounds(heapBytes, values.MAX_SOCKETS),
    /** Bytes that each part of the process may hold. */
    memory: { ...memoryBudgets(heapBytes), responses: responsesBytes(heapBytes) },
    /** Origins as browsers write them, or `*` alone. Empty: only the gateway's own origin. */
    corsOrigins: values.CORS_ORIGINS ?? [],
    /** How all values that change at the service are watched, of which the Malaysian status is the only kind so far. */
    watch: {
      pollMinMs: values.MALAYSIA_POLL_MIN_MS,
      pollMaxMs: values.MALAYSIA_POLL_MAX_MS,
      pollBudgetPerSecond: values.MALAYSIA_POLL_BUDGET_PER_SECOND,
    },
    redisAddress: values.REDIS_URL,
    redisReplicas: values.REDIS_REPLICAS,
    laneSecret: values.LANE_SECRET,
    idempotencyTtlMs: values.IDEMPOTENCY_TTL_MS,
    persistedOperations: {
      files: values.PERSISTED_OPERATIONS ?? [],
      textPolicy: values.PERSISTED_OPERATIONS_ONLY,
      reloadMs: constants.manifestReloadMs,
    },
    metricsPort: values.METRICS_PORT,
    tracing: tracingConfig(values),
    graphiql,
    introspection: values.INTROSPECTION ?? graphiql,
    exposesCalls: !production && (values.EXPOSE_CALLS ?? target.kind === 'sandbox'),
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    logLevel: values.LOG_LEVEL,
    assumptions: {
      handwrittenFormat: values.HANDWRITTEN_FORMAT,
      fapiaoNameEncoding: values.FAPIAO_NAME_ENCODING,
      malaysiaStatus: {
        statePath: values.MALAYSIA_STATUS_STATE,
        reasonPath: values.MALAYSIA_STATUS_REASON,
        words: values.MALAYSIA_STATUS_WORDS ?? [],
      },
    },
  } as const;
}

function upstreamTarget(values: Values) {
  const { UPSTREAM_URL, SANDBOX_SPEED: speed } = values;
  if (UPSTREAM_URL instanceof URL) {
    return { kind: 'remote', baseUrl: UPSTREAM_URL, proxy: proxyConfig(UPSTREAM_URL, values) } as const;
  }
  // For the start message.
  const reason = UPSTREAM_URL === undefined ? 'UPSTREAM_URL is not set' : 'UPSTREAM_URL is sandbox';
  return { kind: 'sandbox', reason, speed } as const;
}

function proxyConfig(service: URL, { HTTP_PROXY, HTTPS_PROXY, NO_PROXY: except = '' }: Values) {
  if (HTTP_PROXY === undefined && HTTPS_PROXY === undefined) return undefined;
  if (isInNetworks(service, except)) return undefined;
  return { http: HTTP_PROXY, https: HTTPS_PROXY, except } as const;
}

/** The collector of traces and metrics. Undefined: neither is sent. */
function tracingConfig(values: Values) {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: values.OTEL_TRACES_SAMPLER,
    samplerRatio: values.OTEL_TRACES_SAMPLER_ARG,
    trustsParent: values.TRACE_PARENT_TRUSTED,
  } as const;
}
