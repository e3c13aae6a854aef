/** Entries of the idempotency ledger in Redis. Each change of an entry is one script, so it is atomic. */
import type { SharedRedis } from '../redis.ts';

/** An entry as Redis stores it. */
export interface RedisEntry {
  /** Id of the request that reserved the key. */
  readonly holder: string;
  readonly lane: string;
  /** Set together with the outcome. */
  readonly digest: string | undefined;
  readonly outcome: Buffer | undefined;
  /** Remaining time of the holder's lease (ms); 0 if it has not renewed it in time, or if its write has ended. */
  readonly heldMs: number;
  /** Whether the key is free again: the outcome is only for the requests that had joined. */
  readonly isFreed: boolean;
}

export interface RedisReservation {
  /** Name of the entry in Redis. */
  readonly name: string;
  readonly holder: string;
  readonly lane: string;
}

export interface Settlement {
  readonly digest: string;
  readonly outcome: Buffer;
  /** Whether the key can be used again. */
  readonly isFreed: boolean;
}

export interface RedisEntries {
  /** Reserves the key and returns undefined, or returns the entry that uses it. */
  reserve(reservation: RedisReservation): Promise<RedisEntry | undefined>;
  /** Extends the lease of a write in progress. Reserves the key again if Redis has lost it. */
  renew(reservation: RedisReservation): void;
  /**
   * Stores the outcome, or frees the key, and sends an empty message to the channel that has the entry's name. Never
   * rejects: if Redis is unreachable, this is repeated when it is back.
   */
  settle(reservation: RedisReservation, settlement: Settlement): Promise<void>;
  /** Reads the entry that uses a key; undefined if there is none. */
  find(name: string): Promise<RedisEntry | undefined>;
  /** Reads the entry that `holder` reserved, also after its key was freed; undefined if Redis has lost it. */
  look(name: string, holder: string): Promise<RedisEntry | undefined>;
}

export interface RedisEntriesOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** How long a reservation counts as held after its last renewal (ms). */
  readonly leaseMs: number;
}

/** How long the outcome of a freed key is kept for the requests that had joined (ms). They look at least once per lease. */
const freedMs = 60_000;
/** Maximum number of settlements that wait for Redis. Each belongs to a write that was in progress when it was lost. */
const maxUnsettled = 10_000;

/** A reservation that arrives after its request has ended, e.g. sent again over a new connection, has no effect. */
const reserveScript = `
if redis.call('EXISTS', KEYS[3]) == 1 then return redis.error_reply('ERR the reservation has ended') end
local holder = redis.call('HGET', KEYS[1], 'holder')
if redis.call('EXISTS', KEYS[1]) == 1 and holder ~= ARGV[1] then
  local known = redis.call('HMGET', KEYS[1], 'holder', 'lane', 'digest', 'outcome')
  known[5] = redis.call('PTTL', KEYS[2])
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

/** ARGV[6]: PUBLISH or SPUBLISH. */
const keepScript = `
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2], 'digest', ARGV[3], 'outcome', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('DEL', KEYS[2])
redis.call(ARGV[6], KEYS[1], '')
return 1`;

const freeScript = `
if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then redis.call('DEL', KEYS[1], KEYS[2]) end
redis.call('HSET', KEYS[3], 'holder', ARGV[1], 'lane', ARGV[2], 'digest', ARGV[3], 'outcome', ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call(ARGV[6], KEYS[1], '')
return 1`;

const findScript = `
local known = redis.call('HMGET', KEYS[1], 'holder', 'lane', 'digest', 'outcome')
known[5] = redis.call('PTTL', KEYS[2])
return known`;

const lookScript = `
local known = redis.call('HMGET', KEYS[1], 'holder', 'lane', 'digest', 'outcome')
known[5] = redis.call('PTTL', KEYS[2])
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
  heldMs: number,
  isFreed?: number,
];

export function createRedisEntries(
  { commands, isSharded, onReconnect }: SharedRedis,
  { ttlMs, leaseMs }: RedisEntriesOptions,
): RedisEntries {
  /** A reservation is kept longer than its lease and as long as an outcome: its write may have been sent. */
  const runningMs = ttlMs + 2 * leaseMs;
  const publish = isSharded ? 'SPUBLISH' : 'PUBLISH';
  const unsettled = new Map<string, () => Promise<unknown>>();

  const keysOf = (name: string, holder: string) => [name, `${name}:lease`, `${name}:freed:${holder}`];
  const run = (script: string, name: string, holder: string, ...parameters: (string | number | Buffer)[]) =>
    commands.callBuffer('EVAL', script, 3, ...keysOf(name, holder), holder, ...parameters);

  onReconnect(async () => {
    for (const [holder, settle] of unsettled) {
      await settle().then(
        () => unsettled.delete(holder),
        () => {},
      );
    }
  });

  return {
    async reserve({ name, holder, lane }) {
      const reply = (await run(reserveScript, name, holder, lane, runningMs, leaseMs)) as Reply | readonly [];
      return reply.length === 0 ? undefined : (entryIn(reply) ?? unreadableEntry);
    },
    renew({ name, holder, lane }) {
      run(renewScript, name, holder, lane, runningMs, leaseMs).catch(() => {});
    },
    async settle({ name, holder, lane }, { digest, outcome, isFreed }) {
      const [script, keptMs] = isFreed ? [freeScript, freedMs] : [keepScript, ttlMs];
      const settle = () => run(script, name, holder, lane, digest, outcome, keptMs, publish);
      await settle().catch(() => {
        if (unsettled.size < maxUnsettled) unsettled.set(holder, settle);
      });
    },
    async find(name) {
      return entryIn((await run(findScript, name, '')) as Reply);
    },
    async look(name, holder) {
      return entryIn((await run(lookScript, name, holder)) as Reply);
    },
  };
}

/** An entry that no gateway wrote: its key may have been used, so it is never sent again. */
const unreadableEntry: RedisEntry = {
  holder: '',
  lane: '',
  digest: undefined,
  outcome: undefined,
  heldMs: 0,
  isFreed: false,
};

function entryIn([holder, lane, digest, outcome, heldMs, isFreed]: Reply | readonly []):
  | RedisEntry
  | undefined {
  if (!holder) return undefined;
  return {
    holder: String(holder),
    lane: String(lane),
    digest: digest ? String(digest) : undefined,
    outcome: outcome ?? undefined,
    heldMs: Math.max(heldMs ?? 0, 0),
    isFreed: isFreed === 1,
  };
}
