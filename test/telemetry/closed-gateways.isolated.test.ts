/** What is left of a gateway that was closed, in a process that starts others. */
import { expect, it } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { heapBytes as collectGarbage } from '../support/heap.ts';

function closedGateway() {
  const watches = new Set<string>();
  createMetrics('0.0.0').gauge('folio_watches', () => watches.size);
  return new WeakRef(watches);
}

it('the metrics of the process keep nothing of a gateway that was closed', async () => {
  const watches = closedGateway();
  await collectGarbage();
  expect(watches.deref()).toBeUndefined();
});
