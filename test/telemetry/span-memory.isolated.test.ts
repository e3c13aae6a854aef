/** Spans wait until they are sent to the collector: what one holds of its caller's request is bounded. */
import { expect, it } from 'vitest';
import type { TracingConfig } from '../../src/config/config.ts';
import { createOpenTelemetry, resourceOf } from '../../src/telemetry/open-telemetry.ts';
import { heapBytes } from '../support/heap.ts';

it('a span that continues a trace does not keep the header of its caller in memory', () => {
  const config = {
    sampler: 'always_on',
    samplerRatio: 1,
    trustsParent: true,
    endpoint: new URL('http://localhost'),
  };
  const { start } = createOpenTelemetry(config as TracingConfig, resourceOf('0.0.0'), '0.0.0');
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const before = heapBytes();
  const spans = Array.from({ length: 20 }, (_, index) => {
    const traceparent = `01-${traceId}-b7ad6b7169203331-01-${'x'.repeat(1_000_000 + index)}`;
    return start('query', { parent: { traceparent, tracestate: undefined } });
  });
  expect(heapBytes() - before).toBeLessThan(2_000_000);
  expect(spans.map((span) => span.traceId)).toEqual(Array(20).fill(traceId));
});
