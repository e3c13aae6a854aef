/** Exports traces and metrics where a collector is configured. OpenTelemetry is loaded only then. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Resources } from '../tools/resources.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { noTracing, type Tracing } from './tracing.ts';

/** Longest time to send the last spans and metrics when the gateway stops (ms). */
const longestFlushMs = 2_000;

/** `version`: of the gateway. The exports end with `resources`. */
export async function startExports(
  { tracing: config }: Pick<Config, 'tracing'>,
  version: string,
  metrics: Metrics,
  log: Log,
  resources: Resources,
): Promise<Tracing> {
  if (!config) return noTracing;
  const { createOpenTelemetry, resourceOf } = await import('./open-telemetry.ts');
  const { exportMetrics } = await import('./otlp-metrics.ts');
  const resource = resourceOf(version);
  const tracing = createOpenTelemetry(config, resource, version, log);
  const exports = [tracing, exportMetrics(config, resource, metrics, log)];
  // A collector that does not respond must not keep the process running.
  resources.defer(async () => {
    const closed = Promise.allSettled(exports.map((part) => part.close()));
    await Promise.race([closed, sleep(longestFlushMs, undefined, { ref: false })]);
  });
  return tracing;
}
