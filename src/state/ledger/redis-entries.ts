/** Entries of the idempotency ledger in Redis. Each change of an entry is one script, so it is atomic. */
import type { SharedRedis } from '../redis.ts';
import { replyCodeOf } from '../redis-error.ts';
import { type Parameter, runScript } from '../redis-script.ts';
import { createConfirm } from './replica-acknowledgements.ts';
import { createUnreplicatedChanges } from './unreplicated-changes.ts';

/**
 * Format of an entry: increase it when the fields of an entry, the value in its outcome or the binding of that change, and read
 * the format of the last release as well. Entries of version 0.2.0 have no such field: their format is 1. A gateway of
 * 0.2.0 reads format 2. `docs/upgrading.md` and `test/fixtures/ledger-entries` have each format.
 */
export const entryFormat = 2;

export type RedisEntry = NonNullable<ReturnType<typeof entryIn>>;

export interface RedisReservation {
  /** Name of the entry in Redis. */
  readonly name: string;
  readonly holder: string;
  readonly lane: string;
}

export type RedisEntries = ReturnType<typeof createRedisEntries>;

interface RedisEntriesOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** How long a reservation counts as held after its last renewal (ms). */
  readonly leaseMs: number;
  /** Number of replicas that must have a reservation. */
  readonly replicas: number;
}

/** Longer than any write (ms): its gateway can be cut off from Redis while it runs. */
const longestWriteMs = 3_600_000;
/** Lease of a key that is found unused (ms): it only has to reach replicas, and callers can ask for any number of keys. */
const unusedMs = 1;
/** How long the outcome of a freed key is kept for the requests that had joined (ms). They look at least once per lease. */
const freedMs = 60_000;
/** Size (bytes) of such an outcome above which it is kept only until those requests have read it: a refusal can have 20 long texts. */
const maxUnjoinedBytes = 1_024;
/** Most bytes of a member of an entry that are read (1 MiB): other programs can write larger ones, of which each holds up all commands. */
const maxMemberBytes = 1_024 * 1_024;
/** How often an entry is read or reserved while the primary changes. */
const maxEpochs = 3;

/** Reads the members of an entry. One that is too large is read as an empty text, which is never valid. */
const readEntry = `
local function read(key)
  local known = redis.call('HMGET', key, 'holder', 'lane', 'digest', 'outcome', 'format')
  for at = 1, 5 do if known[at] and #known[at] > ${maxMemberBytes} then known[at] = '' end end
  return known
end`;

/**
 * Reads the remaining time of a lease. One that lasts longer than a gateway asks for, as when the clock of Redis is set back, is
 * given the whole time: its holder renews it, if it still runs.
 */
const readLease = `
local function held(key, ms)
  local left = redis.call('PTTL', key)
  if left <= ms then return left end
  redis.pcall('PEXPIRE', key, ms)
  return ms
end`;

/**
 * Returns the epoch of the primary, its replication id, if the gateway does not know it: a new primary may have lost
 * entries, which this gateway has to restore first.
 */
const readEpoch = `
local info = redis.pcall('INFO', 'replication')
local epoch = type(info) == 'string' and string.match(info, 'master_replid:(%w+)') or ''
if epoch ~= ARGV[2] then return epoch end`;

/**
 * A reservation that arrives after its request has ended, e.g. sent again over a new connection, has no effect. Counts those
 * that join a write in progress, if Redis has room for that. The holder of an entry that no gateway wrote is empty: its key may
 * have been used, so it is never sent again. Makes the entry after all other commands: a user who may not run one of them would
 * have reserved the key, and be refused.
 */
const reserveScript = `${readEntry}${readLease}${readEpoch}
if redis.call('EXISTS', KEYS[3]) == 1 then return redis.error_reply('ERR the reservation has ended') end
local holder = redis.call('HGET', KEYS[1], 'holder')
if redis.call('EXISTS', KEYS[1]) == 1 and holder ~= ARGV[1] then
  local known = read(KEYS[1])
  known[1] = known[1] or ''
  known[6] = held(KEYS[2], tonumber(ARGV[5]))
  if known[2] == ARGV[3] and not known[4] then redis.pcall('HINCRBY', KEYS[1], 'joined', 1) end
  return known
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[3], 'format', ${entryFormat})
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {}`;

