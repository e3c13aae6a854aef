/**
 * The gateway's metrics in Prometheus' text format. Every label has a bounded set of values: no id, no name
 * that a client chooses, no caller.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** States that are read when somebody asks, by the metric's name; those with a label as pairs. */
type Reading = number | Iterable<readonly [label: string, value: number]>;

const gauges = {
  folio_service_calls_in_flight: { help: 'Calls to the service under way' },
  folio_service_calls_queued: { help: 'Calls that wait for a place', label: 'kind' },
  folio_breaker_state: { help: 'Circuit breaker: 0 closed, 1 half-open, 2 open', label: 'endpoint' },
  folio_sockets: { help: 'Open WebSockets and event streams', label: 'kind' },
  folio_watches: { help: 'Documents watched, each polled once' },
  folio_ledger_entries: { help: 'Idempotency keys in this process’s memory' },
  folio_ledger_bytes: { help: 'Outcomes kept under idempotency keys in this process’s memory' },
  folio_ledger_limit_bytes: { help: 'Bytes beyond which new idempotency keys are refused' },
  folio_redis_lost: { help: '1 while the shared Redis is out of reach' },
} as const;

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const slow = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'folio_build_info',
    help: 'Always 1; the version in a label',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);

  return {
    contentType: registry.contentType,
    /** All metrics as text. */
    text: () => registry.metrics(),

    /** Tells how a state is read; whoever owns the state does so, once. */
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

    /** Sets where the count of dropped log lines is read; call it once. */
    logLinesDropped(read: () => number): void {
      new Counter({
        name: 'folio_log_lines_dropped_total',
        help: 'Log lines dropped because standard output did not take them',
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },

    operations: new Counter({
      name: 'folio_operations_total',
      help: 'Operations by outcome: ok, an error code, or caller_left. `operation`: its name in the manifest, else other',
      labelNames: ['type', 'operation', 'outcome'],
      registers,
    }),
    operationSeconds: new Histogram({
      name: 'folio_operation_duration_seconds',
      help: 'Queries and mutations, from their text to their answer',
      labelNames: ['type', 'operation'],
      buckets: fast,
      registers,
    }),
    subscriptions: new Gauge({
      name: 'folio_subscriptions',
      help: 'Subscriptions that run',
      registers,
    }),
    serviceCalls: new Counter({
      name: 'folio_service_calls_total',
      help: 'Attempts at calls to the service. `outcome`: ok, invalid_input, aborted or an error code; `attempt`: 1 to 3',
      labelNames: ['endpoint', 'outcome', 'attempt'],
      registers,
    }),
    serviceCallSeconds: new Histogram({
      name: 'folio_service_call_duration_seconds',
      help: 'Attempts at calls to the service, without the wait for a place',
      labelNames: ['endpoint'],
      buckets: fast,
      registers,
    }),
    uploads: new Gauge({
      name: 'folio_uploads_in_flight',
      help: 'Requests with a file that are not answered yet',
      registers,
    }),
    uploadBytes: new Counter({
      name: 'folio_upload_bytes_total',
      help: 'Bytes of files taken in',
      registers,
    }),
    pollLagSeconds: new Histogram({
      name: 'folio_poll_lag_seconds',
      help: 'How much later than due a poll of a watch began: the poll budget, and the event loop',
      buckets: slow,
      registers,
    }),
    detectionSeconds: new Histogram({
      name: 'folio_detection_delay_seconds',
      help: 'Longest time that a change of a watched status can have gone unseen: since the poll before',
      buckets: slow,
      registers,
    }),
    pollsSaved: new Counter({
      name: 'folio_polls_saved_total',
      help: 'Polls not made since several subscribers shared one',
      registers,
    }),
    drift: new Counter({
      name: 'folio_drift_total',
      help: 'Members and words of the service’s responses that docs/service.md describes otherwise, or not at all',
      labelNames: ['endpoint', 'kind'],
      registers,
    }),
    ledgerJoins: new Counter({
      name: 'folio_ledger_joins_total',
      help: 'Writes that were not sent since their idempotency key was known',
      registers,
    }),
  };
}
