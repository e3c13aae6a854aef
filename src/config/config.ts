/**
 * Reads the environment into a `Config`. variables.ts is the table of names, defaults, bounds and meanings; parsing,
 * `--help`, docs/configuration.md and .env.example are derived from it.
 */

import { type MemoryBudgets, memoryBudgets } from './memory-budgets.ts';
import { type ConfigurationProblem, readEach } from './read-each.ts';
import { withFiles } from './secret-files.ts';
import type { fapiaoNameEncodings, logLevels, malaysiaStates, otlpProtocols } from './value-parsers.ts';
import type { Values } from './variables.ts';

export { configTable } from './variables.ts';

export interface Config {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  readonly upstream: UpstreamConfig;
  readonly limits: LimitsConfig;
  /** Bytes that each part of the process may hold. */
  readonly memory: MemoryBudgets;
  /** Origins as browsers write them, or `*` alone. Empty: only the gateway's own origin. */
  readonly corsOrigins: readonly string[];
  readonly malaysia: MalaysiaConfig;
  /** Redis for watches, idempotency keys and rate limits. Undefined: each gateway keeps its own. */
  readonly redisUrl: string | undefined;
  /** Number of replicas of Redis that must have a reservation before a write with an idempotency key is sent. */
  readonly redisReplicas: number;
  /** HMAC key of the lanes (32 bytes or more), and the one before. Undefined: the process generates a random key. */
  readonly laneSecret: Values['LANE_SECRET'];
  /** Paths of the files of both, which are read again when they change. */
  readonly secretFiles: { readonly laneSecret: string | undefined; readonly redisUrl: string | undefined };
  readonly idempotencyTtlMs: number;
  readonly persistedOperations: PersistedOperationsConfig;
  /** Port of `/metrics`. Undefined: the main port, but not in production. */
  readonly metricsPort: number | undefined;
  /** The collector of traces and metrics. Undefined: neither is sent. */
  readonly tracing: TracingConfig | undefined;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** Whether results list the calls that were made for them. Never in production. */
  readonly exposesCalls: boolean;
  /** How long requests are still served after SIGTERM, before the drain. */
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly assumptions: AssumptionsConfig;
}

export interface UpstreamConfig {
  readonly target: UpstreamTarget;
  readonly readDeadlineMs: number;
  readonly writeDeadlineMs: number;
  readonly scanDeadlineMs: number;
  /** After decompression. */
  readonly maxResponseBytes: number;
  readonly connections: number;
  readonly concurrencyPerCaller: number;
}

/** The REST service that the gateway calls. */
export type UpstreamTarget =
  /** The path of `baseUrl` ends with `/`; it has no user info, query or fragment. */
  | { readonly kind: 'remote'; readonly baseUrl: URL; readonly proxy: ProxyConfig | undefined }
  /** The sandbox, in this process. `reason`: which setting selected it, for the start message. */
  | { readonly kind: 'sandbox'; readonly reason: string; readonly speed: number };

export interface ProxyConfig {
  readonly http: URL | undefined;
  readonly https: URL | undefined;
  /** Comma-separated host names, or `*`. */
  readonly except: string;
}

export interface PersistedOperationsConfig {
  /** Paths of the manifests. */
  readonly files: readonly string[];
  /** What happens to an operation that is sent as text. */
  readonly textPolicy: Values['PERSISTED_OPERATIONS_ONLY'];
  /** Interval at which the files are checked for changes (ms). */
  readonly reloadMs: number;
}

export interface TracingConfig {
  /** Base address of the collector. */
  readonly endpoint: URL;
  readonly protocol: (typeof otlpProtocols)[number];
  readonly sampler: Values['OTEL_TRACES_SAMPLER'];
  /** For the ratio samplers: 0 to 1. */
  readonly samplerRatio: number;
  /** Whether the caller's sampling decision is followed. */
  readonly trustsParent: boolean;
}

export interface LimitsConfig {
  readonly maxUploadBytes: number;
  readonly maxXmlBytes: number;
  readonly maxRequestBytes: number;
  readonly maxSockets: number;
  readonly maxSubscriptionsPerSocket: number;
  /** Over all transports. */
  readonly maxWatchesPerCaller: number;
  readonly maxOperationCost: number;
  /** 0: no limit. */
  readonly rateLimitPerMinute: number;
}

/** How the statuses of imported e-invoices are watched. */
export interface MalaysiaConfig {
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
  readonly pollBudgetPerSecond: number;
  /** Longest life of one subscription. */
  readonly watchMaxMs: number;
}

/** Assumptions about the service where its interface is silent (docs/service.md, "Assumptions"). */
export interface AssumptionsConfig {
  /** `{value}` is replaced by the flag. */
  readonly handwrittenFormat: string;
  readonly fapiaoNameEncoding: (typeof fapiaoNameEncodings)[number];
  readonly malaysiaStatus: MalaysiaStatusConfig;
}

