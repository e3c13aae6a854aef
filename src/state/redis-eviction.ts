import type { Redis } from 'ioredis';
import type { Log } from '../telemetry/log.ts';
import { replyCodeOf } from './redis-error.ts';

export class EvictingRedisError extends Error {
  override readonly name = 'EvictingRedisError';

  constructor(policy: string) {
    super(
      `REDIS_URL: the server's maxmemory-policy is ${policy}. It evicts idempotency keys, so an invoice could be sent ` +
        'twice. Set it to noeviction.',
    );
  }
}

/** The maxmemory-policies of the servers, as far as they can be read. */
export async function readPolicies(
  servers: readonly Redis[],
  log: Pick<Log, 'warn'>,
): Promise<readonly string[]> {
  const policies = await Promise.all(servers.map((server) => policyOf(server, log)));
  return policies.filter((policy) => policy !== undefined);
}

/** If it cannot be read, logs a warning and returns undefined. */
async function policyOf(redis: Redis, log: Pick<Log, 'warn'>): Promise<string | undefined> {
  try {
    const ofInfo = policyIn(await redis.info('memory').catch(() => ''));
    // Hosted servers often refuse CONFIG.
    const policy = ofInfo ?? ((await redis.config('GET', 'maxmemory-policy')) as string[])[1];
    if (policy === undefined) log.warn('the eviction policy of redis cannot be read');
    return policy;
  } catch (error) {
    // If the connection was lost meanwhile, the next one is checked.
    if (redis.status === 'ready')
      log.warn({ err: error, reply: replyCodeOf(error) }, 'the eviction policy of redis cannot be read');
    return undefined;
  }
}

export function policyIn(info: string): string | undefined {
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
}
