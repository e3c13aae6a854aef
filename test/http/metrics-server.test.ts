/** The separate port of the metrics and probes: what connections can make it hold. */
import { expect, it } from 'vitest';
import { startMetricsServer } from '../../src/http/metrics-server.ts';
import { Readiness } from '../../src/http/probes.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { headOf, openConnection } from '../support/raw-http.ts';

const { port } = forFile(
  await startMetricsServer({ host: '127.0.0.1', port: 0 }, 0, createMetrics('test'), new Readiness()),
);
const url = `http://127.0.0.1:${port}/`;

const open = async (bytes: string, to = url) => forTest(await openConnection(to, bytes));

it.each([{}, { expect: 'x' }])(
  'requests with %o pipelined behind another one get no response',
  async (headers) => {
    const { closed } = await open(headOf('GET /metrics', headers).repeat(1_000));
    expect((await closed()).split('HTTP/1.1 ').length).toBeLessThan(3);
  },
);

it('a connection is closed after its response', async () => {
  const { closed } = await open(headOf('GET /health'));
  expect(await closed()).toMatch(/connection: close.*alive/is);
});

it('of the connections with incomplete heads the newest stay open, and probes get their response', async () => {
  const openHalf = (count: number) =>
    Promise.all(Array.from({ length: count }, () => open('GET /health HTTP/1.1\r\nx: ')));
  const older = await openHalf(60);
  // Accepted behind most of them.
  expect(await (await fetch(new URL('/health', url))).json()).toEqual({ status: 'alive' });
  const newer = await openHalf(90);
  await expect.poll(() => older.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(50);
  expect(await (await fetch(new URL('/health', url))).json()).toEqual({ status: 'alive' });
  expect(newer.filter(({ socket }) => socket.destroyed).length).toBe(0);
});

it('of the connections whose response is not sent the newest 100 stay open', async () => {
  const metrics = { ...createMetrics('test'), text: () => new Promise<never>(() => {}) };
  const slow = forTest(await startMetricsServer({ host: '127.0.0.1', port: 0 }, 0, metrics, new Readiness()));
  const openSlow = () => open(headOf('GET /metrics'), `http://127.0.0.1:${slow.port}/`);
  const older = [await openSlow(), await openSlow()];
  const newer = await Promise.all(Array.from({ length: 100 }, openSlow));
  await expect.poll(() => older.filter(({ socket }) => socket.destroyed).length).toBe(2);
  expect(newer.filter(({ socket }) => socket.destroyed).length).toBe(0);
});
