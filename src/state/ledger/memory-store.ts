/** Ledger entries in the memory of one process. They are lost when it restarts. */

import type { Lane } from '../../caller.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { LedgerEntry, LedgerReservation, LedgerStore, Outcome } from './ledger.ts';
import { ledgerFull } from './ledger-errors.ts';

export interface MemoryStoreOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** Maximum number of entries. Default 100,000. */
  readonly maxEntries?: number;
  /** Maximum size of all entries (bytes): 1 KiB each plus twice the JSON of their outcomes, as measured. */
  readonly maxBytes: number;
  readonly metrics: Metrics;
}

/** Size of an entry without its outcome: its key, digest and promises (bytes). */
const entryBytes = 1_024;

/** Share of the store that one owner may use, so that there is room for the keys of others. */
const ownerShare = 0.25;

interface Use {
  entries: number;
  bytes: number;
}

interface Entry {
  readonly owner: Lane;
  readonly lane: Lane;
  readonly digest: Promise<string>;
  readonly outcome: Promise<Outcome>;
  /** Set when the write has ended. */
  expiresAt: number;
  isRunning: boolean;
  bytes: number;
}

/** Entries are never evicted before they expire: a new key is rejected with RATE_LIMITED when the store is full. */
export function createMemoryStore({
  ttlMs,
  maxEntries = 100_000,
  maxBytes,
  metrics,
}: MemoryStoreOptions): LedgerStore {
  const entries = new Map<string, Entry>();
  const owners = new Map<Lane, Use>();
  const total: Use = { entries: 0, bytes: 0 };
  metrics.gauge('folio_ledger_entries', () => total.entries);
  metrics.gauge('folio_ledger_bytes', () => total.bytes);
  metrics.gauge('folio_ledger_limit_bytes', () => maxBytes);

  function remove(id: string, entry: Entry): void {
    if (entries.get(id) !== entry) return;
    entries.delete(id);
    count(entry.owner, -1, -entry.bytes);
  }

  function count(owner: Lane, change: number, bytes: number): void {
    const use = owners.get(owner) ?? { entries: 0, bytes: 0 };
    owners.set(owner, use);
    for (const sum of [use, total]) {
      sum.entries += change;
      sum.bytes += bytes;
    }
    if (use.entries === 0) owners.delete(owner);
  }

  function isFull(owner: Lane): boolean {
    const own = owners.get(owner) ?? { entries: 0, bytes: 0 };
    const isOver = (use: Use, share: number) =>
      use.entries >= maxEntries * share || use.bytes >= maxBytes * share;
    return isOver(total, 1) || isOver(own, ownerShare);
  }

  /** A Map keeps insertion order. Settled entries are inserted again, so those that expire first come first. */
  function removeExpired(): void {
    for (const [id, entry] of entries) {
      if (entry.isRunning) continue;
      if (entry.expiresAt > Date.now()) return;
      remove(id, entry);
    }
  }

  function keep(id: string, entry: Entry, bytes: number): void {
    entry.isRunning = false;
    entry.expiresAt = Date.now() + ttlMs;
    entries.delete(id);
    entries.set(id, entry);
    entry.bytes += bytes;
    count(entry.owner, 0, bytes);
  }

  return {
    async reserve({ owner, lane, key, input }) {
      removeExpired();
      const id = `${owner} ${key}`;
      const used = entries.get(id);
      if (used) return entryOf(used);
      if (isFull(owner)) throw ledgerFull();
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      const entry: Entry = {
        owner,
        lane,
        digest: input.digest,
        outcome: promise,
        expiresAt: Number.POSITIVE_INFINITY,
        isRunning: true,
        bytes: entryBytes,
      };
      entries.set(id, entry);
      count(owner, 1, entryBytes);
      return {
        async settle(outcome, isFreed) {
          resolve(outcome);
          if (isFreed) remove(id, entry);
          else keep(id, entry, 'value' in outcome ? 2 * (JSON.stringify(outcome.value)?.length ?? 0) : 0);
        },
      } satisfies LedgerReservation;
    },
    async find({ owner, key }) {
      removeExpired();
      const used = entries.get(`${owner} ${key}`);
      return used && entryOf(used);
    },
  };
}

function entryOf({ lane, isRunning, digest, outcome }: Entry): LedgerEntry {
  return {
    lane,
    wasRunning: isRunning,
    wasHeld: isRunning,
    async hasDigest(repeated) {
      // When the write fails before its file has been read to the end, the digest may never come.
      const failed = outcome.then((end) => ('error' in end ? undefined : digest));
      const first = await Promise.race([digest, failed]).catch(() => undefined);
      return first === undefined ? undefined : first === repeated;
    },
    outcome: () => outcome,
  };
}
