/** What a gateway keeps beyond one request, in its memory or in the Redis that it shares with others. */
import type { Config } from '../config/config.ts';
import { parseRedisAddress } from '../config/redis-address.ts';
import { LaneBudget } from '../shares/lane-budget.ts';
import { createRateLimit } from '../shares/rate-limit.ts';
import { shareOf } from '../shares/share.ts';
import type { Shares } from '../shares/shares.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createFleetBudget } from './fleet-budget.ts';
import { createIdempotencyLedger } from './ledger/ledger.ts';
import type { LedgerHealth } from './ledger/ledger-health.ts';
import { createMemoryStore } from './ledger/memory-store.ts';
import { createRedisStore } from './ledger/redis-store.ts';
import type { SharedRedis } from './redis.ts';
import { createRedisStatusBus } from './redis-status-bus.ts';
import { createSealedBox, type SealedBox } from './sealed-box.ts';
import { createLocalStatusBus } from './status-bus.ts';

export interface Shared {
  readonly redis: SharedRedis;
  readonly box: SealedBox;
}

/** What several gateways share; undefined for a single one. Redis is loaded only where it is configured. */
export async function connectShared(
  { redisUrl, laneSecret }: Config,
  log: Log,
  parts: AsyncDisposableStack,
): Promise<Shared | undefined> {
  const address = redisUrl === undefined ? undefined : parseRedisAddress(redisUrl);
  if (address === undefined || laneSecret === undefined) return undefined;
  const { connectRedis } = await import('./redis.ts');
  const redis = await connectRedis(address, laneSecret, log);
  parts.defer(() => redis.close());
  return { redis, box: createSealedBox(laneSecret) };
}

export async function createState(
  { idempotencyTtlMs: ttlMs, limits, malaysia, memory, redisReplicas: replicas }: Config,
  metrics: Metrics,
  shares: Shares,
  shared: Shared | undefined,
  health: LedgerHealth,
) {
  metrics.gauge('folio_redis_lost', () => (shared?.redis.isLost() ? 1 : 0));
  const store = shared
    ? createRedisStore(shared.redis, shared.box, { ttlMs, replicas, health, metrics })
    : createMemoryStore({
        ttlMs,
        metrics,
        budget: new LaneBudget(shareOf('ledger', memory.idempotencyLedger), shares),
      });
  return {
    ledger: createIdempotencyLedger(store, metrics),
    rateLimit: await createRateLimit(limits.rateLimitPerMinute, shares.acceptedLanes, shared?.redis.commands),
    fleetBudget: shared && createFleetBudget(shared.redis, 'polls', malaysia.pollBudgetPerSecond),
    statusBus: shared ? createRedisStatusBus(shared.redis, shared.box) : createLocalStatusBus(),
  };
}
