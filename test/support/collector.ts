/** An OpenTelemetry collector that records the spans and metrics it receives over OTLP/HTTP as JSON. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

interface CollectedSpan {
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

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

const plain = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startCollector() {
  const spans: CollectedSpan[] = [];
  /** The values that were sent last, by name, as OTLP has them, but with plain attributes. */
  const metrics = new Map<string, any>();
  /** The bodies of all requests, unparsed. */
  const bodies: string[] = [];
  const contentTypes = new Set<string>();
  /** Attributes of the process that sent them. */
  const resource: Record<string, unknown> = {};
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('latin1');
    bodies.push(body);
    const contentType = String(request.headers['content-type']);
    contentTypes.add(contentType);
    const isJson = contentType === 'application/json';
    if (isJson) record(JSON.parse(body));
    response.writeHead(200, { 'content-type': contentType }).end(isJson ? '{}' : '');
  });

  function record({ resourceSpans = [], resourceMetrics = [] }: any): void {
    for (const sender of [...resourceSpans, ...resourceMetrics])
      Object.assign(resource, plain(sender.resource.attributes));
    for (const span of resourceSpans.flatMap((sender: any) => sender.scopeSpans).flatMap(spansOf)) {
      const { attributes, links = [], status } = span;
      spans.push({ ...span, attributes: plain(attributes), links, status: status?.code ?? 0 });
    }
    for (const metric of resourceMetrics.flatMap((sender: any) => sender.scopeMetrics).flatMap(metricsOf)) {
      const { dataPoints } = metric.sum ?? metric.gauge ?? metric.histogram;
      for (const point of dataPoints) point.attributes = plain(point.attributes);
      metrics.set(metric.name, metric);
    }
  }

  const { url, close } = await listen(server);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  return { environment, spans, metrics, resource, bodies, contentTypes, close };
}

const spansOf = ({ spans }: any) => spans;
const metricsOf = ({ metrics }: any) => metrics;
