/** The store in Redis with a bound on what one caller, and all newcomers together, keep in it. */
import type { Cluster, Redis } from 'ioredis';
import { z } from 'zod';
import type { Bound } from '../../bound-names.ts';
import type { Holder, Owner } from '../../caller.ts';
import { applicationPart, applicationShareOf, type Share } from '../../shares/bound-sizes.ts';
import { refusedBy } from '../../shares/lane-budget.ts';
import type { Shares } from '../../shares/shares.ts';
import { runScript } from '../redis-script.ts';
import type { LedgerRequest, LedgerStore } from './ledger.ts';

type Counted = Owner | 'newcomers';

/** Most callers that are counted between two exchanges, and of them most that are added: those who have stored most. */
const maxCounted = 10_000;
const maxAdded = 100;
/** Part of what one caller may keep, from which on its total is asked at each exchange: few can have so much. */
const heavyPart = 1 / 10;

/**
 * Returns the bytes that were stored in the last ARGV[2] ms, after which they expire, and adds ARGV[1] to them. Counted in
 * eighths of that time, by the clock of Redis: up to an eighth longer than they are there. A value that no gateway wrote is removed.
 */
const addScript = `
local time = redis.call('TIME')
local now, bytes, ttl = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1]), tonumber(ARGV[2])
local eighth = math.ceil(ttl / 8)
local sum = bytes
local counts = redis.pcall('HGETALL', KEYS[1])
if counts.err then redis.call('DEL', KEYS[1]) end
for at = 1, #counts, 2 do
  local since, count = tonumber(counts[at]), tonumber(string.match(counts[at + 1], '^%d+$'))
  if since and count and math.abs(now - since) < eighth + ttl then sum = sum + count else redis.call('HDEL', KEYS[1], counts[at]) end
end
if bytes > 0 then
  redis.call('HINCRBY', KEYS[1], now - now % eighth, bytes)
  redis.call('PEXPIRE', KEYS[1], eighth + ttl)
end
return sum`;

/**
 * One caller, and all newcomers together, have at most three quarters of Redis each; `redis-store.ts` bounds each outcome. Of
 * the callers between two exchanges the 100 who have stored most are counted: a caller who stores less than a hundredth of it
 * cannot fill it alone. `keyOf`: the name of the entry with what a caller has stored.
 */
export function createBoundedRedisStore(
  store: LedgerStore,
  commands: Redis | Cluster,
  keyOf: (whose: Counted) => string,
  ttlMs: number,
  shares: Shares,
) {
  /** What this gateway has stored since the last exchange. */
  let stored = new Map<Counted, number>();
  /** What all gateways had at the last exchange, of callers who were added then or are heavy. */
  let totals = new Map<Counted, number>();
  let share: Share | undefined;
  let usedBytes = 0;

  const held = (whose: Counted) => (totals.get(whose) ?? 0) + (stored.get(whose) ?? 0);
  const isNewcomer = ({ lane }: Holder) => !shares.acceptedLanes.has(lane);

  function count(whose: Counted, bytes: number): void {
    if (stored.size < maxCounted || stored.has(whose)) stored.set(whose, (stored.get(whose) ?? 0) + bytes);
  }

  function fill() {
    const owners = new Set([...totals.keys(), ...stored.keys()]);
    owners.delete('newcomers');
    const owner = owners.values().reduce((most, whose) => Math.max(most, held(whose)), 0);
    return { all: usedBytes, newcomers: held('newcomers'), owner };
  }

  function resize(limitBytes: number): void {
    if (limitBytes === share?.all) return;
    share = undefined;
    if (limitBytes === 0) return;
    share = applicationShareOf('ledger', limitBytes, { newcomers: limitBytes * applicationPart });
    shares.report(share, fill);
  }

  /** What is added at an exchange: 0 for those of whom only the total is asked. */
  function takeStored({ owner: most }: Share): readonly (readonly [Counted, number])[] {
    const heavy = [...totals.keys()].filter((whose) => held(whose) >= most * heavyPart);
    const largest = [...stored].sort(([, one], [, other]) => other - one).slice(0, maxAdded);
    const taken = new Set<Counted>(['newcomers', ...heavy, ...largest.map(([whose]) => whose)]);
    const added = [...taken].map((whose) => [whose, stored.get(whose) ?? 0] as const);
    stored = new Map();
    return added;
  }

  /** The part of the bound that the caller has reached. Undefined when there is room, or when Redis has no bound. */
  function reached(holder: Holder): Bound | undefined {
    if (!share) return undefined;
    if (held(holder.owner) >= share.owner) return 'ledger-owner';
    return isNewcomer(holder) && held('newcomers') >= share.newcomers ? 'ledger-newcomers' : undefined;
  }

  return {
    /** A repetition gets its outcome whether or not there is room. */
    async reserve(request: LedgerRequest) {
      const bound = reached(request);
      if (bound) {
        const found = await store.find(request);
        if (found) return found;
        throw refusedBy(bound);
      }
      // What a newcomer writes stays a newcomer's.
      const wasNewcomer = isNewcomer(request);
      const onStored = (bytes: number) => {
        if (!share) return;
        count(request.owner, bytes);
        if (wasNewcomer) count('newcomers', bytes);
      };
      return await store.reserve({ ...request, onStored });
    },
    find: store.find,

    /**
     * Adds what this gateway has stored to what all gateways have, and learns how much that is. Call every few seconds. `bytes`:
     * in use; `limitBytes`: 0 when Redis has no bound.
     */
    async exchange({ bytes, limitBytes }: { readonly bytes: number; readonly limitBytes: number }) {
      usedBytes = bytes;
      resize(limitBytes);
      if (!share) return;
      const before = totals;
      const after = new Map<Counted, number>();
      const add = async (whose: Counted, bytes: number) => {
        try {
          const total = await runScript(commands, addScript, [keyOf(whose)], [bytes, ttlMs]);
          after.set(whose, z.number().parse(total));
        } catch {
          // Redis is lost or full, or replies something else: the bytes are added at the next exchange.
          count(whose, bytes);
          after.set(whose, before.get(whose) ?? 0);
        }
      };
      await Promise.all(takeStored(share).map(([whose, bytes]) => add(whose, bytes)));
      totals = after;
    },
  };
}
