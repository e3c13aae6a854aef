/**
 * The gateway's metrics, as Prometheus reads them. Every label has a bounded set of values, which contains no ids
 * and no names that clients choose. Callers are in one metric only, at most 20 of each kind, by the tag of their lane.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { boundNames } from '../bound-names.ts';
import { createTopCallers } from './top-callers.ts';
import type { Exemplar } from './tracing.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Why the shared Redis did not take an idempotency key. */
const refusalReasons = [
  'full',
  'read_only',
  'no_replicas',
  'not_permitted',
  'timeout',
  'not_acknowledged',
  'lost',
  'other',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A metric as prom-client collects it: its types name the type by a number, and leave out the name of a line. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
    /** Of a histogram: the name with `_bucket`, `_sum` or `_count`. */
    readonly metricName?: string;
  }[];
}

type RegisteredMetric = (Counter | Gauge | Histogram) & {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
};

/** The value of a gauge; for a gauge with a label, pairs of the label's value and the value. */
type Reading = number | Iterable<readonly [label: string, value: number]>;

/** Gauges that are read on each scrape. */
// biome-ignore format: a table
export const gauges = {
  folio_service_calls_in_flight: { help: 'Calls to the service in flight' },
  folio_service_calls_queued: { help: 'Calls that wait for a slot', label: 'kind' },
  folio_breaker_state: { help: 'Circuit breaker: 0 closed, 1 half-open, 2 open', label: 'endpoint' },
  folio_bound_used_ratio: { help: 'How full each bound is, from 0 to 1; owner: of the caller who holds most', label: 'bound' },
  folio_sockets: { help: 'Open WebSockets and event streams', label: 'kind' },
  folio_watches: { help: 'Documents watched, each polled once for all subscribers' },
  folio_ledger_entries: { help: 'Idempotency keys in the memory of this process' },
  folio_ledger_bytes: { help: 'Bytes of idempotency keys and their outcomes in the memory of this process' },
  folio_ledger_limit_bytes: { help: 'Bytes beyond which new idempotency keys are rejected' },
  folio_manifest_rejected: { help: '1 while a changed manifest is invalid and the previous one is used' },
  folio_redis_keys: { help: 'Keys in the shared Redis, of a cluster in its fullest primary' },
  folio_redis_bytes: { help: 'Memory that the shared Redis uses, of a cluster in its fullest primary' },
  folio_redis_limit_bytes: { help: 'maxmemory of the shared Redis; 0 without a limit' },
  folio_redis_evicts: { help: '1 while a server of the shared Redis has another maxmemory-policy than noeviction' },
  folio_redis_lost: { help: '1 while the shared Redis cannot be reached' },
} as const;

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const slow = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

/**
 * The metrics of the process, which all its gateways report. prom-client has no end for what measures some of them: registered
 * for each gateway, they would keep every gateway that was started, or could not be started.
 */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });
readOnceASecond('nodejs_eventloop_lag_seconds');

export const loggedErrors = new Counter({
  name: 'folio_log_errors_total',
  help: 'Log lines of the level error or fatal of this process',
  registers: [ofProcess],
});

/** Reading the lag of the event loop begins a new measurement of it, which would be empty for the next gateway or scrape. */
function readOnceASecond(name: string): void {
  const metric = ofProcess.getSingleMetric(name) as unknown as { collect(): void };
  const { collect } = metric;
  let readAt = Number.NEGATIVE_INFINITY;
  metric.collect = () => {
    if (performance.now() - readAt < 1_000) return;
    readAt = performance.now();
    collect();
  };
}