/** A renewal that arrives after its write has ended, e.g. over a connection that was replaced, must not reserve the key again. */
const renewScript = `
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then return 0 end
if not holder then redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2], 'format', ${entryFormat}) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[4])
return 1`;

/** Extends the lease, so that replicas can confirm that they have the reservation, or with an empty holder that the key is unused. */
const confirmScript = `
if (redis.call('HGET', KEYS[1], 'holder') or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1`;

/** Writes a stored outcome again, so that replicas can confirm that they have it. True too for the entry of another holder. */
const confirmOutcomeScript = `
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then return 1 end
if redis.call('HEXISTS', KEYS[1], 'outcome') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'holder', ARGV[1])
return 1`;

/**
 * ARGV[6]: PUBLISH or SPUBLISH. It begins with a command that a full Redis accepts, which then accepts the others too: an
 * outcome is kept without room, since its write was admitted. The lease ends after the outcome is there: until then it is
 * stored again, and repetitions wait for it.
 */
const keepScript = `
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2], 'digest', ARGV[3], 'outcome', ARGV[4], 'format', ${entryFormat})
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('DEL', KEYS[2])
redis.call(ARGV[6], KEYS[1], '')
return 1`;

const freeScript = `
local known = redis.call('HMGET', KEYS[1], 'holder', 'joined')
local isOwn = known[1] == ARGV[1]
if isOwn then redis.call('DEL', KEYS[1], KEYS[2]) end
redis.call('HSET', KEYS[3], 'holder', ARGV[1], 'lane', ARGV[2], 'digest', ARGV[3], 'format', ${entryFormat})
local joined = isOwn and known[2]
if joined or #ARGV[4] <= ${maxUnjoinedBytes} then redis.call('HSET', KEYS[3], 'outcome', ARGV[4], 'joined', joined or 0) end
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call(ARGV[6], KEYS[1], '')
return 1`;

/** As when it is reserved, the holder of an entry that no gateway wrote is empty. */
const findScript = `${readEntry}${readLease}${readEpoch}
local known = read(KEYS[1])
known[6] = held(KEYS[2], tonumber(ARGV[3]))
if ARGV[1] == '' then known[1] = known[1] or redis.call('EXISTS', KEYS[1]) == 1 and '' end
if known[1] == ARGV[1] or ARGV[1] == '' then return known end
known = read(KEYS[3])
known[7] = 1
known[6] = 0
if known[4] and #known[4] > ${maxUnjoinedBytes} and redis.pcall('HINCRBY', KEYS[3], 'joined', -1) == 0 then
  redis.call('HDEL', KEYS[3], 'outcome')
end
return known`;

type Reply = readonly [
  holder: Buffer | null,
  lane: Buffer,
  digest: Buffer | null,
  outcome: Buffer | null,
  format: Buffer | null,
  heldMs: number,
  isFreed?: number,
];

/** The reply for a value of another type, which another program has stored under the name of an entry. */
const foreignEntry: Reply = [Buffer.of(), Buffer.of(), null, null, null, 0];

