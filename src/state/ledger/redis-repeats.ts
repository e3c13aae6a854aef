/** Changes of entries that are made again, since a new primary may not have them: replication is asynchronous. */

export interface Repeats {
  /** Keeps the change of a write in progress, in place of an earlier change by the same holder. */
  begin(holder: string, change: Change): void;
  /** Makes the last change of a holder, and keeps it for a while. Resolves when it was made, or has failed. */
  end(holder: string, change: Change, bytes: number): Promise<void>;
  forget(holder: string): void;
  /** Makes the changes again, all of them or those to one primary. Rejects if one cannot be made. */
  makeAgain(primary?: string): Promise<void>;
}

export interface Change {
  /** Name of the entry. */
  readonly name: string;
  readonly make: () => Promise<unknown>;
}

/** How long the last change of a holder is kept after it was made (ms); far longer than replicas lag behind. */
const keptMs = 10_000;
/** Maximum number and size (bytes) of last changes that are kept. Beyond it the oldest are dropped. */
const maxChanges = 10_000;
const maxBytes = 16 * 1024 * 1024;

interface LastChange extends Change {
  readonly bytes: number;
  isMade: boolean;
}

/** `primaryOf`: the name of the primary that holds an entry. */
export function createRepeats(primaryOf: (name: string) => string): Repeats {
  const running = new Map<string, Change>();
  const ended = new Map<string, LastChange>();
  let endedBytes = 0;

  function drop(holder: string): void {
    endedBytes -= ended.get(holder)?.bytes ?? 0;
    ended.delete(holder);
  }

  async function make(holder: string, change: LastChange): Promise<void> {
    await change.make();
    if (change.isMade) return;
    change.isMade = true;
    setTimeout(() => drop(holder), keptMs).unref();
  }

  return {
    begin: (holder, change) => void running.set(holder, change),
    forget: (holder) => void running.delete(holder),
    async end(holder, { name, make: makeIt }, bytes) {
      running.delete(holder);
      const change = { name, make: makeIt, bytes, isMade: false };
      ended.set(holder, change);
      endedBytes += bytes;
      for (const oldest of ended.keys()) {
        if (ended.size <= maxChanges && endedBytes <= maxBytes) break;
        drop(oldest);
      }
      await make(holder, change).catch(() => {});
    },
    async makeAgain(primary) {
      const isThere = ({ name }: Change) => primary === undefined || primaryOf(name) === primary;
      const changes = [
        ...[...running.values()].filter(isThere).map((change) => change.make()),
        ...[...ended].filter(([, change]) => isThere(change)).map((entry) => make(...entry)),
      ];
      await Promise.all(changes);
    },
  };
}
