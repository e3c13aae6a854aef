/** An OpenTelemetry collector that records the spans and metrics it receives over OTLP/HTTP as JSON. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('latin1');
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
    const readable = (points: any) =>
      points && {
        ...points,
        dataPoints: points.dataPoints.map((point: any) => ({
          ...point,
          attributes: plain(point.attributes),
        })),
      };
    for (const { resource: sender, scopeMetrics } of resourceMetrics) {
      Object.assign(resource, plain(sender.attributes));
      for (const { sum, gauge, histogram, ...metric } of scopeMetrics.flatMap(
        (scope: any) => scope.metrics,
      )) {
        const points = { sum: readable(sum), gauge: readable(gauge), histogram: readable(histogram) };
        metrics.set(metric.name, { ...metric, ...points });
      }
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    spans,
    metrics,
    resource,
    bodies,
    contentTypes,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
