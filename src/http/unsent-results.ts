/** Bounds the results that callers requested and do not read, by closing the connections that hold most. */
import { getHeapStatistics } from 'node:v8';

/** Results of at least this many characters are counted; smaller ones fit into the buffers of the system. */
export const largeResultLength = 64 * 1024;

/** The connection that a large result was written to. */
export interface ResultConnection {
  /** Bytes that have not been sent to the network. */
  readonly unsentBytes: () => number;
  /** Whether no byte is held any more. */
  readonly isOver: () => boolean;
  readonly cut: () => void;
  /** Whether the service has accepted the caller's credentials before. */
  readonly isAccepted: boolean;
}

export interface UnsentResults {
  /** Call before a large result is written. `key`: the response or socket, which is counted once. */
  add(key: object, connection: ResultConnection): void;
}

/** An eighth of the heap's limit, at most 256 MiB. */
const maxUnsentBytes = Math.min(getHeapStatistics().heap_size_limit / 8, 256 * 1024 * 1024);

/**
 * Half of `maxBytes` is for callers that the service has accepted before, half for all others. When a half is full and
 * a new result arrives, the connections that hold most of it are closed. The new result is not included.
 */
export function createUnsentResults(maxBytes = maxUnsentBytes): UnsentResults {
  const accepted = new Map<object, ResultConnection>();
  const others = new Map<object, ResultConnection>();

  return {
    add(key, connection) {
      const half = connection.isAccepted ? accepted : others;
      const held = new Map<object, number>();
      for (const [other, { isOver, unsentBytes }] of half) {
        if (isOver()) half.delete(other);
        else held.set(other, unsentBytes());
      }
      let total = held.values().reduce((sum, bytes) => sum + bytes, 0);
      for (const [other, bytes] of [...held].sort(([, a], [, b]) => b - a)) {
        if (total <= maxBytes / 2) break;
        total -= bytes;
        half.get(other)?.cut();
        half.delete(other);
      }
      half.set(key, connection);
    },
  };
}
