/**
 * Bounds the results that callers requested and do not read, by closing the connections that hold most. See also
 * websocket/connection.ts for one slow WebSocket, and watch/watch-subscription.ts for slow readers of events.
 */
import type { Holder } from '../caller.ts';
import { ReclaimingBudget } from '../shares/reclaiming-budget.ts';
import type { Shares } from '../shares/shares.ts';
import type { ResponseProgress } from './request-and-response.ts';

/** Unsent bytes of one connection from which they are counted: 4 KiB, half of what a connection is counted with. */
export const leastUnsentBytes = 4 * 1024;

/** A connection that results are written to. */
interface ResultConnection {
  /** Bytes that have not been sent to the network. */
  readonly unsentBytes: () => number;
  readonly cut: () => void;
  readonly holder: Holder | undefined;
}

export type UnreadResults = ReturnType<typeof createUnreadResults>;
/** The unsent bytes of one connection. */
export type UnreadResult = ReturnType<UnreadResults['open']>;

/**
 * The connection that was written to last is counted when another one is: however large one result is, it can be read. What
 * accepted callers do not read, and the bound has no room for, counts among `responses`, those of the service, while they leave
 * room for it.
 */
export function createUnreadResults(shares: Shares, responses: ReclaimingBudget) {
  const results = new ReclaimingBudget(shares.of.results, shares, 'of largest owner');
  let last: (() => void) | undefined;

  return {
    open({ unsentBytes, cut, holder }: ResultConnection) {
      const options = { drop: cut, holder, isSilent: true };
      const [own, among] = [results.open(options), responses.open(options)];
      // It shrinks.
      among.canGrow = false;
      const count = () => {
        const bytes = unsentBytes();
        for (const holding of [own, among]) if (holding.bytes > 0) holding.hold(0);
        if (bytes < leastUnsentBytes) return;
        const isFull = results.reachedPart(own.holder, bytes) && !responses.isNewcomer(own.holder.lane);
        const counted = isFull && !responses.reachedPart(own.holder, bytes) ? among : own;
        counted.hold(bytes);
      };
      return {
        /** Call after a write of which a part was not sent at once. */
        written() {
          if (last === count) return;
          const earlier = last;
          last = count;
          earlier?.();
        },
        /** Call when a part was sent later. */
        sent() {
          if (own.bytes + among.bytes > 0) count();
        },
        /** Call when the connection or response has closed. */
        close() {
          own.close();
          among.close();
          if (last === count) last = undefined;
        },
      };
    },
  };
}

/**
 * Opens the unsent bytes of a response, until it closes. `keptBytes`: of what is kept with it, until they are sent. `sharedBytes`:
 * of its body, whose memory other responses use too.
 */
export function unsentOf(
  results: UnreadResults,
  response: ResponseProgress,
  holder: Holder | undefined,
  keptBytes = 0,
  sharedBytes = 0,
): UnreadResult {
  const unsent = results.open({
    unsentBytes() {
      const { writableLength } = response;
      return writableLength > 0 ? Math.max(0, writableLength - sharedBytes) + keptBytes : 0;
    },
    cut: () => response.destroy(),
    holder,
  });
  response.once('close', unsent.close);
  return unsent;
}
