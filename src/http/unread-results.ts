/**
 * Bounds the results that callers requested and do not read, by closing the connections that hold most. See also
 * websocket/connection.ts for one slow WebSocket, and watch/watch-subscription.ts for slow readers of events.
 */
import type { Holder } from '../caller.ts';
import { ReclaimingBudget } from '../shares/reclaiming-budget.ts';
import type { Shares } from '../shares/shares.ts';

/** Unsent bytes of one connection from which they are counted: 4 KiB, half of what a connection is counted with. */
export const leastUnsentBytes = 4 * 1024;

/** What results are written to: a response, or a WebSocket. */
interface ResultTarget {
  /** Counts its unsent bytes; undefined while all were sent at once. Close it with the target. */
  unsent: UnreadResult | undefined;
  /** Memory of what has not been sent to the network (bytes). */
  readonly unsentBytes: number;
  /** Whether each result is kept on the heap, too, until it is sent. Default false. */
  readonly keepsResults?: boolean;
  destroy(): unknown;
}

export interface UnreadResult {
  count(): void;
  /** Call after a write of which a part was not sent at once. */
  written(): void;
  /** Call when a part was sent later. */
  sent(): void;
  close(): void;
}

export type UnreadResults = ReturnType<typeof createUnreadResults>;

/**
 * The largest result of the connection that was written to last is counted when another one is: however large one result is, it
 * can be read. What accepted callers do not read over HTTP, and the bound has no room for, counts among `responses`, those of the
 * service, while they leave room for it: both are outside the heap.
 */
export function createUnreadResults(shares: Shares, responses: ReclaimingBudget) {
  const results = new ReclaimingBudget(shares.of.results, shares, 'of largest owner');
  let last: UnreadResult | undefined;

  function open(target: ResultTarget, holder: Holder | undefined): UnreadResult {
    const options = { drop: () => void target.destroy(), holder, isSilent: true };
    const [own, among] = [results.open(options), responses.open({ ...options, isGuest: true })];
    let unsentBytes = 0;
    /** Most bytes that one write has added since all were sent. */
    let largest = 0;
    const count = () => {
      const bytes = target.unsentBytes - (last === target.unsent ? largest : 0);
      for (const holding of [own, among]) holding.hold(0);
      if (bytes < leastUnsentBytes) return;
      const isFull = results.reachedPart(own.holder, bytes) !== undefined;
      const mayBeGuest = !target.keepsResults && !responses.isNewcomer(own.holder.lane);
      const counted = isFull && mayBeGuest && !responses.reachedPart(own.holder, bytes) ? among : own;
      counted.hold(bytes);
    };
    return {
      count,
      written() {
        const before = unsentBytes;
        unsentBytes = target.unsentBytes;
        largest = Math.max(largest, unsentBytes - before);
        count();
      },
      sent() {
        unsentBytes = target.unsentBytes;
        if (unsentBytes === 0) largest = 0;
        if (own.bytes + among.bytes > 0) count();
      },
      close() {
        own.close();
        among.close();
        if (last === target.unsent) last = undefined;
      },
    };
  }

  return {
    /** Call after a write of which a part was not sent at once. `holderOf`: whose target it is; called for its first such write. */
    written(target: ResultTarget, holderOf: () => Holder | undefined): void {
      target.unsent ??= open(target, holderOf());
      const earlier = last;
      last = target.unsent;
      if (earlier !== last) earlier?.count();
      last.written();
    },
  };
}
