/** Bounds the results that callers requested and do not read, by closing the connections that hold most. */
import { type Holding, ReclaimingBudget } from '../shares/reclaiming-budget.ts';
import { applicationPart, type Holder, shareOf } from '../shares/share.ts';
import type { Shares } from '../shares/shares.ts';

/** Results of at least this many characters are counted; smaller ones fit into the buffers of the system. */
export const largeResultLength = 64 * 1024;

/** The connection that a large result was written to. */
export interface ResultConnection {
  /** Bytes that have not been sent to the network. */
  readonly unsentBytes: () => number;
  /** Whether no byte is held any more. */
  readonly isOver: () => boolean;
  readonly cut: () => void;
  readonly holder: Holder | undefined;
}

export interface UnsentResults {
  /** Call before a large result is written. `key`: the response or socket, which is counted once. */
  add(key: object, connection: ResultConnection): void;
}

interface Written {
  readonly connection: ResultConnection;
  readonly holding: Holding;
  bytes: number;
}

/** The connections are measured when a new result arrives, which is not included. */
export function createUnsentResults(shares: Shares, maxBytes: number): UnsentResults {
  const share = shareOf('results', maxBytes, { owner: maxBytes * applicationPart });
  const budget = new ReclaimingBudget(share, shares, 'of largest owner');
  const written = new Map<object, Written>();

  function forget(key: object): void {
    written.get(key)?.holding.close();
    written.delete(key);
  }

  return {
    add(key, connection) {
      const changes: [Written, bytes: number][] = [];
      for (const [other, one] of written) {
        if (one.connection.isOver()) forget(other);
        else changes.push([one, one.connection.unsentBytes()]);
      }
      // What was read first, so that nothing is dropped for bytes that are no longer held.
      changes.sort(([one, ofOne], [other, ofOther]) => ofOne - one.bytes - (ofOther - other.bytes));
      for (const [one, bytes] of changes) {
        one.bytes = bytes;
        one.holding.hold(bytes);
      }
      if (written.has(key)) return;
      const drop = () => {
        forget(key);
        connection.cut();
      };
      const holding = budget.open({ drop, holder: connection.holder, isSilent: true });
      written.set(key, { connection, holding, bytes: 0 });
    },
  };
}
