/** Traces as the gateway speaks of them. Without a collector there are none, and nothing is loaded for them. */

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Default: internal. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: Attributes;
}

export interface Span {
  /** For log lines; undefined when nothing is traced. */
  readonly traceId: string | undefined;
  /** The header that carries the trace on (W3C Trace Context). */
  readonly traceparent: string | undefined;
  child(name: string, options?: SpanOptions): Span;
  set(attributes: Attributes): void;
  /** `error`: a code of the closed list, or a status; makes the span a failed one. */
  end(error?: string): void;
}

export interface RootSpanOptions extends SpanOptions {
  /** The caller's `traceparent` header, as it came. */
  readonly parent?: string | undefined;
  /** Spans that this one works for. */
  readonly links?: readonly Span[];
}

export interface Tracing {
  start(name: string, options?: RootSpanOptions): Span;
  /** The operation's text stands in its span. */
  readonly documents: boolean;
  /** Sends what is not yet sent. */
  close(): Promise<void>;
}

export const noSpan: Span = {
  traceId: undefined,
  traceparent: undefined,
  child: () => noSpan,
  set() {},
  end() {},
};

export const noTracing: Tracing = {
  start: () => noSpan,
  documents: false,
  close: async () => {},
};
