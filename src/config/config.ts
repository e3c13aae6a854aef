/**
 * The environment → `Config`. One table says each variable's name, default, bound and meaning; reading,
 * `--help` and the README's table all come from it.
 */

import { type MemoryBudgets, memoryBudgets } from './memory-budgets.ts';
import { unknownVariables } from './unknown-variables.ts';
import {
  type fapiaoNameEncodings,
  type logLevels,
  type otlpProtocols,
  type Values,
  type VariableName,
  variables,
} from './variables.ts';

export { configTable, describeConfig } from './variables.ts';

export interface Config {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  readonly service: ServiceConfig;
  readonly upstream: UpstreamConfig;
  readonly limits: LimitsConfig;
  /** Bytes that each part of the process may hold. */
  readonly memory: MemoryBudgets;
  /** Origins as browsers write them, or `*` alone. Empty: no other origin. */
  readonly corsOrigins: readonly string[];
  readonly malaysia: MalaysiaConfig;
  /** Where several gateways share watches, idempotency keys and rate limits. Undefined: nothing is shared. */
  readonly redisUrl: string | undefined;
  /** Key of the lanes (32 bytes or more). Undefined: one made at random by the process. */
  readonly laneSecret: string | undefined;
  readonly idempotencyTtlMs: number;
  readonly persistedOperations: PersistedOperationsConfig;
  /** A port of its own for `/metrics`. Undefined: the main port, but not in production. */
  readonly metricsPort: number | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  readonly shutdownGraceMs: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly assumptions: AssumptionsConfig;
}

export type ServiceConfig =
  /** The path of `baseUrl` ends with `/`; no user info, query or fragment. */
  | { readonly kind: 'remote'; readonly baseUrl: URL; readonly proxy: ProxyConfig | undefined }
  | { readonly kind: 'sandbox'; readonly reason: string; readonly port: number; readonly speed: number };

export interface ProxyConfig {
  readonly http: URL | undefined;
  readonly https: URL | undefined;
  /** Host names divided by commas, or `*`. */
  readonly except: string;
}

export interface PersistedOperationsConfig {
  /** Path of the manifest. */
  readonly file: string | undefined;
  /** All other operations are refused. */
  readonly only: boolean;
}

export interface TracingConfig {
  /** Base address of the collector. */
  readonly endpoint: URL;
  readonly protocol: (typeof otlpProtocols)[number];
  readonly serviceName: string;
  readonly sampler: Values['OTEL_TRACES_SAMPLER'];
  /** For the samplers by ratio: 0 to 1. */
  readonly samplerRatio: number;
  /** Spans hold the operation's text, its literals left out. */
  readonly documents: boolean;
}

export interface UpstreamConfig {
  readonly readDeadlineMs: number;
  readonly writeDeadlineMs: number;
  readonly scanDeadlineMs: number;
  readonly maxResponseBytes: number;
  readonly connections: number;
  readonly concurrencyPerCaller: number;
}

export interface LimitsConfig {
  readonly maxUploadBytes: number;
  readonly maxXmlBytes: number;
  readonly maxRequestBytes: number;
  readonly maxSockets: number;
  readonly maxSubscriptionsPerSocket: number;
  readonly maxWatchesPerCaller: number;
  readonly maxOperationCost: number;
  /** 0: no limit. */
  readonly rateLimitPerMinute: number;
}

/** How the states of imported documents are watched. */
export interface MalaysiaConfig {
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
  readonly pollBudgetPerSecond: number;
  readonly watchMaxMs: number;
}

/** What is not stated of the service (docs/service.md, "Assumptions"). */
export interface AssumptionsConfig {
  /** `{value}` stands for the flag. */
  readonly handwrittenFormat: string;
  readonly fapiaoNameEncoding: (typeof fapiaoNameEncodings)[number];
}

