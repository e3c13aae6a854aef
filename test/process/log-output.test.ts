/** Standard output without a reader: the gateway continues, and counts the lines that it drops. */
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';

afterEach(killProcesses);

async function ask(url: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'r'.repeat(64) },
    body: JSON.stringify({ query: `query ${'n'.repeat(100)} { __typename }` }),
  });
  await response.arrayBuffer();
  return response.status;
}

it('serves every request while standard output is stalled, counts the dropped lines, and exits', {
  timeout: 60_000,
}, async () => {
  const gateway = await startProcess({
    NODE_ENV: 'production',
    UPSTREAM_URL: 'sandbox',
    METRICS_PORT: '0',
  });
  const metrics = /metrics at (http\S+)/.exec(gateway.lines.join('\n'))?.[1] as string;
  const dropped = async () =>
    Number(/^folio_log_lines_dropped_total (\d+)$/m.exec(await (await fetch(metrics)).text())?.[1]);
  expect(await dropped()).toBe(0);

  gateway.process.stdout?.pause();
  let longestMs = 0;
  for (let round = 0; round < 1_000 && (await dropped()) === 0; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => ask(gateway.url)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const startedAt = performance.now();
    expect((await fetch(new URL('/health', gateway.url))).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  expect(await dropped()).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(1_000);

  gateway.process.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

it('writes every line to an output that is read, the last ones when the process exits', async () => {
  const gateway = await startProcess({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' });
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 20 }, () => ask(gateway.url)));
  }
  const closed = once(gateway.process, 'close');
  gateway.process.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect(gateway.lines.filter((line) => line.includes('"msg":"operation"'))).toHaveLength(200);
});

it('writes at most 100 characters of an operation’s name to the log', async () => {
  const gateway = await startTestGateway();
  await gateway.ask(`query ${'n'.repeat(50_000)} { __typename }`);
  const line = gateway.log().find((text) => text.includes('"msg":"operation"')) as string;
  expect(JSON.parse(line).name).toBe('n'.repeat(100));
  expect(gateway.log().join('').length).toBeLessThan(10_000);
  await gateway.close();
});
