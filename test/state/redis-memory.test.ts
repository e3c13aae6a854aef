/** What the metrics show of the memory of the shared Redis. */
import { expect, it } from 'vitest';
import type { SharedRedis } from '../../src/state/redis.ts';
import { watchRedisMemory } from '../../src/state/redis-memory.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { forTest } from '../support/lifetimes.ts';

interface Primary {
  readonly keys: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

const names = ['keys', 'bytes', 'limit_bytes', 'evicts'] as const;

/** The gauges after the first reading of these primaries, and their memory. Without primaries there is no Redis. */
async function readingOf(...primaries: Primary[]) {
  const servers = primaries.map(({ keys, bytes, limitBytes }) => ({
    info: async () => `# Memory\r\nused_memory:${bytes}\r\nmaxmemory:${limitBytes}\r\n`,
    dbsize: async () => keys,
  }));
  const redis = { servers: () => servers, isEvicting: () => false, recordPolicies() {} };
  const metrics = createMetrics('test');
  const all = await new Promise<object | undefined>((resolve) => {
    const shared = primaries.length > 0 ? (redis as unknown as SharedRedis) : undefined;
    const close = watchRedisMemory(shared, metrics, async (memory) => resolve(memory));
    forTest({ close });
    if (!shared) resolve(undefined);
  });
  const { text } = await metrics.text({ isOpenMetrics: false });
  const gauges = names.map((name) => Number(new RegExp(`^folio_redis_${name} (.*)$`, 'm').exec(text)?.[1]));
  return { gauges, all };
}

it('the gauges are 0 without Redis', async () => {
  expect(await readingOf()).toEqual({ gauges: [0, 0, 0, 0] });
});

it('the gauges are those of the fullest primary, and the bound is that of all together', async () => {
  const fullest = { keys: 1, bytes: 90, limitBytes: 100 };
  const larger = { keys: 2, bytes: 500, limitBytes: 1_000 };
  for (const primaries of [
    [fullest, larger],
    [larger, fullest],
  ])
    expect(await readingOf(...primaries)).toEqual({
      gauges: [1, 90, 100, 0],
      all: { bytes: 590, limitBytes: 1_100 },
    });
});

it('a primary without a limit is never the fullest, and then all together have none', async () => {
  const [limited, unlimited] = [
    { keys: 1, bytes: 10, limitBytes: 100 },
    { keys: 2, bytes: 900, limitBytes: 0 },
  ];
  expect(await readingOf(unlimited, limited)).toEqual({
    gauges: [1, 10, 100, 0],
    all: { bytes: 910, limitBytes: 0 },
  });
});
