/** Large responses of the service that are read at the same time. */
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { Lane } from '../../src/caller.ts';
import { responsesBytes } from '../../src/config/memory-budgets.ts';
import { createResponseBudget } from '../../src/upstream/call/response-budget.ts';
import { alice, bob } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';

afterEach(killProcesses);

const MiB = 1024 * 1024;

it('the budget of responses is a quarter of the heap, and holds at least two of the largest', () => {
  expect(responsesBytes(64 * MiB)).toBe(64 * MiB);
  expect(responsesBytes(1_024 * MiB)).toBe(256 * MiB);
  expect(responsesBytes(16_384 * MiB)).toBe(512 * MiB);
});

it('the largest response of the lane that holds most is given up, and never a small one', () => {
  const response = fc.record({ lane: fc.nat(3), bytes: fc.nat(500_000) });
  fc.assert(
    fc.property(fc.array(response, { maxLength: 30 }), (responses) => {
      const budget = createResponseBudget(1_000_000);
      const open = new Map<number, { lane: number; bytes: number }>();
      for (const [index, { lane, bytes }] of responses.entries()) {
        open.set(index, { lane, bytes });
        const share = budget.open(`lane-${lane}` as Lane, () => {
          const large = [...open.values()].filter((other) => other.bytes > 65_536);
          const ofLane = (id: number) =>
            large.filter((other) => other.lane === id).reduce((sum, other) => sum + other.bytes, 0);
          const { lane: id, bytes: size } = open.get(index) as { lane: number; bytes: number };
          expect(size).toBe(
            Math.max(...large.filter((other) => other.lane === id).map((other) => other.bytes)),
          );
          for (const other of large) expect(ofLane(id)).toBeGreaterThanOrEqual(ofLane(other.lane));
          open.delete(index);
        });
        share.hold(bytes);
        const held = [...open.values()].filter((other) => other.bytes > 65_536);
        expect(held.reduce((sum, other) => sum + other.bytes, 0)).toBeLessThanOrEqual(1_000_000);
      }
    }),
    { seed: 20_310_409, numRuns: 300 },
  );
});

it('a caller who reads many large responses gets RATE_LIMITED for some, and others are served', async () => {
  const service = await does.startService((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.headers['x-api-key'] === bob['x-api-key']) response.end('{"status":"queued"}');
    else response.write(Buffer.alloc(30 * MiB, ' '));
  });
  const gateway = await startProcess({
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=64',
    UPSTREAM_URL: service.url,
  });
  const ask = async (id: number, headers: Record<string, string>) => {
    const query = `{ malaysiaStatus(documentId: "${id}") { state } }`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return (await (await fetch(gateway.url, { ...init, body: JSON.stringify({ query }) })).json()) as any;
  };
  const reads = [1, 2, 3].map((id) => ask(id, alice));
  const { errors } = await Promise.race(reads);
  expect(errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', sideEffect: 'NONE', retryable: true });
  expect(await ask(4, bob)).toEqual({ data: { malaysiaStatus: { state: 'QUEUED' } } });
  killProcesses();
  await Promise.allSettled(reads);
  await service.close();
}, 30_000);
