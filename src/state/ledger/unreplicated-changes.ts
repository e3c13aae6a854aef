/** Changes of entries that a new primary of Redis may lack, since replication is asynchronous: they are kept and made again. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Change {
  readonly name: string;
  readonly make: () => Promise<unknown>;
}

interface LastChange extends Change {
  /** Whether the change frees the key, since nothing was done under it. */
  readonly isFreed: boolean;
  readonly bytes: number;
  /** How long it matters once it was made (ms). */
  readonly ttlMs: number;
  /** Whether no primary can lack it any more, as far as is known. Never rejects. */
  readonly isSafe: () => Promise<boolean>;
  /** When it was made first. */
  madeAt?: number;
}

/** Maximum number and size (bytes) of last changes that are kept. Beyond it the oldest of a freed key is dropped, then the oldest. */
const maxChanges = 10_000;
const maxBytes = 16 * 1024 * 1024;
/** Time after which missing changes are made again (ms). */
const missingMs = 50;
/** Time until the first review of a last change that could not be made (ms), then twice as long each time, up to `reviewMs`. */
const retryMs = 100;

/**
 * `primaryOf`: the name of the primary that holds an entry. `reviewMs`: time between two reviews of a last change (ms), far
 * longer than replicas lag behind. A review drops a change that was made some time ago and is safe, and makes another again.
 */
export function createUnreplicatedChanges(primaryOf: (name: string) => string, reviewMs: number) {
  const running = new Map<string, Change>();
  const ended = new Map<string, LastChange>();
  /** The holders of freed keys. Their writes cost nothing at the service, so that strangers can end many. */
  const freed = new Set<string>();
  let endedBytes = 0;

  function drop(holder: string): void {
    endedBytes -= ended.get(holder)?.bytes ?? 0;
    ended.delete(holder);
    freed.delete(holder);
  }

  async function make(change: LastChange): Promise<void> {
    await change.make();
    change.madeAt ??= performance.now();
  }

  /** A missing change is reviewed soon: Redis may refuse commands for a moment and keep its connections. */
  function reviewLater(holder: string, change: LastChange, delayMs: number): void {
    const afterMs = change.madeAt === undefined ? Math.min(delayMs, reviewMs) : reviewMs;
    setTimeout(() => void review(holder, change, 2 * afterMs), afterMs).unref();
  }

  async function review(holder: string, change: LastChange, delayMs: number): Promise<void> {
    if (ended.get(holder) !== change) return;
    const ageMs = performance.now() - (change.madeAt ?? Number.POSITIVE_INFINITY);
    const isOld = ageMs > reviewMs / 2;
    if (ageMs > change.ttlMs || (isOld && (await change.isSafe()))) return drop(holder);
    if (isOld || change.madeAt === undefined) await make(change).catch(() => {});
    reviewLater(holder, change, delayMs);
  }

  return {
    /** Keeps the change of a write in progress, in place of an earlier change by the same holder. */
    begin: (holder: string, change: Change) => void running.set(holder, change),

    /** Makes the last change of a holder, and keeps it until it is safe. Resolves when it was made, or has failed. */
    async end(holder: string, change: LastChange): Promise<void> {
      running.delete(holder);
      ended.set(holder, change);
      endedBytes += change.bytes;
      if (change.isFreed) freed.add(holder);
      while (ended.size > maxChanges || endedBytes > maxBytes) {
        const [oldest] = freed.size > 0 ? freed : ended.keys();
        drop(oldest as string);
      }
      await make(change).catch(() => {});
      reviewLater(holder, change, retryMs);
    },

    /** Makes the last changes that could not be made, until all are made or the signal is aborted. */
    async makeMissing(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const missing = [...ended.values()].filter(({ madeAt }) => madeAt === undefined);
        if (missing.length === 0) return;
        await Promise.allSettled(missing.map(make));
        await sleep(missingMs, undefined, { ref: false });
      }
    },

    /** Makes the changes again, all of them or those to one primary. Rejects if one cannot be made. */
    async makeAgain(primary?: string): Promise<void> {
      const isThere = ({ name }: Change) => primary === undefined || primaryOf(name) === primary;
      const changes = [
        ...[...running.values()].filter(isThere).map((change) => change.make()),
        ...[...ended.values()].filter(isThere).map(make),
      ];
      await Promise.all(changes);
    },
  };
}
