/**
 * The environment → `Config`. One table says each variable's name, default, bound and meaning; reading,
 * `--help` and the README's table all come from it.
 */
import { z } from 'zod';

export interface Config {
  readonly production: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  readonly service: ServiceConfig;
  readonly upstream: UpstreamConfig;
  readonly limits: LimitsConfig;
  /** Origins as browsers write them, or `*` alone. Empty: no other origin. */
  readonly corsOrigins: readonly string[];
  readonly malaysia: MalaysiaConfig;
  /** Where several gateways share watches, idempotency keys and rate limits. Undefined: nothing is shared. */
  readonly redisUrl: string | undefined;
  /** Key of the lanes (32 bytes or more). Undefined: one made at random by the process. */
  readonly laneSecret: string | undefined;
  readonly idempotencyTtlMs: number;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  readonly shutdownGraceMs: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly assumptions: AssumptionsConfig;
}

export type ServiceConfig =
  /** The path of `baseUrl` ends with `/`; no user info, query or fragment. */
  | { readonly kind: 'remote'; readonly baseUrl: URL }
  | { readonly kind: 'sandbox'; readonly reason: string; readonly port: number; readonly speed: number };

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

/** What the service's interface document leaves open. */
export interface AssumptionsConfig {
  /** `{value}` stands for the flag. */
  readonly handwrittenFormat: string;
  readonly fapiaoNameEncoding: (typeof fapiaoNameEncodings)[number];
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const fapiaoNameEncodings = ['percent', 'rfc2047', 'utf8'] as const;

const MiB = 1024 * 1024;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// How a text is read. The description says what it must be, and is all that is said about one that is refused.
const text = (pattern: RegExp, must: string) => z.string().regex(pattern).describe(must);
const number = (pattern: RegExp, what: string, min: number, max: number) =>
  text(pattern, what)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`${what} from ${min} to ${max}`);
const whole = (min: number, max: number, unit = '') => number(/^\d+$/, `a whole number${unit}`, min, max);
const clockSpeed = number(/^\d+(\.\d+)?$/, 'a number', 0.01, 10_000);
const port = whole(0, 65_535);
const count = whole(1, 1_000_000);
const ms = (max: number) => whole(1, max, ' of milliseconds');
const bytes = (max: number) => whole(1024, max, ' of bytes');
const oneOf = <T extends string>(words: readonly T[]) => z.enum(words).describe(`one of ${words.join(', ')}`);
const trueOrFalse = z.stringbool().describe('true or false');
const nodeEnv = z.string().describe('production, or anything else for development');
const host = text(/^[\w.:%-]+$/, 'a host name or an address');
const format = text(/^[\x20-\x7e]*\{value\}[\x20-\x7e]*$/, 'printable ASCII that contains {value}');
const secret = z
  .string()
  .refine((key) => Buffer.byteLength(key) >= 32)
  .describe('32 bytes or more');

const redis = text(/^rediss?:\/\/\S+$/, 'a redis or rediss address');

const baseUrl = z
  .url()
  .regex(/^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/i)
  .transform((url) => new URL(url.endsWith('/') ? url : `${url}/`));
const service = z
  .union([z.literal('sandbox'), baseUrl])
  .describe('an http or https address without user info, query or fragment, or the word sandbox');
