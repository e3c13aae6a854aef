/** Redis would drop what must not be forgotten. */
export class EvictingRedis extends Error {
  override readonly name = 'EvictingRedis';

  constructor(policy: string) {
    super(
      `REDIS_URL: the server's maxmemory-policy is ${policy}, which evicts idempotency keys: an invoice could be sent ` +
        'twice. Set it to noeviction.',
    );
  }
}
