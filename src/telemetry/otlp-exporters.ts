/** The exporters of spans and metrics to an OpenTelemetry collector over OTLP. The variables OTEL_EXPORTER_OTLP_… of OpenTelemetry apply. */
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import {
  type IExporterMetricsHelper,
  type ISerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { TracingConfig } from '../config/config.ts';
import type { Log } from './log.ts';

export function createSpanExporter(config: TracingConfig, log: Log) {
  const serializer = isJson(config) ? JsonTraceSerializer : ProtobufTraceSerializer;
  return exporterOf(config, log, 'traces', 'span', serializer, TraceExporterMetricsHelper);
}

export function createMetricExporter(config: TracingConfig, log: Log) {
  const serializer = isJson(config) ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  return exporterOf(config, log, 'metrics', 'metric', serializer, MetricsExporterMetricsHelper);
}

const isJson = ({ protocol }: TracingConfig) => protocol === 'http/json';

function exporterOf<Exported, Response>(
  config: TracingConfig,
  log: Log,
  signal: 'traces' | 'metrics',
  item: 'span' | 'metric',
  serializer: ISerializer<Exported, Response>,
  helper: IExporterMetricsHelper<Exported>,
): OTLPExporterBase<Exported> {
  const path = `v1/${signal}`;
  const options = convertLegacyHttpOptions(
    { url: `${config.endpoint.href.replace(/\/$/, '')}/${path}` },
    signal.toUpperCase(),
    path,
    { 'Content-Type': isJson(config) ? 'application/json' : 'application/x-protobuf' },
  );
  const exporter = new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, serializer, `otlp_http_${item}_exporter`, helper, undefined),
  );
  logLosses(exporter, signal, log);
  return exporter;
}

/** Logs when the collector begins to take nothing, and when it takes something again. */
function logLosses<Exported>(exporter: OTLPExporterBase<Exported>, signal: string, log: Log): void {
  const send = exporter.export.bind(exporter);
  let isLost = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const wasLost = isLost;
      // `ExportResultCode.SUCCESS`.
      isLost = result.code !== 0;
      if (isLost && !wasLost) log.warn({ err: result.error }, `the collector takes no ${signal}`);
      if (wasLost && !isLost) log.info(`the collector takes ${signal} again`);
      done(result);
    });
}
