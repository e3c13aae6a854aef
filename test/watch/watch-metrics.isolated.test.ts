/** The durations that a watch reports, in seconds. */
import type { Histogram } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { aListener, alice, aParcel, ParcelService } from '../support/watched-parcels.ts';

let service: ParcelService;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  service = new ParcelService();
});
afterEach(() => vi.useRealTimers());

async function sumOf(histogram: Histogram): Promise<number | undefined> {
  const { values } = await histogram.get();
  return values.find(({ metricName }) => metricName?.endsWith('_sum'))?.value;
}

it('the detection delay of a change is the time since the previous poll', async () => {
  const metrics = createMetrics('test');
  service.responses = [aParcel('PACKED'), aParcel('DELIVERED')];
  service.startWatches({ metrics }).subscribe(alice, '1', aListener());
  await vi.advanceTimersByTimeAsync(10_000);
  const [first, second] = service.polls.map(({ at }) => at) as [number, number];
  expect(await sumOf(metrics.detectionSeconds)).toBeCloseTo((second - first) / 1_000, 2);
});

it('the lag of a poll is the time that it waited for the poll budget, and 0 without a wait', async () => {
  const metrics = createMetrics('test');
  const watches = service.startWatches({ metrics, pollMaxMs: 2_000 });
  watches.subscribe(alice, '1', aListener());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(service.polls.length).toBeGreaterThan(3);
  expect(await sumOf(metrics.pollLagSeconds)).toBeLessThan(0.1);
});
