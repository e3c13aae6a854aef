/** Ledgers of two gateways: one in memory for both, or two that share a Redis. */
import type { Owner } from '../../src/caller.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { createIdempotencyLedger, type IdempotencyLedger } from '../../src/state/ledger/ledger.ts';
import { createMemoryStore } from '../../src/state/ledger/memory-store.ts';
import { createRedisEntries } from '../../src/state/ledger/redis-entries.ts';
import { createRedisRefusals } from '../../src/state/ledger/redis-refusals.ts';
import { createRedisStore } from '../../src/state/ledger/redis-store.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { fleetKeys, silentLog } from './redis.ts';
import { aShares } from './shares.ts';

const { laneOf } = fleetKeys;
const credentials = { apiKey: 'a', authorization: 'Bearer 1' };
/** A caller with the same API key and no token. */
export const otherLane = laneOf({ apiKey: 'a', authorization: undefined });
export const owner = otherLane as string as Owner;
export const lane = laneOf(credentials);

/** A request with a key. Default: of the caller with a token, with the same input as others. */
export const keyed = (key: string, asked = lane, input: string | Promise<string> = 'input') => ({
  owner,
  lane: asked,
  credentials,
  key,
  input: { digest: Promise.resolve(input), consume() {} },
});

/** Bounds the bytes of a ledger in memory. */
export const ledgerBudget = (bytes: number) =>
  new LaneBudget(shareOf('ledger', bytes, { leavesRoom: true }), aShares());

/** Bounds the requests that wait for the outcome of another one. */
export const joins = (most = 1_000) => new LaneBudget(shareOf('joins', most), aShares());

/** A ledger in memory, as a single gateway has it. */
export function memoryLedger(
  ttlMs: number,
  budget = ledgerBudget(32 * 1024 * 1024),
  mostJoins?: number,
): IdempotencyLedger {
  const metrics = createMetrics('test');
  const store = createMemoryStore(ttlMs, budget, metrics);
  return createIdempotencyLedger(store, metrics, joins(mostJoins), aShares().scheduler);
}

export type RedisLedger = Awaited<ReturnType<typeof redisLedger>>;

/** The ledger of one gateway in Redis, over a connection of its own. */
export async function redisLedger(url: string, ttlMs: number, leaseMs: number, replicas = 0) {
  const connection = await connectRedis({ kind: 'server', url }, silentLog);
  const entries = createRedisEntries(connection, { ttlMs, leaseMs, replicas });
  const metrics = createMetrics('test');
  const refusals = createRedisRefusals(metrics, silentLog);
  const options = { entries, refusals, metrics };
  const store = createRedisStore(connection, fleetKeys, options);
  return {
    connection,
    entries,
    ledger: createIdempotencyLedger(store, metrics, joins(), aShares().scheduler),
  };
}
