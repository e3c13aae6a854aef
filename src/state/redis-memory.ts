/** The memory of the shared Redis: entries are kept until they expire, a full Redis refuses writes, and one that evicts forgets them. */
import type { Redis } from 'ioredis';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SharedRedis } from './redis.ts';
import { policyIn } from './redis-eviction.ts';

type Memory = Awaited<ReturnType<typeof memoryOf>>;

const unknown: Memory = { keys: 0, bytes: 0, limitBytes: 0, policy: undefined };

/**
 * Registers the gauges, which are 0 for a single gateway: `redis` is undefined. Returns a function that reads the memory again. It
 * calls `onRead` with that of all primaries together; without a limit of one of them there is none. It rejects when Redis is lost,
 * or refuses INFO or DBSIZE: the last reading stays.
 */
export function createRedisMemory(
  redis: SharedRedis | undefined,
  metrics: Metrics,
  onRead: (all: Pick<Memory, 'bytes' | 'limitBytes'>) => Promise<void> = async () => {},
) {
  /** Of the fullest primary. */
  let memory = unknown;
  metrics.gauge('folio_redis_keys', () => memory.keys);
  metrics.gauge('folio_redis_bytes', () => memory.bytes);
  metrics.gauge('folio_redis_limit_bytes', () => memory.limitBytes);
  metrics.gauge('folio_redis_evicts', () => (redis?.isEvicting() ? 1 : 0));
  return async () => {
    const all = await Promise.all((redis?.servers() ?? []).map(memoryOf));
    memory = all.toSorted((a, b) => fullness(b) - fullness(a))[0] ?? unknown;
    const policies = all.flatMap(({ policy }) => policy ?? []);
    if (policies.length > 0) redis?.recordPolicies(policies);
    const limits = all.map(({ limitBytes }) => limitBytes);
    await onRead({
      bytes: sumOf(all.map(({ bytes }) => bytes)),
      limitBytes: limits.includes(0) ? 0 : sumOf(limits),
    });
  };
}

/** `limitBytes`: 0 without a limit. */
async function memoryOf(server: Redis) {
  const [info, keys] = await Promise.all([server.info('memory'), server.dbsize()]);
  const number = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { keys, bytes: number('used_memory'), limitBytes: number('maxmemory'), policy: policyIn(info) };
}

function fullness({ bytes, limitBytes }: Memory): number {
  return limitBytes === 0 ? bytes / Number.MAX_SAFE_INTEGER : bytes / limitBytes;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
