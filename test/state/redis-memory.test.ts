/** What the metrics show of the memory of the shared Redis. */
import { expect, it } from 'vitest';
import type { SharedRedis } from '../../src/state/redis.ts';
import { createRedisMemory } from '../../src/state/redis-memory.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

interface Primary {
  readonly keys: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

const names = ['keys', 'bytes', 'limit_bytes', 'evicts'] as const;

/** The gauges after a reading of these primaries, and their memory. No primaries: a gateway without Redis. */
async function readingOf(...primaries: Primary[]) {
  const servers = primaries.map(({ keys, bytes, limitBytes }) => ({
    info: async () => `# Memory\r\nused_memory:${bytes}\r\nmaxmemory:${limitBytes}\r\n`,
    dbsize: async () => keys,
  }));
  const redis = { servers: () => servers, isEvicting: () => false } as unknown as SharedRedis;
  const metrics = createMetrics('test');
  let all: object | undefined;
  const read = createRedisMemory(primaries.length > 0 ? redis : undefined, metrics, async (memory) => {
    all = memory;
  });
  if (primaries.length > 0) await read();
  const { text } = await metrics.text({ isOpenMetrics: false });
  const gauges = names.map((name) => Number(new RegExp(`^folio_redis_${name} (.*)$`, 'm').exec(text)?.[1]));
  return { gauges, all };
}

const fullest = { keys: 1, bytes: 90, limitBytes: 100 };
const larger = { keys: 2, bytes: 500, limitBytes: 1_000 };
const unlimited = { keys: 3, bytes: 900, limitBytes: 0 };
const ofFullest = [1, 90, 100, 0];

it.each([
  ['0 without Redis, which has no bound', [], { gauges: [0, 0, 0, 0] }],
  [
    'those of the fullest primary, and the bound is that of all together',
    [larger, fullest],
    { gauges: ofFullest, all: { bytes: 590, limitBytes: 1_100 } },
  ],
  [
    'those of a primary with a limit, and the cluster is not bounded when another has none',
    [unlimited, fullest],
    { gauges: ofFullest, all: { bytes: 990, limitBytes: 0 } },
  ],
])('the gauges are %s', async (_what, primaries, reading) => {
  expect(await readingOf(...primaries)).toEqual(reading);
});
