/** Sends the metrics of `/metrics` to an OpenTelemetry collector over OTLP, under the same names. */
import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { TracingConfig } from '../config/config.ts';
import type { Log } from './log.ts';
import type { MetricFamily, Metrics } from './metrics.ts';
import { createMetricExporter } from './otlp-exporters.ts';

/** Once a minute, and a last time when it is shut down. */
export function exportMetrics(
  config: TracingConfig,
  resource: Resource,
  { read }: Pick<Metrics, 'read'>,
  log: Log,
): MeterProvider {
  const startTime = hrTimeOf(performance.timeOrigin);
  const producer: MetricProducer = {
    async collect() {
      const times = { startTime, endTime: hrTimeOf(Date.now()) };
      const metrics = (await read()).map((family) => metricOf(family, times));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'folio' }, metrics }] },
        errors: [],
      };
    },
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: createMetricExporter(config, log),
    metricProducers: [producer],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function metricOf(family: MetricFamily, times: Times): MetricData {
  const { name, help: description, type, values } = family;
  const common = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(family, times) };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** OTLP has the number of values in each bucket; Prometheus that of all up to its bound, in lines of their own. */
function histogramPoints({ name, values }: MetricFamily, times: Times) {
  const series = Map.groupBy(values, ({ labels: { le, ...attributes } }) => JSON.stringify(attributes));
  return [...series].map(([attributes, lines]) => {
    const buckets = lines.filter(({ metricName }) => metricName === `${name}_bucket`);
    const valueAt = (suffix: string) =>
      lines.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
    const value = {
      buckets: {
        // The last bucket has no bound.
        boundaries: buckets.slice(0, -1).map(({ labels }) => Number(labels['le'])),
        counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
      },
      sum: valueAt('sum'),
      count: valueAt('count'),
    };
    return { ...times, attributes: JSON.parse(attributes), value };
  });
}

/** In UCUM, as OTLP has units. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
}

function hrTimeOf(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
}
