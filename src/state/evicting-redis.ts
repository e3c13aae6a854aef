import type { Redis } from 'ioredis';
import type { Log } from '../telemetry/log.ts';

/** Redis would drop what must not be forgotten. */
export class EvictingRedisError extends Error {
  override readonly name = 'EvictingRedisError';

  constructor(policy: string) {
    super(
      `REDIS_URL: the server's maxmemory-policy is ${policy}, which evicts idempotency keys: an invoice could be sent ` +
        'twice. Set it to noeviction.',
    );
  }
}

/** The server's maxmemory-policy when it is one that evicts. A server that does not tell is logged and trusted. */
export async function evictingPolicy(redis: Redis, log: Log): Promise<string | undefined> {
  try {
    const policy = (await policyOfInfo(redis)) ?? (await policyOfConfig(redis));
    if (policy === undefined) log.warn('the eviction policy of redis cannot be read');
    return policy === 'noeviction' ? undefined : policy;
  } catch (error) {
    // The next connection is checked when this one was lost meanwhile.
    if (redis.status === 'ready') log.warn({ err: error }, 'the eviction policy of redis cannot be read');
    return undefined;
  }
}

async function policyOfInfo(redis: Redis): Promise<string | undefined> {
  const memory = await redis.info('memory').catch(() => '');
  return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
}

/** Asked for second, since hosted servers refuse CONFIG. */
async function policyOfConfig(redis: Redis): Promise<string | undefined> {
  const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as string[];
  return policy;
}
