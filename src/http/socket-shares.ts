/** Bounds the WebSockets and event streams of the process, and each kind of caller's share of them. */

import type { Lane } from '../caller.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';

/** One socket's share of the bound. */
export interface SocketShare {
  /** Call when the socket's credentials are known. Returns false when there is no room: close the socket. */
  identify(lane: Lane): boolean;
  /** Call when the socket has closed. Further calls have no effect. */
  release(): void;
}

export interface SocketShares {
  /**
   * Returns a share for a new socket, or undefined when there is no room. `lane` is undefined while its credentials are
   * not known; until then `drop` may be called to make room for a newer socket.
   */
  open(lane: Lane | undefined, drop?: () => void): SocketShare | undefined;
}

type State = 'unidentified' | 'unproven' | 'accepted' | 'released';

/**
 * At most `maxSockets`. Callers that the service has never accepted have at most half of them. A quarter stays free for
 * accepted callers and for new sockets whose credentials are not known yet; the oldest of the latter makes room for
 * a newer one. The half is at least 1; the quarter can be 0.
 */
export function createSocketShares(maxSockets: number, acceptedLanes: AcceptedLanes): SocketShares {
  const maxUnproven = Math.max(1, Math.floor(maxSockets / 2));
  const keptFree = Math.floor(maxSockets / 4);
  const unidentified = new Set<Share>();
  /** By lane: when the service accepts a lane, all its shares become accepted. */
  const unproven = new Map<Lane, Set<Share>>();
  let unprovenCount = 0;
  let acceptedCount = 0;

  class Share implements SocketShare {
    state: State = 'released';
    lane: Lane | undefined;
    /** Undefined once the socket is identified. */
    drop: (() => void) | undefined;

    constructor(drop: (() => void) | undefined) {
      this.drop = drop;
    }

    identify(lane: Lane): boolean {
      if (this.state === 'released') return false;
      this.drop = undefined;
      leave(this);
      if (!hasRoom(stateOf(lane))) return false;
      enter(this, stateOf(lane), lane);
      return true;
    }

    release(): void {
      leave(this);
    }
  }

  acceptedLanes.onAccept((lane) => {
    for (const share of unproven.get(lane) ?? []) {
      leave(share);
      enter(share, 'accepted', lane);
    }
  });

  function hasRoom(state: State): boolean {
    const strangers = unidentified.size + unprovenCount;
    if (state === 'unproven' && unprovenCount >= maxUnproven) return false;
    if (state === 'unidentified' && strangers >= maxSockets - keptFree) return false;
    return strangers + acceptedCount < maxSockets;
  }

  /** Whether there is room, if necessary after dropping the oldest unidentified socket. */
  function makeRoom(state: State): boolean {
    if (hasRoom(state)) return true;
    const [oldest] = unidentified;
    if (keptFree === 0 || oldest === undefined) return false;
    if (state === 'unproven' && unprovenCount >= maxUnproven) return false;
    leave(oldest);
    oldest.drop?.();
    return hasRoom(state);
  }

  function enter(share: Share, state: State, lane: Lane | undefined): void {
    share.state = state;
    share.lane = lane;
    if (state === 'unidentified') unidentified.add(share);
    if (state === 'accepted') acceptedCount += 1;
    if (state === 'unproven' && lane !== undefined) {
      unproven.set(lane, (unproven.get(lane) ?? new Set()).add(share));
      unprovenCount += 1;
    }
  }

  function leave(share: Share): void {
    const { state, lane } = share;
    share.state = 'released';
    if (state === 'unidentified') unidentified.delete(share);
    if (state === 'accepted') acceptedCount -= 1;
    if (state === 'unproven' && lane !== undefined) {
      const ofLane = unproven.get(lane);
      ofLane?.delete(share);
      if (ofLane?.size === 0) unproven.delete(lane);
      unprovenCount -= 1;
    }
  }

  function stateOf(lane: Lane | undefined): State {
    if (lane === undefined) return 'unidentified';
    return acceptedLanes.has(lane) ? 'accepted' : 'unproven';
  }

  return {
    open(lane, drop) {
      if (!makeRoom(stateOf(lane))) return undefined;
      const share = new Share(drop);
      enter(share, stateOf(lane), lane);
      return share;
    },
  };
}