export type MalaysiaState = (typeof malaysiaStates)[number];

/** How a response of the Malaysian status endpoint is read. */
export interface MalaysiaStatusConfig {
  /** Names of the members that lead to the state. Undefined: it is found by its usual names. */
  readonly statePath: readonly string[] | undefined;
  /** The same for the reason of the state. */
  readonly reasonPath: readonly string[] | undefined;
  /** Words before those that are known. */
  readonly words: readonly (readonly [word: string, state: MalaysiaState])[];
}

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable} ${message}`);
    super(['The configuration cannot be used:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/** Values that no variable changes. */
const constants = {
  /** After decompression. */
  maxResponseBytes: 32 * 1024 * 1024,
  maxSubscriptionsPerSocket: 200,
  maxWatchesPerCaller: 10_000,
  /** One hour. */
  watchMaxMs: 3_600_000,
  manifestReloadMs: 5_000,
};

/**
 * Parses the environment; an empty string counts as unset. Throws one `ConfigurationError` with every problem.
 * Messages never quote a value: it may be a secret in the wrong variable. `heapBytes`: the heap size that the memory
 * budgets are derived from; default V8's limit.
 */
export function readConfig(given: Readonly<Record<string, string | undefined>>, heapBytes?: number): Config {
  const { env, problems: fileProblems } = withFiles(given);
  const { values, problems } = readEach(env);
  problems.push(...fileProblems);
  const production = values.NODE_ENV === 'production';
  if (production && !env.UPSTREAM_URL) {
    const message = 'must be set in production, to the address of the service or to sandbox';
    problems.push({ variable: 'UPSTREAM_URL', message });
  }
  if (env.REDIS_URL && !env.LANE_SECRET) {
    problems.push({
      variable: 'LANE_SECRET',
      message: 'must be set with REDIS_URL, to the same value on all gateways',
    });
  }
  if (values.REDIS_REPLICAS > 0 && !env.REDIS_URL) {
    problems.push({ variable: 'REDIS_REPLICAS', message: 'must be 0 without REDIS_URL' });
  }
  if (values.PERSISTED_OPERATIONS_ONLY !== 'run' && !env['PERSISTED_OPERATIONS']) {
    problems.push({
      variable: 'PERSISTED_OPERATIONS',
      message: 'must be set with PERSISTED_OPERATIONS_ONLY',
    });
  }
  if (values.MALAYSIA_POLL_MAX_MS < values.MALAYSIA_POLL_MIN_MS) {
    problems.push({ variable: 'MALAYSIA_POLL_MAX_MS', message: 'must not be below MALAYSIA_POLL_MIN_MS' });
  }
  if (production && values.EXPOSE_CALLS) {
    problems.push({ variable: 'EXPOSE_CALLS', message: 'must not be true in production' });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
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
      maxSockets: values.MAX_SOCKETS,
      maxSubscriptionsPerSocket: constants.maxSubscriptionsPerSocket,
      maxWatchesPerCaller: constants.maxWatchesPerCaller,
      maxOperationCost: values.MAX_OPERATION_COST,
      rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    },
    memory: memoryBudgets(heapBytes),
    corsOrigins: values.CORS_ORIGINS ?? [],
    malaysia: {
      pollMinMs: values.MALAYSIA_POLL_MIN_MS,
      pollMaxMs: values.MALAYSIA_POLL_MAX_MS,
      pollBudgetPerSecond: values.MALAYSIA_POLL_BUDGET_PER_SECOND,
      watchMaxMs: constants.watchMaxMs,
    },
    redisUrl: values.REDIS_URL,
    redisReplicas: values.REDIS_REPLICAS,
    laneSecret: values.LANE_SECRET,
    secretFiles: { laneSecret: values.LANE_SECRET_FILE, redisUrl: values.REDIS_URL_FILE },
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
  };
}

function upstreamTarget(values: Values): UpstreamTarget {
  const { UPSTREAM_URL, SANDBOX_SPEED: speed } = values;
  if (UPSTREAM_URL instanceof URL) {
    return { kind: 'remote', baseUrl: UPSTREAM_URL, proxy: proxyConfig(values) };
  }
  const reason = UPSTREAM_URL === undefined ? 'UPSTREAM_URL is not set' : 'UPSTREAM_URL is sandbox';
  return { kind: 'sandbox', reason, speed };
}

function proxyConfig({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: Values): ProxyConfig | undefined {
  if (HTTP_PROXY === undefined && HTTPS_PROXY === undefined) return undefined;
  return { http: HTTP_PROXY, https: HTTPS_PROXY, except: NO_PROXY ?? '' };
}

function tracingConfig(values: Values): TracingConfig | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  return (
    endpoint && {
      endpoint,
      protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
      sampler: values.OTEL_TRACES_SAMPLER,
      samplerRatio: values.OTEL_TRACES_SAMPLER_ARG,
      trustsParent: values.TRACE_PARENT_TRUSTED,
    }
  );
}
