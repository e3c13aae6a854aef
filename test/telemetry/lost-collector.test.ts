/** A collector that takes no traces and metrics. */
import { resourceFromAttributes } from '@opentelemetry/resources';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetricExporter } from '../../src/telemetry/otlp-exporters.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { json, startService } from '../support/service.ts';

/** Responds with these statuses in turn, and with the last of them from then on. */
async function collector(...statuses: number[]) {
  const { url } = forTest(await startService(...statuses.map((status) => json(status, {}))));
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
}

it('is a warning in the log, of traces and of metrics', async () => {
  const gateway = await startTestGateway(await collector(400));
  await gateway.ask('{ __typename }');
  await gateway.close();
  for (const what of ['traces', 'metrics'])
    expect(gateway.logged(`the collector takes no ${what}`)).toMatchObject([{ err: { code: 400 } }]);
});

it('is logged when it begins and when it ends, and not in between', async () => {
  const { tracing } = readConfig(await collector(400, 400, 200, 200, 400));
  const messages: string[] = [];
  const destination = { write: (line: string) => void messages.push(JSON.parse(line).msg) };
  const log = createLog({ level: 'info', production: true, destination });
  const exporter = createMetricExporter(tracing as NonNullable<typeof tracing>, log);
  const metrics = { resource: resourceFromAttributes({}), scopeMetrics: [] };
  for (let times = 0; times < 5; times += 1)
    await new Promise((resolve) => exporter.export(metrics, resolve));
  expect(messages).toEqual([
    'the collector takes no metrics',
    'the collector takes metrics again',
    'the collector takes no metrics',
  ]);
});
