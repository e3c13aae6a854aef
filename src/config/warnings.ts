/** Settings that are valid but probably a mistake. */
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import type { Environment } from './read-variables.ts';
import { unknownVariables } from './unknown-variables.ts';
import { variables } from './variables.ts';

/**
 * Warnings for the log at start, a sentence each. `env`: the environment that `config` was read from. `openFiles`: how many the
 * process may have open.
 */
export function configWarnings(
  config: Config,
  env: Environment = {},
  openFiles = Number.POSITIVE_INFINITY,
): readonly string[] {
  const { target, readDeadlineMs, writeDeadlineMs, scanDeadlineMs } = config.upstream;
  const warnings = [...unknownVariables(Object.keys(variables), env)];
  const deadlines = { READ: readDeadlineMs, WRITE: writeDeadlineMs, SCAN: scanDeadlineMs };
  for (const [kind, ms] of Object.entries(deadlines)) {
    if (ms < 1_000)
      warnings.push(`UPSTREAM_${kind}_DEADLINE_MS is shorter than a second: its unit is milliseconds.`);
  }
  const longer = [
    ...(config.shutdownGraceMs <= readDeadlineMs ? ['UPSTREAM_READ_DEADLINE_MS'] : []),
    ...(config.shutdownGraceMs <= writeDeadlineMs ? ['UPSTREAM_WRITE_DEADLINE_MS'] : []),
    // With the default of both, a scan can outlast a shutdown. That matters where its outcome does.
    ...(config.shutdownGraceMs <= scanDeadlineMs && config.production ? ['UPSTREAM_SCAN_DEADLINE_MS'] : []),
  ];
  if (longer.length > 0) {
    warnings.push(
      `SHUTDOWN_GRACE_MS is not longer than ${longer.join(', ')}: a write that a shutdown ends gets OUTCOME_UNKNOWN.`,
    );
  }
  if (config.idempotencyTtlMs <= Math.max(writeDeadlineMs, scanDeadlineMs)) {
    warnings.push(
      'IDEMPOTENCY_TTL_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS and UPSTREAM_SCAN_DEADLINE_MS: ' +
        'the result of a write may expire before its caller asks for it again.',
    );
  }
  const { limits, memory } = config;
  const rooms = [
    ['MAX_REQUEST_BYTES', limits.maxRequestBytes, memory.bodies, 'one'],
    // Newcomers have half of the memory for writes, of which an eighth is kept for small ones.
    [
      'MAX_XML_BYTES',
      limits.maxXmlBytes,
      Math.floor((memory.writes * 7) / 16),
      'that of a caller whom the service has not accepted yet',
    ],
  ] as const;
  for (const [name, bytes, most, whose] of rooms) {
    if (bytes > most)
      warnings.push(
        `${name} is larger than the heap allows: ${whose} of more than ${most} bytes is refused with RATE_LIMITED, however often it is sent.`,
      );
  }
  const neededFiles = config.counts.connections + otherFiles;
  if (config.production && openFiles < neededFiles) {
    warnings.push(
      `The limit on open files (ulimit -n) is ${openFiles}. Raise it to ${neededFiles}: with a lower one a caller with as many ` +
        'connections keeps all others out.',
    );
  }
  if (config.production && target.kind === 'sandbox') {
    warnings.push('UPSTREAM_URL is sandbox in production: the sandbox returns invented data.');
  }
  if (target.kind === 'remote' && target.baseUrl.protocol === 'http:' && !isLoopback(target.baseUrl)) {
    warnings.push('UPSTREAM_URL is not https: credentials are sent to the service unencrypted.');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    warnings.push(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: anyone on the way can pretend to be the service or Redis. ' +
        'Name the authority of their certificates in NODE_EXTRA_CA_CERTS instead.',
    );
  }
  if (config.laneSecret) warnings.push(...secretWarnings(config.laneSecret));
  for (const name of ['NODE_EXTRA_CA_CERTS', ...(config.tracing ? ['OTEL_EXPORTER_OTLP_CERTIFICATE'] : [])]) {
    const certificates = env[name];
    if (!certificates || hasCertificate(certificates)) continue;
    warnings.push(
      `${name} names a file that cannot be read, or has no certificate in PEM: its authorities are not trusted.`,
    );
  }
  if (config.tracing) {
    const { sampler, samplerRatio } = config.tracing;
    if (samplerRatio !== 1 && !sampler.endsWith('traceidratio'))
      warnings.push(`OTEL_TRACES_SAMPLER_ARG has no effect with OTEL_TRACES_SAMPLER=${sampler}.`);
    for (const name of collectorHeaders) {
      if (areHeaders(env[name] ?? '')) continue;
      warnings.push(
        `${name} has an entry that is not a header as name=value, percent-encoded: the collector may take nothing.`,
      );
    }
  }
  return warnings;
}

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
  const warnings = [];
  if (current.includes(',')) {
    warnings.push(
      'LANE_SECRET has a comma and is one secret nevertheless: of two, each has 32 bytes or more. ' +
        'Gateways with another secret do not know its idempotency keys.',
    );
  }
  if (/^(["']).*\1$/s.test(current)) {
    warnings.push(
      'LANE_SECRET is in quotation marks, which belong to the secret: ' +
        'gateways that have it without them do not know its idempotency keys.',
    );
  }
  if (current !== current.trim() || former !== former.trim()) {
    warnings.push(
      'LANE_SECRET has white space at an end, which belongs to the secret, but not in LANE_SECRET_FILE: ' +
        'gateways with the variable and gateways with the file do not know the idempotency keys of each other.',
    );
  }
  return warnings;
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
