/** Ledger entries in the memory of one process. They are lost when it restarts. */
import { deserialize, serialize } from 'node:v8';
import { type Holder, type Lane, nobody } from '../../caller.ts';
import type { LaneBudget } from '../../shares/lane-budget.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { LedgerEntry, LedgerReservation, LedgerStore, Outcome } from './ledger.ts';
import { outcomeApplied } from './ledger-errors.ts';
import { decodeOutcome, encodeOutcome, type StoredOutcome } from './stored-outcome.ts';

/** Size of an entry without its outcome, measured: its key, digest and promises (bytes). */
const entryBytes = 1_536;
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
  /** While the write runs. */
  running: Promise<StoredOutcome> | undefined;
  /**
   * The outcome of a write that has ended, serialized as in Redis: an error would keep, with its stack, all that its operation
   * held, and objects need up to ten times the memory of their JSON.
   */
  kept: Buffer | undefined;
  /** The outcome, while a repetition uses it: others share it. */
  inUse: WeakRef<Outcome> | undefined;
  /** Set when the write has ended. By a monotonic clock (ms): a clock of the system that is set forward frees no key. */
  expiresAt: number;
  /** Each releases a part of its size. */
  readonly releases: (() => void)[];
}

/**
 * Entries are never evicted before they expire: a new key is rejected with RATE_LIMITED when the budget is used up.
 * `ttlMs`: how long an outcome is kept. `budget`: bounds the size of all entries, 1.5 KiB each and twice the bytes of their
 * outcomes.
 */
export function createMemoryStore(ttlMs: number, budget: LaneBudget, metrics: Metrics): LedgerStore {
  const entries = new Map<string, Entry>();
  metrics.gauge('folio_ledger_entries', () => entries.size);
  metrics.gauge('folio_ledger_bytes', () => budget.held);
  metrics.gauge('folio_ledger_limit_bytes', () => budget.share.all);

  function remove(id: string, entry: Entry): void {
    entries.delete(id);
    for (const release of entry.releases) release();
  }

  /** A Map keeps insertion order. Settled entries are inserted again, so those that expire first come first. */
  function removeExpired(): void {
    for (const [id, entry] of entries) {
      if (entry.running) continue;
      if (entry.expiresAt > performance.now()) return;
      remove(id, entry);
    }
  }

  function find(id: string, lane: Lane): LedgerEntry | undefined {
    removeExpired();
    const used = entries.get(id);
    return used && entryOf(used, lane);
  }

  /** Keeps an outcome. One without room is replaced by what it shows of the write. */
  function keep(id: string, entry: Entry, outcome: StoredOutcome): void {
    const bytes = serialize(outcome);
    const hasRoom = sizeOf(bytes) <= smallOutcomeBytes || !budget.reached(entry.holder, sizeOf(bytes));
    entry.kept = hasRoom ? bytes : serialize(encodeOutcome({ error: outcomeApplied() }));
    entry.running = undefined;
    entry.expiresAt = performance.now() + ttlMs;
    entries.delete(id);
    entries.set(id, entry);
    entry.releases.push(budget.holdAnyway(entry.holder, sizeOf(entry.kept)));
  }

  return {
    async reserve({ owner, lane, key, input, requestId }) {
      const id = `${owner} ${key}`;
      const found = find(id, lane);
      if (found) return found;
      const holder = { owner, lane: budget.isNewcomer(lane) ? nobody.lane : lane };
      const release = budget.hold(holder, entryBytes);
      const { promise, resolve } = Promise.withResolvers<StoredOutcome>();
      const entry: Entry = {
        lane,
        holder,
        requestId,
        digest: input.digest,
        running: promise,
        kept: undefined,
        inUse: undefined,
        expiresAt: Number.POSITIVE_INFINITY,
        releases: [release],
      };
      entries.set(id, entry);
      return {
        async settle(outcome, isFreed) {
          const stored = encodeOutcome(outcome);
          resolve(stored);
          if (isFreed) remove(id, entry);
          else keep(id, entry, stored);
        },
      } satisfies LedgerReservation;
    },
    find: async ({ owner, lane, key }) => find(`${owner} ${key}`, lane),
  };
}

/** Memory of a serialized outcome: its buffer grows in steps (bytes). */
function sizeOf({ length }: Buffer): number {
  return 2 * length;
}

function keptOutcome(entry: Entry): Outcome {
  const inUse = entry.inUse?.deref();
  if (inUse) return inUse;
  const outcome = decodeOutcome(deserialize(entry.kept as Buffer)) as Outcome;
  entry.inUse = new WeakRef(outcome);
  return outcome;
}

function entryOf(entry: Entry, lane: Lane): LedgerEntry {
  const { requestId, running, digest } = entry;
  const outcome = async () => (running ? (decodeOutcome(await running) as Outcome) : keptOutcome(entry));
  return {
    isOwn: entry.lane === lane,
    requestId,
    wasRunning: running !== undefined,
    async hasDigest(repeated) {
      // When the write fails before its file has been read to the end, the digest may never come.
      const failed = outcome().then((ended) => ('value' in ended ? digest : undefined));
      const first = await Promise.race([digest, failed]).catch(() => undefined);
      return first === undefined ? undefined : first === repeated;
    },
    outcome,
  };
}