export function createRedisEntries(redis: SharedRedis, { ttlMs, leaseMs, replicas }: RedisEntriesOptions) {
  const { commands, primaryOf, publish } = redis;
  /** A reservation is kept longer than its lease and as long as an outcome: its write may have been sent. */
  const runningMs = Math.max(ttlMs, longestWriteMs) + 2 * leaseMs;
  const unreplicated = createUnreplicatedChanges(primaryOf, leaseMs);
  const confirm = replicas > 0 ? createConfirm(redis, replicas) : undefined;
  /** The epoch of each primary for which the entries of this gateway were restored. */
  const epochs = new Map<string, string>();
  const restorations = new Map<string, Promise<void>>();

  /** A value of another type is not replaced. */
  const run = (script: string, name: string, holder: string, ...parameters: Parameter[]) =>
    runScript(commands, script, keysOf(name, holder), [holder, ...parameters]).catch((error: unknown) => {
      if (replyCodeOf(error) !== 'WRONGTYPE') throw error;
      return foreignEntry;
    });
  /** Extends the lease of a write in progress. Reserves the key again if Redis has lost it. */
  const renew = ({ name, holder, lane }: RedisReservation) =>
    run(renewScript, name, holder, lane, runningMs, leaseMs);

  /** Whether the script returned 1 and enough replicas have what it wrote. */
  const isConfirmed =
    confirm &&
    ((script: string, name: string, holder: string, ...parameters: Parameter[]) =>
      confirm(
        name,
        async (primary) =>
          (await runScript(primary, script, keysOf(name, holder), [holder, ...parameters])) === 1,
      ));

  redis.onReconnect(() => void unreplicated.makeAgain().catch(() => {}));

  async function restore(primary: string, epoch: string): Promise<void> {
    const restored = `${primary} ${epoch}`;
    try {
      await restorations.getOrInsertComputed(restored, () => unreplicated.makeAgain(primary));
      epochs.set(primary, epoch);
    } finally {
      restorations.delete(restored);
    }
  }

  /**
   * The entry that a script returns. At a new primary, the entries of this gateway are restored first: those of writes in
   * progress, and of those that ended a short time ago.
   */
  async function read(script: string, name: string, holder: string, ...parameters: Parameter[]) {
    for (let tries = 0; tries < maxEpochs; tries += 1) {
      const primary = primaryOf(name);
      const reply = await run(script, name, holder, epochs.get(primary) ?? '', ...parameters);
      if (!Buffer.isBuffer(reply)) return entryIn(reply as Reply | readonly []);
      await restore(primary, String(reply));
    }
    throw new Error('The primary of Redis changes.');
  }

  return {
    /** Reserves the key and returns undefined, or returns the entry that uses it. */
    async reserve(reservation: RedisReservation) {
      const { name, holder, lane } = reservation;
      const found = await read(reserveScript, name, holder, lane, runningMs, leaseMs);
      if (!found) unreplicated.begin(holder, { name, make: () => renew(reservation) });
      return found;
    },
    leaseMs,
    /**
     * Whether enough replicas have the reservation, so that a failover does not lose it. If not, free the key and do not
     * send: Redis may lose it and reserve it for another request. With an empty holder, whether the key is unused: a former primary
     * that is cut off does not know what was reserved since. Undefined where no replica must have it.
     */
    confirm:
      isConfirmed &&
      (({ name, holder }: Pick<RedisReservation, 'name' | 'holder'>) =>
        isConfirmed(confirmScript, name, holder, holder === '' ? unusedMs : leaseMs)),
    renew,
    /**
     * Stores the outcome, or with `isFreed` frees the key, and sends an empty message to the channel that has the entry's
     * name. Never rejects: if Redis is unreachable, this is repeated when it is back.
     */
    async settle(
      { name, holder, lane }: RedisReservation,
      digest: string,
      outcome: Buffer,
      isFreed: boolean,
    ) {
      const [script, keptMs] = isFreed ? [freeScript, freedMs] : [keepScript, ttlMs];
      const make = () => run(script, name, holder, lane, digest, outcome, keptMs, publish);
      const isSafe = async () =>
        isConfirmed && !isFreed ? await isConfirmed(confirmOutcomeScript, name, holder) : !redis.isLost();
      await unreplicated.end(holder, { name, make, isFreed, bytes: outcome.length, ttlMs: keptMs, isSafe });
    },
    /** Stores the outcomes that Redis did not take yet, until it has all of them or the signal is aborted. */
    storeMissing: unreplicated.makeMissing,
    /**
     * Reads the entry that uses a key, or the one that `holder` reserved, also after its key was freed. Undefined if there is
     * none, or if Redis has lost it.
     */
    find: (name: string, holder = '') => read(findScript, name, holder, leaseMs),
  };
}

function keysOf(name: string, holder: string): readonly string[] {
  return [name, `${name}:lease`, `${name}:freed:${holder}`];
}

/** An entry as Redis stores it; undefined if there is none. */
function entryIn([holder, lane, digest, outcome, format, heldMs, isFreed]: Reply | readonly []) {
  if (!holder) return undefined;
  return {
    format: format ? Number(String(format)) : 1,
    /** Id of the request that reserved the key; empty in an entry that no gateway wrote. */
    holder: String(holder),
    lane: String(lane),
    /** Set together with the outcome. */
    digest: digest ? String(digest) : undefined,
    outcome: outcome ?? undefined,
    /** Remaining time of the holder's lease (ms); 0 if it has not renewed it in time, or if its write has ended. */
    heldMs: Math.max(heldMs ?? 0, 0),
    /** Whether the key is free again: the outcome is only for the requests that had joined. */
    isFreed: isFreed === 1,
  };
}
