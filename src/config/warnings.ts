/** Settings that are valid but probably a mistake. */
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { unknownVariables } from './unknown-variables.ts';
import { type Environment, variables } from './variables.ts';

/**
 * Warnings for the log at start, a sentence each. `env`: the environment that `config` was read from. `openFiles`: how many the
 * process may have open.
 */
export function configWarnings(
  config: Config,
  env: Environment = {},
  openFiles = Number.POSITIVE_INFINITY,
): readonly string[] {
  const { counts, idempotencyTtlMs, laneSecret, limits, memory, production, shutdownGraceMs, tracing } =
    config;
  const { target, readDeadlineMs, writeDeadlineMs, scanDeadlineMs, connections, concurrencyPerCaller } =
    config.upstream;
  const secrets = config.secretFiles.LANE_SECRET?.content ?? env['LANE_SECRET'];
  const deadlines = [
    ['UPSTREAM_READ_DEADLINE_MS', readDeadlineMs],
    ['UPSTREAM_WRITE_DEADLINE_MS', writeDeadlineMs],
    ['UPSTREAM_SCAN_DEADLINE_MS', scanDeadlineMs],
  ] as const;
  // With the default of both, a scan can outlast a shutdown. That matters where its outcome does.
  const longer = deadlines
    .slice(0, production ? 3 : 2)
    .flatMap(([name, ms]) => (shutdownGraceMs <= ms ? name : []));
  // Newcomers have half of the memory for writes, of which an eighth is kept for small ones.
  const newcomersXmlBytes = Math.floor((memory.writes * 7) / 16);
  const neededFiles = counts.connections + otherFiles;
  const isRemote = target.kind === 'remote';
  const unread = (name: string) => env[name] && !hasCertificate(env[name]);

  // biome-ignore format: a table
  const rows: Rows = [
    ...deadlines.map(([name, ms]) => [ms < 1_000, `${name} is shorter than a second: its unit is milliseconds.`] as const),
    [longer.length > 0,
      `SHUTDOWN_GRACE_MS is not longer than ${longer.join(', ')}: a write that a shutdown ends gets OUTCOME_UNKNOWN.`],
    [idempotencyTtlMs <= Math.max(writeDeadlineMs, scanDeadlineMs),
      'IDEMPOTENCY_TTL_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS and UPSTREAM_SCAN_DEADLINE_MS: the result of a write may expire before its caller asks for it again.'],
    [concurrencyPerCaller > connections,
      'UPSTREAM_CONCURRENCY_PER_CALLER is more than UPSTREAM_CONNECTIONS: one caller can use all connections to the service.'],
    [laneSecret && secrets === `${laneSecret.current},${laneSecret.current}`,
      'LANE_SECRET is one secret twice, which counts as one: after the comma belongs the secret that gateways had before.'],
    [limits.maxRequestBytes > memory.bodies, tooLarge('MAX_REQUEST_BYTES', 'one', memory.bodies)],
    [limits.maxXmlBytes > newcomersXmlBytes,
      tooLarge('MAX_XML_BYTES', 'that of a caller whom the service has not accepted yet', newcomersXmlBytes)],
    [production && openFiles < neededFiles,
      `The limit on open files (ulimit -n) is ${openFiles}. Raise it to ${neededFiles}: with a lower one a caller with as many connections keeps all others out.`],
    [production && !isRemote, 'UPSTREAM_URL is sandbox in production: the sandbox returns invented data.'],
    [isRemote && target.baseUrl.protocol === 'http:' && !isLoopback(target.baseUrl),
      'UPSTREAM_URL is not https: credentials are sent to the service unencrypted.'],
    [env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0',
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: anyone on the way can pretend to be the service or Redis. Name the authority of their certificates in NODE_EXTRA_CA_CERTS instead.'],
    [unread('NODE_EXTRA_CA_CERTS'), noCertificates('NODE_EXTRA_CA_CERTS')],
    [tracing && unread('OTEL_EXPORTER_OTLP_CERTIFICATE'), noCertificates('OTEL_EXPORTER_OTLP_CERTIFICATE')],
    [tracing && tracing.samplerRatio !== 1 && !tracing.sampler.endsWith('traceidratio'),
      `OTEL_TRACES_SAMPLER_ARG has no effect with OTEL_TRACES_SAMPLER=${tracing?.sampler}.`],
    ...collectorHeaders.map((name) => [tracing && !areHeaders(env[name] ?? ''),
      `${name} has an entry that is not a header as name=value, percent-encoded: the collector may take nothing.`] as const),
  ];
  return [
    ...unknownVariables(Object.keys(variables), env),
    ...(laneSecret ? secretWarnings(laneSecret) : []),
    ...warningsOf(rows),
  ];
}

const tooLarge = (name: string, whose: string, most: number) =>
  `${name} is larger than the heap allows: ${whose} of more than ${most} bytes is refused with RATE_LIMITED, however often it is sent.`;
const noCertificates = (name: string) =>
  `${name} names a file that cannot be read, or has no certificate in PEM: its authorities are not trusted.`;

/** Files that are open next to connections of callers, such as those to the service and to Redis. */
const otherFiles = 1_000;

/** How many files the system lets the process open. Node.js has raised the limit as far as it may. */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    // Not on Linux.
    return Number.POSITIVE_INFINITY;
  }
}

/** Variables that OpenTelemetry reads, which drops what is not a header, or sends nothing with it. */
const collectorHeaders = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
];
/** A name and a value that Node.js can send. */
const [headerName, headerValue] = [/^[\w!#$%&'*+.^`|~-]+$/, /^[\t -~\x80-\xff]+$/];

/** Whether all entries of a comma-separated list are headers. Empty ones do not count. */
function areHeaders(list: string): boolean {
  return list.split(',').every((entry) => {
    if (entry.trim() === '') return true;
    const [name = '', ...value] = entry.split('=').map((part) => part.trim());
    return isEncoded(name, headerName) && isEncoded(value.join('='), headerValue) && !entry.includes(';');
  });
}

function isEncoded(text: string, form: RegExp): boolean {
  try {
    return form.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** Warnings for a value of LANE_SECRET, also of one that comes from a changed file. */
export function secretWarnings({
  current,
  former = '',
}: NonNullable<Config['laneSecret']>): readonly string[] {
  // biome-ignore format: a table
  return warningsOf([
    [current.includes(','),
      'LANE_SECRET has a comma and is one secret nevertheless: of two, each has 32 bytes or more. Gateways with another secret do not know its idempotency keys.'],
    [/^(["']).*\1$/s.test(current),
      'LANE_SECRET is in quotation marks, which belong to the secret: gateways that have it without them do not know its idempotency keys.'],
    [current !== current.trim() || former !== former.trim(),
      'LANE_SECRET has white space at an end of a secret, which belongs to it, unless it is at an end of LANE_SECRET_FILE: gateways that have the secret without it do not know its idempotency keys.'],
  ]);
}

type Rows = readonly (readonly [isMistake: unknown, warning: string])[];

function warningsOf(rows: Rows): readonly string[] {
  return rows.flatMap(([isMistake, warning]) => (isMistake ? warning : []));
}

function hasCertificate(path: string): boolean {
  try {
    return /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(readFileSync(path, 'latin1'));
  } catch {
    return false;
  }
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