/** `droppedLogLines`: the number of log lines that were dropped. Default: none. */
export function createMetrics(version: string, droppedLogLines = () => 0) {
  const registry = openMetricsRegistry();
  const registers = [registry];
  for (const metric of metricsIn(ofProcess)) registry.registerMetric(metric);

  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Gauge({ name, help, labelNames, registers });
  /** A histogram of durations. A value whose span is recorded becomes the exemplar of its bucket. */
  const durations = <Label extends string = never>(name: string, labelNames: Label[], help: string) =>
    new Histogram<Label | keyof Exemplar>({
      name,
      help,
      labelNames,
      buckets: fast,
      enableExemplars: true,
      registers,
    });
  const slowDurations = (name: string, help: string) =>
    new Histogram({ name, help, buckets: slow, registers });

  // biome-ignore format: a table
  const table = {
    operations: counter('folio_operations_total', ['type', 'operation', 'outcome'],
      'Operations by outcome: ok, an error code (of several the gravest), or caller_left. `operation`: its name in the manifest, otherwise other'),
    refusals: counter('folio_refusals_total', ['bound'],
      'Operations that were refused, and connections that were dropped, by the bound that was reached'),
    operationsByClient: counter('folio_client_operations_total', ['client', 'version'],
      'Operations whose client says which application it is: one of a manifest or of an accepted caller, otherwise other'),
    operationsByManifest: counter('folio_manifest_operations_total', ['manifest'],
      'Operations of a manifest: counted for that of the application that the client names, otherwise for all that have the operation'),
    operationsAsText: counter('folio_operations_as_text_total', ['kind'],
      'Operations that PERSISTED_OPERATIONS_ONLY=true would refuse, counted with report. `kind`: unknown, or persisted (in a manifest, but sent as text)'),
    operationSeconds: durations('folio_operation_duration_seconds', ['type', 'operation'],
      'Duration of queries and mutations, from the beginning of their execution to their result'),
    subscriptions: gauge('folio_subscriptions', [], 'Subscriptions in progress'),
    serviceCalls: counter('folio_service_calls_total', ['endpoint', 'outcome', 'attempt'],
      'Attempts at calls to the service. `outcome`: ok, invalid_input, aborted or an error code; `attempt`: 1 to 3'),
    serviceCallSeconds: durations('folio_service_call_duration_seconds', ['endpoint'],
      'Duration of attempts at calls to the service, without the wait for a slot'),
    uploads: gauge('folio_uploads_in_flight', [], 'Requests with a file that have no response yet'),
    uploadBytes: counter('folio_upload_bytes_total', [], 'Bytes of files received'),
    pollLagSeconds: slowDurations('folio_poll_lag_seconds',
      'Delay of polls of watches, caused by the poll budget and the event loop'),
    detectionSeconds: slowDurations('folio_detection_delay_seconds',
      'Longest time for which a change of a watched status may have been undetected: the time since the previous poll'),
    pollsSaved: counter('folio_polls_saved_total', [], 'Polls saved because several subscribers shared one'),
    drift: counter('folio_drift_total', ['endpoint', 'kind'],
      'Members and words in responses of the service that differ from docs/service.md'),
    ledgerRefused: counter('folio_ledger_refused_total', ['reason'],
      'Writes with an idempotency key that were refused because the shared Redis did not take the key'),
    ledgerReservationSeconds: durations('folio_ledger_reservation_duration_seconds', [],
      'Duration of reservations of idempotency keys in the shared Redis'),
    ledgerReplicationSeconds: durations('folio_ledger_replication_duration_seconds', [],
      'Duration of the wait for the replicas of the shared Redis, with REDIS_REPLICAS'),
    ledgerJoins: counter('folio_ledger_joins_total', [], 'Writes that were not sent because their idempotency key was known'),
  };
  // A counter that exists from the start has a rate from its first refusal on.
  for (const bound of boundNames) table.refusals.inc({ bound }, 0);
  for (const reason of refusalReasons) table.ledgerRefused.inc({ reason }, 0);

  gauge('folio_build_info', ['version'], 'Always 1; the version in a label').set({ version }, 1);
  new Counter({
    name: 'folio_log_lines_dropped_total',
    help: 'Log lines dropped because standard output stalled',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  const topCallers = createTopCallers();
  new Gauge({
    name: 'folio_top_callers',
    help: 'The 20 callers of the last full minute with most operations, refusals and bytes over HTTP, by the tag of their lane',
    labelNames: ['use', 'lane'],
    registers,
    collect() {
      this.reset();
      for (const [use, lane, amount] of topCallers.read()) this.set({ use, lane }, amount);
    },
  });

  async function write(isOpenMetrics: boolean) {
    const written = isOpenMetrics ? openMetricsRegistry() : new Registry();
    // To write OpenMetrics, prom-client takes `_total` off the names of counters: off those of copies.
    for (const metric of metricsIn(registry)) written.registerMetric(Object.create(metric));
    return { contentType: written.contentType, text: await written.metrics() };
  }

  /** Those that were asked for in this turn of the event loop: writing one takes some milliseconds. */
  const texts: { open?: ReturnType<typeof write>; plain?: ReturnType<typeof write> } = {};

  return {
    ...table,
    /** Returns all metrics in the OpenMetrics format, which has exemplars, or in the older text format. */
    text({ isOpenMetrics }: { readonly isOpenMetrics: boolean }) {
      const format = isOpenMetrics ? 'open' : 'plain';
      texts[format] ??= write(isOpenMetrics);
      setImmediate(() => delete texts[format]);
      return texts[format];
    },
    read: () => registry.getMetricsAsJSON() as unknown as Promise<MetricFamily[]>,
    /** All that are registered: without values, and with the names of their labels. */
    registered: () => metricsIn(registry),

    /** Registers the gauge with a function that reads its value. The owner of the state calls it once. */
    gauge(name: keyof typeof gauges, read: () => Reading): void {
      const { help, ...labelled } = gauges[name];
      const label = 'label' in labelled ? labelled.label : undefined;
      new Gauge({
        name,
        help,
        labelNames: label ? [label] : [],
        registers,
        collect() {
          const reading = read();
          if (typeof reading === 'number') return this.set(reading);
          for (const [value, state] of reading) this.set({ [label as string]: value }, state);
        },
      });
    },

    async operationsWith(outcome: string): Promise<number> {
      const { values } = await table.operations.get();
      return values.reduce((sum, { labels, value }) => sum + (labels.outcome === outcome ? value : 0), 0);
    },
    topCallers,
  };
}

function metricsIn(registry: Pick<Registry, 'getMetricsAsArray'>): RegisteredMetric[] {
  return registry.getMetricsAsArray() as unknown as RegisteredMetric[];
}

/** Only metrics of such a registry may have exemplars. */
function openMetricsRegistry(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}
