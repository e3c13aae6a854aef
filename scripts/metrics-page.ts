/** `docs/reference/metrics.md`: the gateway's own metrics, as they are registered. */
import { Counter, Histogram } from 'prom-client';
import { createMetrics, gauges } from '../src/telemetry/metrics.ts';

export function metricsPage(): string {
  const metrics = createMetrics('');
  for (const name of Object.keys(gauges)) metrics.gauge(name as keyof typeof gauges, () => []);
  const own = metrics.registered().filter(({ name }) => name.startsWith('folio_'));
  const rows = own
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((metric) => `| \`${metric.name}\` | ${typeOf(metric)} | ${labelsOf(metric)} | ${metric.help} |`);
  return `${introduction}
| metric | type | labels | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

type Registered = ReturnType<ReturnType<typeof createMetrics>['registered']>[number];

function typeOf(metric: Registered): string {
  if (metric instanceof Counter) return 'counter';
  return metric instanceof Histogram ? 'histogram' : 'gauge';
}

/** Exemplars are no labels of a series. */
function labelsOf({ labelNames }: Registered): string {
  return labelNames.map((name) => `\`${name}\``).join(', ');
}

const introduction = `# Metrics

Generated from the metrics that the gateway registers: \`npm run generate\`. [Operating](../operating.md#metrics) says where they are read, and which alerts and dashboards use them. Durations are in seconds. [Errors](errors.md) lists the values of \`bound\`, and the codes that \`outcome\` has. In addition the gateway has the metrics of its process and of Node, \`process_…\` and \`nodejs_…\`.
`;
