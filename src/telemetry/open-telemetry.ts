/** Traces operations with OpenTelemetry, and sends traces and metrics to a collector. Loaded only where one is configured. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTraceState,
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
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config/config.ts';
import type { Resources } from '../tools/resources.ts';
import { detached } from '../tools/shortened.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { createSpanExporter } from './otlp-exporters.ts';
import { exportMetrics } from './otlp-metrics.ts';
import type { RootSpanOptions, Span, SpanOptions, TraceParent, Tracing } from './tracing.ts';

/** Longest time to send the last spans and metrics when the gateway stops (ms). */
const longestFlushMs = 2_000;

/** `version`: of the gateway. The exports end with `resources`. */
export function startExports(
  config: TracingConfig,
  version: string,
  metrics: Metrics,
  log: Log,
  resources: Resources,
): Tracing {
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES replace these.
  const resource = resourceFromAttributes({
    'service.name': 'folio',
    'service.version': version,
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: createSpanExporter(config, log) })],
  });
  const exports = [provider, exportMetrics(config, resource, metrics, log)];
  // A collector that does not respond must not keep the process running.
  resources.defer(async () => {
    const closed = Promise.allSettled(exports.map((part) => part.shutdown()));
    await Promise.race([closed, sleep(longestFlushMs, undefined, { ref: false })]);
  });
  const tracer = provider.getTracer('folio', version);
  return {
    start(name: string, { parent, links = [], ...options }: RootSpanOptions = {}) {
      const remote = parent && spanContextOf(parent);
      const context = remote && trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
      const linked = links.flatMap((span) => spanContextOf(span) ?? []);
      const own = { ...otelOptions(options), links: linked.map((context) => ({ context })) };
      return wrap(tracer, tracer.startSpan(name, own, context ?? ROOT_CONTEXT));
    },
  };
}

/** Samples per operation, with or without `parentbased_`: the spans of an operation follow its decision. */
function samplerOf({ sampler, samplerRatio, trustsParent }: TracingConfig): Sampler {
  const ratios = { always_on: 1, always_off: 0, traceidratio: samplerRatio };
  const ratio = ratios[sampler.replace('parentbased_', '') as keyof typeof ratios];
  const root = new TraceIdRatioBasedSampler(ratio);
  if (trustsParent) return new ParentBasedSampler({ root });
  // A caller chooses the trace id and the sampled flag of its traceparent, so neither decides what is sampled.
  const remote: Sampler = {
    shouldSample: () => ({
      decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `RandomSampler{${ratio}}`,
  };
  return new ParentBasedSampler({ root, remoteParentSampled: remote, remoteParentNotSampled: remote });
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

function otelOptions({ kind, attributes = {} }: SpanOptions) {
  return { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes };
}

function wrap(tracer: Tracer, span: OtelSpan): Span {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    tracestate: traceState?.serialize() || undefined,
    exemplar: span.isRecording() ? { trace_id: traceId, span_id: spanId } : {},
    child: (name, options = {}) =>
      wrap(tracer, tracer.startSpan(name, otelOptions(options), trace.setSpan(ROOT_CONTEXT, span))),
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

/** W3C Trace Context, section 3.2: versions after 00 may append members to the flags. */
const traceparentForm = /^(?!ff|00.{54})[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

function spanContextOf({ traceparent = '', tracestate }: TraceParent) {
  const [, traceId = '', spanId = '', flags = ''] = traceparentForm.exec(traceparent) ?? [];
  const traceState = createTraceState(tracestate);
  const context = {
    // Spans that wait for the collector would keep the header, which can have 16 KiB.
    traceId: detached(traceId),
    spanId: detached(spanId),
    traceFlags: Number.parseInt(flags, 16) & 1,
    traceState,
  };
  return isSpanContextValid(context) ? context : undefined;
}
