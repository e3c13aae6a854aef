/** An OpenTelemetry collector that records the spans and metrics it receives over OTLP/HTTP as JSON. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2: an error. */
  readonly status: number;
}

export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly CollectedPoint[]; readonly isMonotonic: boolean };
  readonly gauge?: { readonly dataPoints: readonly CollectedPoint[] };
  readonly histogram?: { readonly dataPoints: readonly CollectedPoint[] };
}

export interface CollectedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

export interface TestCollector {
  readonly environment: Record<string, string>;
  readonly spans: CollectedSpan[];
  /** The values that were sent last, by name. */
  readonly metrics: Map<string, CollectedMetric>;
  /** Attributes of the process that sent them. */
  readonly resource: Record<string, unknown>;
  /** The bodies of all requests, unparsed. */
  readonly bodies: string[];
  readonly contentTypes: Set<string>;
  close(): Promise<void>;
}

type Attributes = readonly {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}[];

const plain = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startCollector(): Promise<TestCollector> {
  const spans: CollectedSpan[] = [];
  const metrics = new Map<string, CollectedMetric>();
  const bodies: string[] = [];
  const contentTypes = new Set<string>();
  const resource: Record<string, unknown> = {};
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('latin1');
    bodies.push(body);
    const contentType = String(request.headers['content-type']);
    contentTypes.add(contentType);
    if (contentType === 'application/json') {
      if (request.url === '/v1/traces') take(JSON.parse(body));
      if (request.url === '/v1/metrics') takeMetrics(JSON.parse(body));
    }
    response.writeHead(200, { 'content-type': contentType }).end(contentType.endsWith('json') ? '{}' : '');
  });

  function take({ resourceSpans }: any): void {
    for (const { resource: sender, scopeSpans } of resourceSpans) {
      Object.assign(resource, plain(sender.attributes));
      for (const span of scopeSpans.flatMap((scope: any) => scope.spans)) {
        spans.push({
          ...span,
          attributes: plain(span.attributes),
          links: span.links ?? [],
          status: span.status?.code ?? 0,
        });
      }
    }
  }

  function takeMetrics({ resourceMetrics }: any): void {
    for (const { resource: sender, scopeMetrics } of resourceMetrics) {
      Object.assign(resource, plain(sender.attributes));
      for (const metric of scopeMetrics.flatMap((scope: any) => scope.metrics)) {
        const { dataPoints } = metric.sum ?? metric.gauge ?? metric.histogram;
        for (const point of dataPoints) point.attributes = plain(point.attributes);
        metrics.set(metric.name, metric);
      }
    }
  }

  const { url, close } = await listen(server);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  return { environment, spans, metrics, resource, bodies, contentTypes, close };
}
