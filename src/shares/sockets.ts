/** Bounds the WebSockets and event streams of the process, and each kind of caller's part of them. */
import type { Bound } from '../bounds.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import { applicationPart, type Holder, shareOf } from './share.ts';
import type { Shares } from './shares.ts';

/** One socket's part of the bound. */
export interface SocketShare {
  /** Call when the socket's credentials are known. Returns false when there is no room: close the socket. */
  identify(holder: Holder): boolean;
  /** Call when the socket has closed. Further calls have no effect. */
  release(): void;
}

export interface Sockets {
  /**
   * Holds a new WebSocket; undefined when there is no room. `holder` is undefined while its credentials are not known;
   * until then `drop` may be called to make room for a newer socket.
   */
  hold(holder: Holder | undefined, drop: () => void): SocketShare | undefined;
  /** Holds an event stream, and returns a function that releases it. Throws RATE_LIMITED when there is no room. */
  holdStream(holder: Holder): () => void;
}

/**
 * At most `maxSockets`, of which newcomers have half. A quarter stays free for accepted callers and for new sockets whose
 * credentials are not known yet; the oldest of the latter makes room for a newer one. The quarter can be 0. One owner has
 * at most three quarters. At most `maxStreams` of them are event streams.
 */
export function createSockets(maxSockets: number, maxStreams: number, shares: Shares): Sockets {
  const identified = new LaneBudget(
    shareOf('sockets', maxSockets, { owner: maxSockets * applicationPart }),
    shares,
  );
  const streams = new LaneBudget(
    shareOf('streams', maxStreams, { owner: maxStreams * applicationPart }),
    shares,
  );
  const keptFree = Math.floor(maxSockets / 4);
  /** What drops each, the oldest first. */
  const unidentified = new Map<object, () => void>();

  /** The part of the bound that allows no further socket. */
  function reached(holder: Holder | undefined): Bound | undefined {
    if (identified.held + unidentified.size >= maxSockets) return 'sockets';
    const isAccepted = holder !== undefined && shares.acceptedLanes.has(holder.lane);
    const notAccepted = unidentified.size + identified.heldByNewcomers;
    if (!isAccepted && notAccepted >= maxSockets - keptFree) return 'sockets-newcomers';
    return holder && identified.reached(holder, 1);
  }

  /** As `reached`, after the oldest unidentified socket has made room where that helps. */
  function reachedAnyway(holder: Holder | undefined): Bound | undefined {
    const [oldest] = unidentified;
    const isFull = holder !== undefined && identified.reached(holder, 1) !== undefined;
    if (!reached(holder) || keptFree === 0 || oldest === undefined || isFull) return reached(holder);
    const [socket, drop] = oldest;
    unidentified.delete(socket);
    shares.dropped('sockets');
    drop();
    return reached(holder);
  }

  return {
    hold(holder, drop) {
      const bound = reachedAnyway(holder);
      if (bound) {
        shares.dropped(bound);
        return undefined;
      }
      const socket = {};
      let isOpen = true;
      let release: () => void = () => unidentified.delete(socket);
      if (holder) release = identified.holdAnyway(holder, 1);
      else unidentified.set(socket, drop);
      return {
        identify(known) {
          // It was dropped or released meanwhile.
          if (!isOpen || !(holder || unidentified.delete(socket))) return false;
          release();
          const bound = reached(known);
          if (bound) shares.dropped(bound);
          else release = identified.holdAnyway(known, 1);
          return bound === undefined;
        },
        release() {
          isOpen = false;
          release();
        },
      };
    },

    holdStream(holder) {
      const bound = streams.reached(holder, 1) ?? reachedAnyway(holder);
      if (bound) throw refusedBy(bound, 503);
      const releases = [identified.holdAnyway(holder, 1), streams.holdAnyway(holder, 1)];
      return () => {
        for (const release of releases) release();
      };
    },
  };
}
