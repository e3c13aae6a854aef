/** The metrics of several gateways of a process. */
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

it('gateways that are read one after the other report the same lag of the event loop', async () => {
  const [one, other] = [createMetrics('0.0.0'), createMetrics('0.0.0')];
  const lagOf = async ({ read }: Pick<typeof one, 'read'>) =>
    (await read()).flatMap(({ name, values }) =>
      /^nodejs_eventloop_lag_(min|max|mean|stddev|p\d+)_seconds$/.test(name) ? values[0]?.value : [],
    );
  await expect.poll(async () => Math.min(...((await lagOf(one)) as number[]))).toBeGreaterThan(0);
  const lag = await lagOf(other);
  expect(lag).toHaveLength(7);
  expect(lag).toEqual(await lagOf(one));
  expect(Math.max(...(lag as number[]))).toBeLessThan(60);
});
