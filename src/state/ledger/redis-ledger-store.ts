/** Entries of the idempotency ledger in Redis: every change of one is a script, so that it happens as a whole. */
import type { SharedRedis } from '../redis.ts';

/** What is known of a key that is in use. */
export interface StoredEntry {
  /** The request that reserved the key. */
  readonly holder: string;
  readonly lane: string;
  /** Set together with the outcome. */
  readonly digest: string | undefined;
  readonly outcome: Buffer | undefined;
  /** The holder renewed its lease lately. */
  readonly isHeld: boolean;
  /** Nothing was done: the key is free again, and this is kept for the repetitions that had joined. */
  readonly isFreed: boolean;
}

export interface Reservation {
  /** Name of the entry in Redis. */
  readonly entry: string;
  readonly holder: string;
  readonly lane: string;
}

export interface Settlement {
  readonly digest: string;
  readonly outcome: Buffer;
  /** The key is free again. */
  readonly isFreed: boolean;
}

export interface RedisLedgerStore {
  /** undefined: the key is now reserved. */
  reserve(reservation: Reservation): Promise<StoredEntry | undefined>;
  /** Says that the write still runs, and reserves the key again where Redis has lost it. */
  renew(reservation: Reservation): void;
  /** Keeps the outcome, or frees the key. Never rejects: what Redis cannot be told now it is told when it is back. */
  settle(reservation: Reservation, settlement: Settlement): Promise<void>;
  /** What became of a reservation; undefined: Redis has lost it. */
  look(entry: string, holder: string): Promise<StoredEntry | undefined>;
}

export interface RedisLedgerStoreOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** How long a reservation counts as held after the last sign of its holder (ms). */
  readonly leaseMs: number;
}

/** How long a freed key says so to those who had joined (ms): they look far more often. */
const freedMs = 60_000;
/** Most settlements that wait for Redis: each belongs to a write that was in progress when it was lost. */
const maxUnsettled = 10_000;

const reserveScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  local known = redis.call('HMGET', KEYS[1], 'holder', 'lane', 'digest', 'outcome')
  known[5] = redis.call('EXISTS', KEYS[2])
  return known
end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[4])
return {}`;

const renewScript = `
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then return 0 end
if not holder then redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[4])
return 1`;

const keepScript = `
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2], 'digest', ARGV[3], 'outcome', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('DEL', KEYS[2])
return 1`;

const freeScript = `
if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then redis.call('DEL', KEYS[1], KEYS[2]) end
redis.call('HSET', KEYS[3], 'holder', ARGV[1], 'lane', ARGV[2], 'digest', ARGV[3], 'outcome', ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
return 1`;

const lookScript = `
local known = redis.call('HMGET', KEYS[1], 'holder', 'lane', 'digest', 'outcome')
known[5] = redis.call('EXISTS', KEYS[2])
if known[1] == ARGV[1] then return known end
known = redis.call('HMGET', KEYS[3], 'holder', 'lane', 'digest', 'outcome')
known[6] = 1
known[5] = 0
return known`;

type Reply = readonly [
  holder: Buffer | null,
  lane: Buffer,
  digest: Buffer | null,
  outcome: Buffer | null,
  isHeld: number,
  isFreed?: number,
];

export function createRedisLedgerStore(
  { commands }: SharedRedis,
  { ttlMs, leaseMs }: RedisLedgerStoreOptions,
): RedisLedgerStore {
  /** A reservation outlives its lease, and lives no shorter than an outcome: it may have been sent. */
  const runningMs = ttlMs + 2 * leaseMs;
  const unsettled = new Map<string, () => Promise<unknown>>();

  const keysOf = (entry: string, holder: string) => [entry, `${entry}:lease`, `${entry}:freed:${holder}`];
  const run = (script: string, entry: string, holder: string, ...parameters: (string | number | Buffer)[]) =>
    commands.callBuffer('EVAL', script, 3, ...keysOf(entry, holder), holder, ...parameters);

  commands.on('ready', async () => {
    for (const [holder, settle] of unsettled) {
      await settle().then(
        () => unsettled.delete(holder),
        () => {},
      );
    }
  });

  return {
    async reserve({ entry, holder, lane }) {
      return entryIn((await run(reserveScript, entry, holder, lane, runningMs, leaseMs)) as Reply);
    },
    renew({ entry, holder, lane }) {
      run(renewScript, entry, holder, lane, runningMs, leaseMs).catch(() => {});
    },
    async settle({ entry, holder, lane }, { digest, outcome, isFreed }) {
      const [script, keptMs] = isFreed ? [freeScript, freedMs] : [keepScript, ttlMs];
      const settle = () => run(script, entry, holder, lane, digest, outcome, keptMs);
      await settle().catch(() => {
        if (unsettled.size < maxUnsettled) unsettled.set(holder, settle);
      });
    },
    async look(entry, holder) {
      return entryIn((await run(lookScript, entry, holder)) as Reply);
    },
  };
}

function entryIn([holder, lane, digest, outcome, isHeld, isFreed]: Reply | readonly []):
  | StoredEntry
  | undefined {
  if (!holder) return undefined;
  return {
    holder: String(holder),
    lane: String(lane),
    digest: digest ? String(digest) : undefined,
    outcome: outcome ?? undefined,
    isHeld: isHeld === 1,
    isFreed: isFreed === 1,
  };
}