export interface ConfigurationProblem {
  readonly variable: VariableName;
  /** Continues the variable's name, e.g. `must be true or false`. Never holds the variable's value. */
  readonly message: string;
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

/**
 * Reads the environment; an empty string counts as unset. Throws one `ConfigurationError` with every problem;
 * no value is ever quoted, since any of them may be a secret put in the wrong place. `heapBytes`: what the memory
 * budgets are derived from; default V8's limit.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, heapBytes?: number): Config {
  const { values, problems } = readEach(env);
  const production = values.NODE_ENV === 'production';
  if (production && !env.UPSTREAM_URL) {
    const message = 'must be set in production: to the address of the service, or to sandbox';
    problems.push({ variable: 'UPSTREAM_URL', message });
  }
  if (env.REDIS_URL && !env.LANE_SECRET) {
    problems.push({
      variable: 'LANE_SECRET',
      message: 'must be set beside REDIS_URL, the same on all gateways',
    });
  }
  if (values.PERSISTED_OPERATIONS_ONLY && !env['PERSISTED_OPERATIONS']) {
    problems.push({
      variable: 'PERSISTED_OPERATIONS',
      message: 'must be set beside PERSISTED_OPERATIONS_ONLY',
    });
  }
  if (values.MALAYSIA_POLL_MAX_MS < values.MALAYSIA_POLL_MIN_MS) {
    problems.push({ variable: 'MALAYSIA_POLL_MAX_MS', message: 'must not be below MALAYSIA_POLL_MIN_MS' });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);

  return {
    production,
    listen: { host: values.HOST, port: values.PORT },
    service: serviceConfig(values),
    upstream: {
      readDeadlineMs: values.UPSTREAM_READ_DEADLINE_MS,
      writeDeadlineMs: values.UPSTREAM_WRITE_DEADLINE_MS,
      scanDeadlineMs: values.UPSTREAM_SCAN_DEADLINE_MS,
      maxResponseBytes: values.UPSTREAM_MAX_RESPONSE_BYTES,
      connections: values.UPSTREAM_CONNECTIONS,
      concurrencyPerCaller: values.UPSTREAM_CONCURRENCY_PER_CALLER,
    },
    limits: {
      maxUploadBytes: values.MAX_UPLOAD_BYTES,
      maxXmlBytes: values.MAX_XML_BYTES,
      maxRequestBytes: values.MAX_REQUEST_BYTES,
      maxSockets: values.MAX_SOCKETS,
      maxSubscriptionsPerSocket: values.MAX_SUBSCRIPTIONS_PER_SOCKET,
      maxWatchesPerCaller: values.MAX_WATCHES_PER_CALLER,
      maxOperationCost: values.MAX_OPERATION_COST,
      rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    },
    memory: memoryBudgets(heapBytes),
    corsOrigins: values.CORS_ORIGINS ?? [],
    malaysia: {
      pollMinMs: values.MALAYSIA_POLL_MIN_MS,
      pollMaxMs: values.MALAYSIA_POLL_MAX_MS,
      pollBudgetPerSecond: values.MALAYSIA_POLL_BUDGET_PER_SECOND,
      watchMaxMs: values.MALAYSIA_WATCH_MAX_MS,
    },
    redisUrl: values.REDIS_URL,
    laneSecret: values.LANE_SECRET,
    idempotencyTtlMs: values.IDEMPOTENCY_TTL_MS,
    persistedOperations: { file: values.PERSISTED_OPERATIONS, only: values.PERSISTED_OPERATIONS_ONLY },
    metricsPort: values.METRICS_PORT,
    tracing: tracingConfig(values),
    graphiql: values.GRAPHIQL ?? !production,
    introspection: values.INTROSPECTION ?? !production,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    logLevel: values.LOG_LEVEL,
    assumptions: {
      handwrittenFormat: values.HANDWRITTEN_FORMAT,
      fapiaoNameEncoding: values.FAPIAO_NAME_ENCODING,
    },
  };
}

/** Each variable for itself. A refused one is missing from `values`, which only matters until problems are thrown. */
function readEach(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, unknown> = {};
  const problems: ConfigurationProblem[] = [];
  for (const variable of Object.keys(variables) as VariableName[]) {
    const { schema, whenUnset } = variables[variable];
    const text = env[variable] || (proxyVariables.includes(variable) && env[variable.toLowerCase()]);
    const read = text ? schema.safeParse(text) : { success: true, data: whenUnset };
    if (read.success) values[variable] = read.data;
    else problems.push({ variable, message: `must be ${schema.description}` });
  }
  return { values: values as Values, problems };
}

/** Many systems set these in lower case. */
const proxyVariables: readonly VariableName[] = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

function serviceConfig(values: Values): ServiceConfig {
  const { UPSTREAM_URL, SANDBOX_PORT, SANDBOX_SPEED } = values;
  if (UPSTREAM_URL instanceof URL) {
    return { kind: 'remote', baseUrl: UPSTREAM_URL, proxy: proxyConfig(values) };
  }
  const reason = UPSTREAM_URL === undefined ? 'UPSTREAM_URL is not set' : 'UPSTREAM_URL is sandbox';
  return { kind: 'sandbox', reason, port: SANDBOX_PORT, speed: SANDBOX_SPEED };
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
      serviceName: values.OTEL_SERVICE_NAME,
      sampler: values.OTEL_TRACES_SAMPLER,
      samplerRatio: values.OTEL_TRACES_SAMPLER_ARG,
      documents: values.TRACE_DOCUMENTS,
    }
  );
}

/** What can be used but is hardly meant, a sentence each, for the log at start. `env`: what `config` was read from. */
export function configWarnings(
  config: Config,
  env: Readonly<Record<string, string | undefined>> = {},
): readonly string[] {
  const { service } = config;
  const warnings = unknownVariables(Object.keys(variables), env).map(
    ({ name, nearest }) => `${name} is not a variable of this program; the nearest is ${nearest}.`,
  );
  if (config.shutdownGraceMs <= config.upstream.writeDeadlineMs) {
    warnings.push('SHUTDOWN_GRACE_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS: writes may be cut off.');
  }
  const { writeDeadlineMs, scanDeadlineMs } = config.upstream;
  if (config.idempotencyTtlMs <= Math.max(writeDeadlineMs, scanDeadlineMs)) {
    warnings.push(
      'IDEMPOTENCY_TTL_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS and UPSTREAM_SCAN_DEADLINE_MS: ' +
        'the outcome of a write may be forgotten before its caller asks for it again.',
    );
  }
  if (config.production && service.kind === 'sandbox') {
    warnings.push('The sandbox answers in production: every answer is made up.');
  }
  if (service.kind === 'remote' && service.baseUrl.protocol === 'http:' && !isLoopback(service.baseUrl)) {
    warnings.push('UPSTREAM_URL is not https: credentials travel to the service unencrypted.');
  }
  return warnings;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
