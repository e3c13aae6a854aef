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

export function createSpanExporter(config: TracingConfig) {
  const serializer = isJson(config) ? JsonTraceSerializer : ProtobufTraceSerializer;
  return exporterOf(config, 'traces', serializer, 'otlp_http_span_exporter', TraceExporterMetricsHelper);
}

export function createMetricExporter(config: TracingConfig) {
  const serializer = isJson(config) ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  return exporterOf(config, 'metrics', serializer, 'otlp_http_metric_exporter', MetricsExporterMetricsHelper);
}

const isJson = ({ protocol }: TracingConfig) => protocol === 'http/json';

function exporterOf<Exported, Response>(
  config: TracingConfig,
  signal: 'traces' | 'metrics',
  serializer: ISerializer<Exported, Response>,
  component: string,
  helper: IExporterMetricsHelper<Exported>,
): OTLPExporterBase<Exported> {
  const path = `v1/${signal}`;
  const options = convertLegacyHttpOptions(
    { url: `${config.endpoint.href.replace(/\/$/, '')}/${path}` },
    signal.toUpperCase(),
    path,
    { 'Content-Type': isJson(config) ? 'application/json' : 'application/x-protobuf' },
  );
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, serializer, component, helper, undefined),
  );
}
