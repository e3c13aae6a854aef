/** Counts and reports that writes were refused because of Redis, the shared store of idempotency keys: redis-store.ts refuses them. */
import type { Log } from '../../telemetry/log.ts';
import type { Metrics, RefusalReason } from '../../telemetry/metrics.ts';
import { isTimeout, replyCodeOf } from '../redis-error.ts';

export type RedisRefusals = ReturnType<typeof createRedisRefusals>;

/** How long a refusal counts when no write follows (ms). */
const recentMs = 60_000;

const reasonOfReply: Readonly<Record<string, RefusalReason>> = {
  OOM: 'full',
  READONLY: 'read_only',
  NOREPLICAS: 'no_replicas',
  NOPERM: 'not_permitted',
  NOAUTH: 'not_permitted',
  WRONGPASS: 'not_permitted',
};

/** The reason of an error that Redis replied, or that its connection reported. */
export function reasonOf(error: unknown): RefusalReason {
  const code = replyCodeOf(error);
  if (code !== undefined) return reasonOfReply[code] ?? 'other';
  return isTimeout(error) ? 'timeout' : 'lost';
}

export function createRedisRefusals(metrics: Metrics, log: Log) {
  const current = new Set<RefusalReason>();
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    /** Counts a refusal. The first one with a reason is an error in the log, until a write is accepted. */
    count(reason: RefusalReason, cause?: unknown) {
      metrics.ledgerRefused.inc({ reason });
      lastAt = performance.now();
      if (current.has(reason)) return;
      current.add(reason);
      log.error({ reason, reply: replyCodeOf(cause) }, 'the idempotency ledger refuses writes');
    },
    /** Another program uses the name of an entry. Its key is refused, and all others are accepted. */
    foreignEntry(name: string) {
      log.error({ entry: name }, 'redis has an entry that no gateway wrote');
    },
    accepted() {
      if (current.size === 0) return;
      log.info({ reasons: [...current] }, 'the idempotency ledger accepts writes again');
      current.clear();
    },
    /** The reasons of refusals since a write was last accepted; after a minute without a refusal none. */
    recent: () => (performance.now() - lastAt < recentMs ? [...current] : []),
  };
}
