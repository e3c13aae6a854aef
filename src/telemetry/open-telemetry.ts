/** Traces sent to an OpenTelemetry collector over OTLP. */
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config.ts';
import type { Span, SpanOptions, Tracing } from './tracing.ts';

export async function createOpenTelemetry(config: TracingConfig, version: string): Promise<Tracing> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': version,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: await exporterOf(config) })],
  });
  const tracer = provider.getTracer('folio', version);
  return {
    documents: config.documents,
    start(name, { parent, links = [], ...options } = {}) {
      const context = contextOf(parent);
      const linked = links.flatMap(({ traceparent }) => spanContextOf(traceparent) ?? []);
      return wrap(
        tracer,
        tracer.startSpan(
          name,
          { ...started(options), links: linked.map((context) => ({ context })) },
          context,
        ),
      );
    },
    close: () => provider.shutdown(),
  };
}

async function exporterOf({ endpoint, protocol }: TracingConfig): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url: `${endpoint.href.replace(/\/$/, '')}/v1/traces` });
}

function samplerOf({ sampler, samplerRatio }: TracingConfig): Sampler {
  const root = samplers[sampler.replace('parentbased_', '') as keyof typeof samplers](samplerRatio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

function started({ kind, attributes = {} }: SpanOptions) {
  return { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes };
}

function wrap(tracer: Tracer, span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    child: (name, options = {}) =>
      wrap(tracer, tracer.startSpan(name, started(options), trace.setSpan(ROOT_CONTEXT, span))),
    set: (attributes) => void span.setAttributes(attributes),
    end(error) {
      if (error !== undefined) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function contextOf(traceparent: string | undefined): Context {
  const remote = spanContextOf(traceparent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}

/** W3C Trace Context, section 3.2: later versions may add members after the flags. */
const traceparentForm = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

function spanContextOf(traceparent = '') {
  const [, traceId = '', spanId = '', flags = ''] = traceparentForm.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
  return isSpanContextValid(context) ? context : undefined;
}
