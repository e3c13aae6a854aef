/**
 * The memory of the shared Redis, read again and again: entries are kept until they expire, a full Redis refuses writes, and
 * one that evicts forgets them.
 */
import type { Redis } from 'ioredis';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SharedRedis } from './redis.ts';
import { policyIn } from './redis-eviction.ts';

/** Time between two readings (ms). */
const intervalMs = 5_000;

/** Of the fullest primary. */
interface Memory {
  readonly keys: number;
  readonly bytes: number;
  /** 0: no limit. */
  readonly limitBytes: number;
  readonly policy?: string | undefined;
}

const unknown: Memory = { keys: 0, bytes: 0, limitBytes: 0 };

/**
 * Registers the gauges. `redis`: undefined for a single gateway. `onRead` is called with the memory of all primaries together;
 * without a limit of one of them there is none. Returns a function that stops the readings.
 */
export function watchRedisMemory(
  redis: SharedRedis | undefined,
  metrics: Metrics,
  onRead: (all: Pick<Memory, 'bytes' | 'limitBytes'>) => Promise<void> = async () => {},
): () => void {
  let memory = unknown;
  metrics.gauge('folio_redis_keys', () => memory.keys);
  metrics.gauge('folio_redis_bytes', () => memory.bytes);
  metrics.gauge('folio_redis_limit_bytes', () => memory.limitBytes);
  metrics.gauge('folio_redis_evicts', () => (redis?.isEvicting() ? 1 : 0));
  if (!redis) return () => {};
  const read = async () => {
    const all = await Promise.all(redis.servers().map(memoryOf));
    memory = all.toSorted((a, b) => fullness(b) - fullness(a))[0] ?? unknown;
    const policies = all.flatMap(({ policy }) => policy ?? []);
    if (policies.length > 0) redis.recordPolicies(policies);
    const limits = all.map(({ limitBytes }) => limitBytes);
    await onRead({
      bytes: sumOf(all.map(({ bytes }) => bytes)),
      limitBytes: limits.includes(0) ? 0 : sumOf(limits),
    });
  };
  const readAgain = () => {
    // Again: the last try shows nothing if its reply came too late, as in the first second of a process.
    void redis.tryMessage();
    // Redis is lost, or refuses INFO or DBSIZE: the last reading stays.
    read().catch(() => {});
  };
  readAgain();
  const timer = setInterval(readAgain, intervalMs);
  return () => clearInterval(timer);
}

async function memoryOf(server: Redis): Promise<Memory> {
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