// As browsers send it: in lower case, without the scheme's own port. `null`: a scheme that URL does not know.
const origin = z
  .url()
  .regex(/^[a-z][a-z\d+.-]*:\/\/[^\s\\/?#@*]+$/i)
  .transform((url) => (new URL(url).origin === 'null' ? url.toLowerCase() : new URL(url).origin));
const origins = z
  .string()
  .transform((list) => list.split(',').map((part) => part.trim()))
  .pipe(z.union([z.tuple([z.literal('*')]), z.array(origin)]))
  .describe('origins (scheme://host[:port], no path) divided by commas, or * alone');

interface Variable<T> {
  readonly schema: z.ZodType;
  readonly whenUnset: T;
  readonly default: string;
  readonly meaning: string;
}

/** A variable with a default that could itself stand in the environment. */
function variable<T>(schema: z.ZodType<T>, preset: string, meaning: string): Variable<T> {
  return { schema, whenUnset: schema.parse(preset), default: preset, meaning };
}

/** A variable that is a choice of its own when it is not set. */
function optional<T>(schema: z.ZodType<T>, then: string, meaning: string): Variable<T | undefined> {
  return { schema, whenUnset: undefined, default: then, meaning };
}

const variables = {
  HOST: variable(host, '127.0.0.1', 'Where the gateway listens; the container sets 0.0.0.0'),
  PORT: variable(port, '4000', 'Where the gateway listens; 0 takes any free port'),
  NODE_ENV: variable(nodeEnv, 'development', 'What it runs for; production is the strict one'),
  UPSTREAM_URL: optional(service, 'the embedded sandbox', 'The service, required in production'),
  UPSTREAM_READ_DEADLINE_MS: variable(ms(10 * minute), '10000', 'A read in all, retries included'),
  UPSTREAM_WRITE_DEADLINE_MS: variable(ms(10 * minute), '30000', 'A write in all, retries included'),
  UPSTREAM_SCAN_DEADLINE_MS: variable(ms(hour), '120000', 'A scan, from the last byte sent'),
  UPSTREAM_MAX_RESPONSE_BYTES: variable(bytes(256 * MiB), '33554432', 'An answer once decompressed'),
  UPSTREAM_CONNECTIONS: variable(count, '128', 'Connections to the service'),
  UPSTREAM_CONCURRENCY_PER_CALLER: variable(count, '10', 'Calls that one caller has under way'),
  MAX_UPLOAD_BYTES: variable(bytes(10_240 * MiB), '104857600', 'One scanned file'),
  MAX_XML_BYTES: variable(bytes(64 * MiB), '1048576', 'One Fapiao document'),
  MAX_REQUEST_BYTES: variable(bytes(256 * MiB), '4194304', 'Any other request body'),
  CORS_ORIGINS: optional(origins, 'none', 'Where browsers may call from; * without credentials'),
  MALAYSIA_POLL_MIN_MS: variable(ms(hour), '2000', 'First and shortest interval between polls of a status'),
  MALAYSIA_POLL_MAX_MS: variable(ms(hour), '30000', 'Longest interval; not below the shortest'),
  MALAYSIA_POLL_BUDGET_PER_SECOND: variable(count, '200', 'Polls per second of the process'),
  MALAYSIA_WATCH_MAX_MS: variable(ms(day), '3600000', 'Longest life of one subscription'),
  MAX_SUBSCRIPTIONS_PER_SOCKET: variable(count, '200', 'Subscriptions over one WebSocket'),
  MAX_SOCKETS: variable(count, '20000', 'WebSockets and event streams of the process'),
  MAX_WATCHES_PER_CALLER: variable(count, '10000', 'Watches of one caller over all transports'),
  MAX_OPERATION_COST: variable(count, '200', 'Calls to the service that one operation can cause'),
  REDIS_URL: optional(
    redis,
    'none: in memory',
    'Lets several gateways share what they know; LANE_SECRET beside it',
  ),
  LANE_SECRET: optional(secret, 'random per process', 'Key of the lanes, which keep callers apart'),
  IDEMPOTENCY_TTL_MS: variable(ms(7 * day), '86400000', 'How long the outcome of a key is kept'),
  RATE_LIMIT_PER_MINUTE: variable(whole(0, 1_000_000), '0', 'Operations of one caller; 0 is no limit'),
  GRAPHIQL: optional(trueOrFalse, 'true outside production', 'Whether browsers get GraphiQL'),
  INTROSPECTION: optional(trueOrFalse, 'true outside production', 'Whether callers may read the schema'),
  SHUTDOWN_GRACE_MS: variable(ms(hour), '35000', 'Time to drain; longer than the write deadline'),
  LOG_LEVEL: variable(oneOf(logLevels), 'info', 'The least severe line that is logged'),
  HANDWRITTEN_FORMAT: variable(format, '[{value}]', 'How the handwriting flag is sent, as assumed'),
  FAPIAO_NAME_ENCODING: variable(oneOf(fapiaoNameEncodings), 'percent', 'Of names beyond ASCII, as assumed'),
  SANDBOX_PORT: variable(port, '0', "The sandbox's loopback port; 0 takes any free port"),
  SANDBOX_SPEED: variable(clockSpeed, '1', "Speed of the sandbox's clock"),
};

type VariableName = keyof typeof variables;
type Values = { readonly [Name in VariableName]: (typeof variables)[Name]['whenUnset'] };

/** A row for every variable, in the order of `--help` and the README. */
export const configTable = Object.entries(variables).map(([name, variable]) => ({
  name,
  default: variable.default,
  description: `${variable.meaning} (${variable.schema.description})`,
}));

/** The table as text for a terminal. */
export function describeConfig(): string {
  const width = (column: 'name' | 'default') => Math.max(...configTable.map((row) => row[column].length)) + 2;
  return configTable
    .map((row) => row.name.padEnd(width('name')) + row.default.padEnd(width('default')) + row.description)
    .join('\n');
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
 * no value is ever quoted, since any of them may be a secret put in the wrong place.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
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
    const read = env[variable] ? schema.safeParse(env[variable]) : { success: true, data: whenUnset };
    if (read.success) values[variable] = read.data;
    else problems.push({ variable, message: `must be ${schema.description}` });
  }
  return { values: values as Values, problems };
}

function serviceConfig({ UPSTREAM_URL, SANDBOX_PORT, SANDBOX_SPEED }: Values): ServiceConfig {
  if (UPSTREAM_URL instanceof URL) return { kind: 'remote', baseUrl: UPSTREAM_URL };
  const reason = UPSTREAM_URL === undefined ? 'UPSTREAM_URL is not set' : 'UPSTREAM_URL is sandbox';
  return { kind: 'sandbox', reason, port: SANDBOX_PORT, speed: SANDBOX_SPEED };
}

/** What can be used but is hardly meant, a sentence each, for the log at start. */
export function configWarnings(config: Config): readonly string[] {
  const { service } = config;
  const warnings: string[] = [];
  if (config.shutdownGraceMs <= config.upstream.writeDeadlineMs) {
    warnings.push('SHUTDOWN_GRACE_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS: writes may be cut off.');
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
