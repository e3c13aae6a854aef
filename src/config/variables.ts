/** Each variable of the environment: how its text is read, its default and its meaning. */
import { z } from 'zod';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const otlpProtocols = ['http/protobuf', 'http/json'] as const;
export const fapiaoNameEncodings = ['percent', 'rfc2047', 'utf8'] as const;

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
const nodeEnv = oneOf(['production', 'development', 'test']);
const host = text(/^[\w.:%-]+$/, 'a host name or an address');
const format = text(/^[\x20-\x7e]*\{value\}[\x20-\x7e]*$/, 'printable ASCII that contains {value}');
const secret = z
  .string()
  .refine((key) => Buffer.byteLength(key) >= 32)
  .describe('32 bytes or more');

const httpAddress = z
  .url()
  .regex(/^https?:\/\/[^\s\\]+$/i)
  .transform((url) => new URL(url))
  .describe('an http or https address');
const hostList = text(/^[\w.:*,\s[\]-]+$/, 'host names divided by commas, or *');
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const ratio = number(/^[\d.]+$/, 'a number', 0, 1);
const name = text(/^[\x20-\x7e]{1,255}$/, 'printable ASCII');
const file = z.string().describe('the path of a file');

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

export const variables = {
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
  PERSISTED_OPERATIONS: optional(file, 'none', 'Manifest of the operations that clients name by their hash'),
  PERSISTED_OPERATIONS_ONLY: variable(
    trueOrFalse,
    'false',
    'Refuses all operations but those of the manifest',
  ),
  METRICS_PORT: optional(
    port,
    'the main port, but not in production',
    'Where /metrics is; 0 takes any free port',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpAddress, 'no traces', 'Collector of traces'),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(oneOf(otlpProtocols), 'http/protobuf', 'How traces are sent'),
  OTEL_SERVICE_NAME: variable(name, 'folio', 'Name of the gateway in traces'),
  OTEL_TRACES_SAMPLER: variable(oneOf(samplers), 'parentbased_always_on', 'Which operations are traced'),
  OTEL_TRACES_SAMPLER_ARG: variable(ratio, '1', 'Part of the operations that a ratio sampler traces'),
  TRACE_DOCUMENTS: variable(trueOrFalse, 'false', 'Whether traces hold operations, without their literals'),
  HTTPS_PROXY: optional(httpAddress, 'none', 'Proxy on the way to an https service'),
  HTTP_PROXY: optional(httpAddress, 'none', 'Proxy on the way to an http service'),
  NO_PROXY: optional(hostList, 'none', 'Hosts that are reached without a proxy'),
  SHUTDOWN_GRACE_MS: variable(ms(hour), '35000', 'Time to drain; longer than the write deadline'),
  LOG_LEVEL: variable(oneOf(logLevels), 'info', 'The least severe line that is logged'),
  HANDWRITTEN_FORMAT: variable(format, '[{value}]', 'How the handwriting flag is sent, as assumed'),
  FAPIAO_NAME_ENCODING: variable(oneOf(fapiaoNameEncodings), 'percent', 'Of names beyond ASCII, as assumed'),
  SANDBOX_PORT: variable(port, '0', "The sandbox's loopback port; 0 takes any free port"),
  SANDBOX_SPEED: variable(clockSpeed, '1', "Speed of the sandbox's clock"),
};

export type VariableName = keyof typeof variables;
/** Every variable as it was read. */
export type Values = { readonly [Name in VariableName]: (typeof variables)[Name]['whenUnset'] };

/** A row for every variable, in the order of `--help` and the README. */
export const configTable = Object.entries(variables).map(([name, variable]) => ({
  name,
  default: variable.default,
  description: `${variable.meaning} (${variable.schema.description})`,
}));

/** Whether the variable has no value of its own by default, so that its default is described in words. */
export function isOptional(name: string): boolean {
  return variables[name as VariableName].whenUnset === undefined;
}

/** The table as text for a terminal. */
export function describeConfig(): string {
  const width = (column: 'name' | 'default') => Math.max(...configTable.map((row) => row[column].length)) + 2;
  return configTable
    .map((row) => row.name.padEnd(width('name')) + row.default.padEnd(width('default')) + row.description)
    .join('\n');
}
