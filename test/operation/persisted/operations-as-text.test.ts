import { expect, it } from 'vitest';
import { createAsTextReport } from '../../../src/operation/persisted/persisted-operations.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';

it('of 1,000 operations that are sent as text each is logged once, and with more each again', () => {
  const logged: string[] = [];
  const log = { warn: ({ hash }: { hash: string }) => logged.push(hash) };
  const report = createAsTextReport(createMetrics('test'), log as never);
  const send = (hash: number) => report(String(hash), undefined, 'name', 'request');
  for (const _round of [1, 2]) for (let hash = 0; hash < 1_000; hash += 1) send(hash);
  expect(logged).toHaveLength(1_000);
  send(1_000);
  send(0);
  expect(logged.slice(1_000)).toEqual(['1000', '0']);
});
