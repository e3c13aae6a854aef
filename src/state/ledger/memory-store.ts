/** Ledger entries in the memory of one process. They are lost when it restarts. */

import type { Lane } from '../../caller.ts';
import type { LaneBudget } from '../../shares/lane-budget.ts';
import { type Holder, nobody } from '../../shares/share.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { LedgerEntry, LedgerReservation, LedgerStore, Outcome } from './ledger.ts';
import { outcomeApplied } from './ledger-errors.ts';
import { decodeOutcome, encodeOutcome, type StoredOutcome } from './stored-outcome.ts';

interface MemoryStoreOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** Bounds the size of all entries: 1 KiB each plus twice the JSON of their outcomes, as measured. */
  readonly budget: LaneBudget;
  readonly metrics: Metrics;
}

/** Size of an entry without its outcome: its key, digest and promises (bytes). */
const entryBytes = 1_024;
/** An outcome up to this size is kept without room too: its write was admitted (bytes). The service decides how large it is. */
const smallOutcomeBytes = 64 * 1_024;

interface Entry {
  readonly lane: Lane;
  /**
   * Whose share it counts in. What a newcomer writes stays a newcomer's: if it moved when the service accepts its lane, one
   * write of each of many invented lanes could fill the ledger for the time of an outcome.
   */
  readonly holder: Holder;
  readonly requestId: string | undefined;
  readonly digest: Promise<string>;
  /** As it is stored in Redis: an error would keep, with its stack, all that its operation held. */
  readonly outcome: Promise<StoredOutcome>;
  /** Set when the write has ended. By a monotonic clock (ms): a clock of the system that is set forward frees no key. */
  expiresAt: number;
  isRunning: boolean;
  /** Each releases a part of its size. */
  readonly releases: (() => void)[];
}

/** Entries are never evicted before they expire: a new key is rejected with RATE_LIMITED when the budget is used up. */
export function createMemoryStore({ ttlMs, budget, metrics }: MemoryStoreOptions): LedgerStore {
  const entries = new Map<string, Entry>();
  metrics.gauge('folio_ledger_entries', () => entries.size);
  metrics.gauge('folio_ledger_bytes', () => budget.held);
  metrics.gauge('folio_ledger_limit_bytes', () => budget.most);

  function remove(id: string, entry: Entry): void {
    if (entries.get(id) !== entry) return;
    entries.delete(id);
    for (const release of entry.releases) release();
  }

  /** A Map keeps insertion order. Settled entries are inserted again, so those that expire first come first. */
  function removeExpired(): void {
    for (const [id, entry] of entries) {
      if (entry.isRunning) continue;
      if (entry.expiresAt > performance.now()) return;
      remove(id, entry);
    }
  }

  /** An outcome as it is kept. One without room is replaced by what it shows of the write. */
  function keepable(outcome: StoredOutcome, holder: Holder): StoredOutcome {
    const bytes = bytesOf(outcome);
    const hasRoom = bytes <= smallOutcomeBytes || !budget.reached(holder, bytes);
    return hasRoom ? outcome : encodeOutcome({ error: outcomeApplied() });
  }

  function keep(id: string, entry: Entry, bytes: number): void {
    entry.isRunning = false;
    entry.expiresAt = performance.now() + ttlMs;
    entries.delete(id);
    entries.set(id, entry);
    entry.releases.push(budget.holdAnyway(entry.holder, bytes));
  }

  return {
    async reserve({ owner, lane, key, input, requestId }) {
      removeExpired();
      const id = `${owner} ${key}`;
      const used = entries.get(id);
      if (used) return entryOf(used);
      const holder = { owner, lane: budget.isNewcomer(lane) ? nobody.lane : lane };
      const release = budget.hold(holder, entryBytes);
      const { promise, resolve } = Promise.withResolvers<StoredOutcome>();
      const entry: Entry = {
        lane,
        holder,
        requestId,
        digest: input.digest,
        outcome: promise,
        expiresAt: Number.POSITIVE_INFINITY,
        isRunning: true,
        releases: [release],
      };
      entries.set(id, entry);
      return {
        async settle(outcome, isFreed) {
          const stored = keepable(encodeOutcome(outcome), holder);
          resolve(stored);
          if (isFreed) remove(id, entry);
          else keep(id, entry, bytesOf(stored));
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

function bytesOf(outcome: StoredOutcome): number {
  return 2 * JSON.stringify('value' in outcome ? (outcome.value ?? null) : outcome).length;
}

function entryOf({ lane, requestId, isRunning, digest, outcome }: Entry): LedgerEntry {
  return {
    lane,
    requestId,
    wasRunning: isRunning,
    wasHeld: isRunning,
    async hasDigest(repeated) {
      // When the write fails before its file has been read to the end, the digest may never come.
      const failed = outcome.then((end) => ('value' in end ? digest : undefined));
      const first = await Promise.race([digest, failed]).catch(() => undefined);
      return first === undefined ? undefined : first === repeated;
    },
    outcome: async () => decodeOutcome(await outcome) as Outcome,
  };
}
