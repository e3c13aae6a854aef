/** The table of environment variables: how each one is parsed, its default and its meaning. `readVariables` reads them. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { areNetworks } from './no-proxy.ts';
import { isUserEncoded, parseRedisAddress, type RedisAddress } from './redis-address.ts';

// How values are parsed. A description completes "must be …", the whole message for a refused value.

export const malaysiaStates = [
  'QUEUED',
  'SUBMITTED',
  'VALIDATED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'UNKNOWN',
] as const;

const text = (pattern: RegExp, must: string) => z.string().regex(pattern).describe(must);
const list = z.string().transform((text) => text.split(',').map((part) => part.trim()));
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
const nodeEnv = oneOf(['production', 'development', 'test']);
const logLevel = oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);
const otlpProtocol = oneOf(['http/protobuf', 'http/json']);
const fapiaoNameEncoding = oneOf(['percent', 'rfc2047', 'utf8']);
/** A text that only an address can be: digits with dots, or with a colon. */
const addressForm = /^[\d.]+$|:/;
const host = z
  .string()
  .regex(/^[\w.:%-]+$/)
  .refine((name) => !addressForm.test(name) || isIP(name) !== 0)
  .describe('a host name or an address');
const format = text(/^[\x20-\x7e]*\{value\}[\x20-\x7e]*$/, 'printable ASCII that contains {value}');
const memberPath = z
  .string()
  .regex(/^[^\s.[\]"']+(\.[^\s.[\]"']+)*$/)
  .transform((path) => path.split('.'))
  .describe('names of members with dots between them, such as data.status');
const stateWords = list
  .transform((pairs) => pairs.map((pair) => pair.split('=').map((part) => part.trim())))
  .pipe(z.array(z.tuple([z.string().min(1), z.enum(malaysiaStates)])))
  .refine(
    (pairs) =>
      new Set(pairs.map(([word]) => word.toLowerCase().replaceAll(/[\s_-]/g, ''))).size === pairs.length,
  )
  .describe(`comma-separated word=STATE, each word once, each STATE one of ${malaysiaStates.join(', ')}`);
const path = z.string().min(1).describe('the path of a file');
const isLong = (key: string) => Buffer.byteLength(key) >= 32;
export const secret = z
  .string()
  .refine(isLong)
  // In place of bytes that are not UTF-8: each of them would count as three.
  .refine((key) => !key.includes('\ufffd'))
  .transform((value) => {
    // A single secret may contain commas, too.
    const [current = '', former = '', ...more] = value.split(',');
    const areTwo = more.length === 0 && isLong(current) && isLong(former);
    if (!areTwo) return { current: value, former: undefined };
    // Under one secret twice, the second reservation of a key would find the first.
    return { current, former: former === current ? undefined : former };
  })
  .describe('32 bytes or more in UTF-8, or two such secrets with a comma between them');

const httpAddress = z
  .url()
  .regex(/^https?:\/\/[^\s\\?#]+$/i)
  .transform((url) => new URL(url))
  .refine(isUserEncoded)
  .describe(
    'an http or https address without query or fragment, in which user and password are percent-encoded',
  );
const hostList = z
  .string()
  .regex(/^[\w.:*,\s[\]/-]+$/)
  .refine(areNetworks)
  .describe('comma-separated host names and networks such as 10.0.0.0/8, or *');
const sampler = oneOf([
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]);
const ratio = number(/^[\d.]+$/, 'a number', 0, 1);
const files = list.pipe(z.array(z.string().min(1))).describe('comma-separated paths of files');
const textPolicy = z
  .union([
    z.literal('report'),
    z.stringbool().transform((only): 'refuse' | 'run' => (only ? 'refuse' : 'run')),
  ])
  .describe('true, false or report');

const redis = z
  .string()
  .transform(parseRedisAddress)
  .pipe(z.custom<RedisAddress>((address) => address !== undefined))
  .describe(
    'redis://host:6379/number, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379; rediss for TLS; user and password, as in redis://user:password@host, are percent-encoded',
  );

const baseUrl = z
  .url()
  .regex(/^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/i)
  .transform((url) => new URL(url));
const service = z
  .union([z.literal('sandbox'), baseUrl])
  .describe('an http or https address without user info, query or fragment, or the word sandbox');
// Normalized as browsers send it: lower case, without the scheme's default port. URL.origin is `null` for schemes that it does not know.
const origin = z
  .url()
  .regex(/^[a-z][a-z\d+.-]*:\/\/[^\s\\/?#@*]+$/i)
  .transform((url) => (new URL(url).origin === 'null' ? url.toLowerCase() : new URL(url).origin));
const origins = list
  .pipe(z.union([z.tuple([z.literal('*')]), z.array(origin)]))
  .describe('comma-separated origins (scheme://host[:port], no path), or * alone');

const MiB = 1024 * 1024;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A variable whose default is a valid value of it. */
function variable<T>(schema: z.ZodType<T>, preset: string, meaning: string) {
  return { schema, whenUnset: schema.parse(preset), default: preset, meaning };
}

/** A variable that may stay unset; `then` describes the behaviour without it. */
function optional<T>(schema: z.ZodType<T>, then: string, meaning: string) {
  return { schema, whenUnset: undefined as T | undefined, default: then, meaning };
}

// biome-ignore format: a table
export const variables = {
  HOST: variable(host, '127.0.0.1', 'Address to listen on; the container image sets 0.0.0.0'),
  PORT: variable(port, '4000', 'Port to listen on; 0 takes any free port'),
  NODE_ENV: variable(nodeEnv, 'development',
    'production turns GraphiQL, introspection and suggestions off, logs JSON and requires UPSTREAM_URL'),
  UPSTREAM_URL: optional(service, 'the embedded sandbox', 'Base address of the document service; required in production'),
  UPSTREAM_READ_DEADLINE_MS: variable(ms(10 * minute), '10000', 'Longest time of a read, retries included'),
  UPSTREAM_WRITE_DEADLINE_MS: variable(ms(10 * minute), '30000', 'Longest time of a write, retries included'),
  UPSTREAM_SCAN_DEADLINE_MS: variable(ms(hour), '120000', 'Longest wait for the result of a scan, from the last byte sent'),
  UPSTREAM_CONNECTIONS: variable(count, '128', 'Most connections to the document service'),
  UPSTREAM_CONCURRENCY_PER_CALLER: variable(count, '10', 'Most calls in flight for one caller'),
  MAX_UPLOAD_BYTES: variable(bytes(10_240 * MiB), '104857600', 'Largest file of a scan'),
  MAX_XML_BYTES: variable(bytes(64 * MiB), '1048576', 'Largest XML of a Fapiao'),
  MAX_REQUEST_BYTES: variable(bytes(256 * MiB), '4194304', 'Largest JSON body, and largest operations or map part of an upload'),
  CORS_ORIGINS: optional(origins, 'none', 'Origins whose pages may call the gateway; * allows every origin, without credentials'),
  MALAYSIA_POLL_MIN_MS: variable(ms(hour), '2000',
    'Shortest interval between polls of a watched value of any kind, so far a Malaysian status; the first one until 100 documents have left that state. The second poll of a document comes sooner, within a second'),
  MALAYSIA_POLL_MAX_MS: variable(ms(hour), '30000', 'Longest interval; at least MALAYSIA_POLL_MIN_MS. Each interval is up to a tenth shorter or longer, at random'),
  MALAYSIA_POLL_BUDGET_PER_SECOND: variable(count, '200',
    'Most polls per second of all kinds: of all gateways with the same REDIS_URL together, otherwise of the process'),
  MAX_SOCKETS: variable(count, '20000',
    'Most WebSockets and event streams of the process, which has at most one for each 32 KiB of the heap'),
  MAX_OPERATION_COST: variable(count, '200', 'Most calls to the service that one operation can cause'),
  REDIS_URL: optional(redis, 'none: in memory',
    'Redis that gateways share for status watches, idempotency keys and rate limits: one server, the sentinels, or nodes of a cluster; requires LANE_SECRET'),
  REDIS_URL_FILE: optional(path, 'none', 'File with the value of REDIS_URL; read again when it changes'),
  REDIS_REPLICAS: variable(whole(0, 10), '0',
    'Replicas of Redis that must have an idempotency key before its write is sent; with fewer the write is refused; above 0 it requires REDIS_URL'),
  LANE_SECRET: optional(secret, 'random per process',
    'HMAC key of lanes: a lane is the hash of the credentials that keeps one caller apart from all others; the same on all gateways. Two secrets, new,old, while it is rotated'),
  LANE_SECRET_FILE: optional(path, 'none', 'File with the value of LANE_SECRET; read again when it changes'),
  IDEMPOTENCY_TTL_MS: variable(ms(7 * day), '86400000', 'How long the result for an idempotency key is kept'),
  RATE_LIMIT_PER_MINUTE: variable(whole(0, 1_000_000), '0', 'Most operations per minute of one caller; 0 is no limit'),
  GRAPHIQL: optional(trueOrFalse, 'true outside production', 'Whether browsers get GraphiQL'),
  INTROSPECTION: optional(trueOrFalse, 'as GRAPHIQL', 'Whether callers may read the schema, also by operations of PERSISTED_OPERATIONS'),
  EXPOSE_CALLS: optional(trueOrFalse, 'true with the embedded sandbox, never in production',
    'Whether extensions.calls of a result lists the calls to the service that were made for it'),
  PERSISTED_OPERATIONS: optional(files, 'none',
    'Manifests of the operations that clients send by their hash, in the format of `npm run generate`, Apollo, Relay or graphql-codegen; reloaded when they change'),
  PERSISTED_OPERATIONS_ONLY: variable(textPolicy, 'false',
    'true refuses operations that are sent as text; report executes, counts and logs them'),
  METRICS_PORT: optional(port, 'the main port, but not in production',
    'Port of /metrics, and of /health and /ready in addition to the main port; 0 takes any free port'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpAddress, 'neither is sent',
    'Base address of the OpenTelemetry collector of traces and metrics'),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(otlpProtocol, 'http/protobuf', 'Encoding of traces and metrics'),
  OTEL_TRACES_SAMPLER: variable(sampler, 'parentbased_always_on', 'Which operations are traced'),
  OTEL_TRACES_SAMPLER_ARG: variable(ratio, '1', 'Share of the operations that a ratio sampler traces'),
  TRACE_PARENT_TRUSTED: variable(trueOrFalse, 'false',
    "Whether a caller's traceparent decides if its operation is traced; for gateways behind a mesh that sets it"),
  HTTPS_PROXY: optional(httpAddress, 'none', 'Proxy for an https service'),
  HTTP_PROXY: optional(httpAddress, 'none', 'Proxy for an http service, and for an https service without HTTPS_PROXY'),
  NO_PROXY: optional(hostList, 'none', 'Hosts to connect to without a proxy'),
  SHUTDOWN_DELAY_MS: variable(whole(0, hour, ' of milliseconds'), '0',
    'How long requests are still served after SIGTERM, with /ready at 503, for a balancer that checks it: longer than it needs to notice'),
  SHUTDOWN_GRACE_MS: variable(ms(hour), '35000',
    'Longest time after that to finish work in progress; longer than the UPSTREAM_…_DEADLINE_MS. What is not finished then gets an error'),
  LOG_LEVEL: variable(logLevel, 'info', 'Lowest severity that is logged'),
  HANDWRITTEN_FORMAT: variable(format, '[{value}]', 'Assumed format of the form part handwritten; {value} is replaced by true or false'),
  FAPIAO_NAME_ENCODING: variable(fapiaoNameEncoding, 'percent', 'Assumed encoding of characters beyond ASCII in the headers of a Fapiao'),
  MALAYSIA_STATUS_STATE: optional(memberPath, 'found by usual names',
    'Where the response of the Malaysian status endpoint has the state; a step into a list is an index'),
  MALAYSIA_STATUS_REASON: optional(memberPath, 'found by usual names',
    'Where the response of the Malaysian status endpoint has the reason of the state'),
  MALAYSIA_STATUS_WORDS: optional(stateWords, 'none',
    'Words of the Malaysian status endpoint, in addition to those that Folio knows or instead of them'),
  SANDBOX_SPEED: variable(clockSpeed, '1', 'Factor by which the sandbox processes imported e-invoices faster'),
};

export type VariableName = keyof typeof variables;

/** Also read in lower case, as many systems set them. */
export const alsoInLowerCase: readonly VariableName[] = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

export type Values = { readonly [Name in VariableName]: (typeof variables)[Name]['whenUnset'] };

/** One row per variable, in the order of `--help` and docs/configuration.md. */
export const configTable = Object.entries(variables).map(([name, variable]) => ({
  name: name as VariableName,
  default: variable.default,
  /** Whether the default is a description in words instead of a value. */
  isOptional: variable.whenUnset === undefined,
  description: `${variable.meaning} (${variable.schema.description})`,
}));

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigurationProblem {
  readonly variable: VariableName;
  /** Follows the variable's name, e.g. `must be true or false`. Never contains the variable's value. */
  readonly message: string;
}

/** Parses each variable alone. A refused one is missing from `values`; the caller throws the problems before it matters. */
export function readVariables(env: Environment) {
  const values: Record<string, unknown> = {};
  const problems: ConfigurationProblem[] = [];
  for (const variable of Object.keys(variables) as VariableName[]) {
    const { schema, whenUnset } = variables[variable];
    const text = textOf(env, variable);
    const read = text ? schema.safeParse(text) : { success: true, data: whenUnset };
    if (read.success) values[variable] = read.data;
    else {
      problems.push({ variable, message: `must be ${schema.description}${without(text)}` });
    }
  }
  return { values: values as Values, problems };
}

/** What is easily overlooked at the ends of a value: a line break of a file or of Windows, and quotes that Docker keeps. */
function without(text = ''): string {
  if (text !== text.trim()) return ', without white space at its ends';
  return /^(["']).*\1$/.test(text) ? ', without quotation marks around it' : '';
}

/** The value of a variable as it is set; undefined or empty when it is not. */
export function textOf(env: Environment, variable: VariableName): string | undefined {
  return env[variable] || (alsoInLowerCase.includes(variable) ? env[variable.toLowerCase()] : undefined);
}
