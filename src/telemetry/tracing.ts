/**
 * The interface of tracing. Its implementation is open-telemetry.ts: without a collector nothing is
 * traced, and no tracing library is loaded.
 */

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Kind of the span. Default: internal. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: Attributes;
}

/** Labels of an exemplar, as OpenMetrics recommends them. */
export interface Exemplar {
  readonly trace_id?: string;
  readonly span_id?: string;
}

/** The headers of W3C Trace Context: those of a request, unchanged, or those that continue a span in a called service. */
export interface TraceParent {
  readonly traceparent: string | undefined;
  /** Goes with `traceparent`: what the caller's tracing systems have added. */
  readonly tracestate: string | undefined;
}

export interface Span extends TraceParent {
  /** Id of the trace, for log lines; undefined when nothing is traced. */
  readonly traceId: string | undefined;
  /** Names the span next to a value of a histogram; empty unless the span is recorded. */
  readonly exemplar: Exemplar;
  child(name: string, options?: SpanOptions): Span;
  set(attributes: Attributes): void;
  /** Ends the span, as failed when there is an `error`: an error code or an HTTP status. */
  end(error?: string): void;
}

export interface RootSpanOptions extends SpanOptions {
  readonly parent?: TraceParent | undefined;
  /** Spans of other operations that this one serves. */
  readonly links?: readonly Span[];
}

export interface Tracing {
  start(name: string, options?: RootSpanOptions): Span;
}

export const noSpan: Span = {
  traceId: undefined,
  traceparent: undefined,
  tracestate: undefined,
  exemplar: {},
  child: () => noSpan,
  set() {},
  end() {},
};

export const noTracing: Tracing = { start: () => noSpan };
