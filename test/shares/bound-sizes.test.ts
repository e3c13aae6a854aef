/** The bounds of docs/limits.md, "Memory of the process", and the parts of newcomers and of one caller. */
import { execFileSync } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { countBounds, heapSize } from '../../src/config/memory-budgets.ts';
import { createSharesByBound } from '../../src/shares/bound-sizes.ts';
import { fc } from '../support/fast-check.ts';

const MiB = 1024 * 1024;
const sharesAt = (heapBytes: number, env = {}) => createSharesByBound(readConfig(env, heapBytes));

type Bound = keyof ReturnType<typeof sharesAt>;

it.each<[Bound, all: number, newcomers: number, owner: number]>([
  ['bodies', 12 * MiB, 12 * MiB, 9 * MiB],
  ['joins', 512, 256, 384],
  ['variables', 10 * MiB, 5 * MiB, 2.5 * MiB],
  ['writes', 16 * MiB, 8 * MiB, 4 * MiB],
  ['ledger', 12 * MiB, 6 * MiB, 3 * MiB],
  ['documents', 8 * MiB, 4 * MiB, 2 * MiB],
  ['subscriptions', 16 * MiB, 8 * MiB, 6 * MiB],
  ['watches', 8 * MiB, 4 * MiB, 4 * MiB],
  ['waiting', 640, 320, 200],
  ['results', 12 * MiB, 6 * MiB, 9 * MiB],
  ['responses', 64 * MiB, 64 * MiB, 48 * MiB],
  ['sockets', 8_192, 4_096, 6_144],
  ['streams', 1_638, 819, 1_228],
  ['files', 256, 128, 192],
  ['admission', 7_969_177, 3_984_588, 5_976_882],
])('of a heap of 256 MiB, the bound %s is %i: %i for newcomers and %i for one caller', (bound, ...parts) => {
  const { all, newcomers, owner } = sharesAt(256 * MiB)[bound];
  expect([all, newcomers, owner]).toEqual(parts);
});

it('a large heap adds nothing beyond 256 MiB a part, and 512 MiB of responses', () => {
  const shares = sharesAt(64 * 1024 * MiB);
  const ofBytes = 'bodies variables writes ledger documents subscriptions watches results'.split(' ');
  for (const bound of ofBytes) expect(shares[bound as Bound].all).toBe(256 * MiB);
  expect([shares.joins.all, shares.waiting.all, shares.admission.all]).toEqual([16_384, 16_384, 32 * MiB]);
  expect(shares.responses).toMatchObject({ all: 512 * MiB, newcomers: 256 * MiB, owner: 384 * MiB });
  expect(shares.watches.owner, '10,000 watches').toBe(10_000 * 2_560);
  expect(readConfig({}, 64 * 1024 * MiB).memory.documentCache).toBe(8 * MiB);
});

it('the heap is without the 96 MiB of the young generation, and of 256 MiB has 16,384 connections, of which 2,048 are idle', () => {
  expect(heapSize()).toBe(getHeapStatistics().heap_size_limit - 96 * MiB);
  expect(countBounds(256 * MiB, 20_000)).toMatchObject({ connections: 16_384, idleConnections: 2_048 });
  expect([128, 1_024].map((heap) => sharesAt(heap * MiB).responses.all)).toEqual([64 * MiB, 256 * MiB]);
});

it.each([
  ['--max-semi-space-size=128', ''],
  ['--max_semi_space_size=100', '--max-semi-space-size=16'],
  ['--max-semi-space-size=0', ''],
  ['', '--max-semi-space-size=64'],
])('the heap is without the young generation, of any size: %s, NODE_OPTIONS=%s', (option, NODE_OPTIONS) => {
  const script = "console.log((await import('./src/config/memory-budgets.ts')).heapSize())";
  const options = ['--max-old-space-size=256', option, '--input-type=module', '-e', script];
  const printed = execFileSync(process.execPath, options.filter(Boolean), {
    env: { ...process.env, NODE_OPTIONS },
    encoding: 'utf8',
  });
  expect(Number(printed)).toBe(256 * MiB);
});

it('a connection is left when callers have all that the bounds allow them to hold, for any size of the heap', () => {
  const heaps = fc.integer({ min: 16 * MiB, max: 64 * 1024 * MiB });
  const holds = fc.property(heaps, fc.integer({ min: 1, max: 1_000_000 }), (heapBytes, mostSockets) => {
    const { connections, idleConnections } = countBounds(heapBytes, mostSockets);
    const { sockets, slots, waiting, joins } = sharesAt(heapBytes, { MAX_SOCKETS: `${mostSockets}` });
    const held = sockets.all + slots.all + waiting.all + joins.all + idleConnections;
    expect(held).toBeLessThan(connections);
  });
  fc.assert(holds, { seed: 20_310_409, numRuns: 300 });
});

it('half of the connections to the service take uploads, and each part of a bound is at least 1', () => {
  const env = { UPSTREAM_CONNECTIONS: '3', UPSTREAM_CONCURRENCY_PER_CALLER: '2' };
  const { slots, uploads } = sharesAt(256 * MiB, env);
  expect(slots).toMatchObject({ all: 3, newcomers: 1, owner: 2 });
  expect(uploads).toMatchObject({ all: 2, newcomers: 1, owner: 1 });
});

it('one caller may have as many calls waiting as one operation, and at least 200, also while it is a newcomer', () => {
  expect(sharesAt(128 * MiB).waiting).toMatchObject({ all: 320, newcomers: 228, owner: 200 });
  expect(sharesAt(256 * MiB).waiting).toMatchObject({ all: 640, newcomers: 320 });
  expect(sharesAt(16 * MiB, { MAX_OPERATION_COST: '10' }).waiting.owner).toBe(200);
  expect(sharesAt(16 * MiB, { MAX_OPERATION_COST: '300' }).waiting.owner).toBe(300);
});
