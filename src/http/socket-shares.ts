/** Bounds the WebSockets and event streams of the process, and each kind of caller's share of them. */

import type { Lane } from '../caller.ts';
import type { AcceptedLanes } from '../shares/accepted-lanes.ts';

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

type State = 'unidentified' | 'unproven' | 'accepted';

/**
 * At most `maxSockets`. Callers that the service has never accepted have at most half of them. A quarter stays free for
 * accepted callers and for new sockets whose credentials are not known yet; the oldest of the latter makes room for
 * a newer one. The half is at least 1; the quarter can be 0.
 */
export function createSocketShares(maxSockets: number, acceptedLanes: AcceptedLanes): SocketShares {
  const maxUnproven = Math.max(1, Math.floor(maxSockets / 2));
  const keptFree = Math.floor(maxSockets / 4);
  const counts: Record<State, number> = { unidentified: 0, unproven: 0, accepted: 0 };
  const unidentified = new Set<Share>();
  /** By lane: when the service accepts a lane, all its shares become accepted. */
  const unproven = new Map<Lane, Set<Share>>();

  class Share implements SocketShare {
    /** Undefined before it is counted, and after its release. */
    state: State | undefined;
    lane: Lane | undefined;
    /** Undefined once the socket is identified. */
    drop: (() => void) | undefined;

    constructor(drop: (() => void) | undefined) {
      this.drop = drop;
    }

    identify(lane: Lane): boolean {
      if (this.state === undefined) return false;
      this.drop = undefined;
      this.release();
      return this.enter(lane);
    }

    /** Counts the socket in its state, if the bounds of that state allow one more. */
    enter(lane: Lane | undefined): boolean {
      const state = stateOf(lane);
      if (!hasRoom(state)) return false;
      this.state = state;
      this.lane = lane;
      counts[state] += 1;
      if (state === 'unidentified') unidentified.add(this);
      if (state === 'unproven') unproven.getOrInsertComputed(lane as Lane, () => new Set()).add(this);
      return true;
    }

    release(): void {
      const { state, lane } = this;
      if (state === undefined) return;
      this.state = undefined;
      counts[state] -= 1;
      if (state === 'unidentified') unidentified.delete(this);
      if (state !== 'unproven') return;
      const ofLane = unproven.get(lane as Lane);
      ofLane?.delete(this);
      if (ofLane?.size === 0) unproven.delete(lane as Lane);
    }
  }

  acceptedLanes.onAccept(({ lane }) => {
    for (const share of unproven.get(lane) ?? []) {
      share.release();
      share.enter(lane);
    }
  });

  function hasRoom(state: State): boolean {
    const strangers = counts.unidentified + counts.unproven;
    if (state === 'unproven' && counts.unproven >= maxUnproven) return false;
    if (state !== 'accepted' && strangers >= maxSockets - keptFree) return false;
    return strangers + counts.accepted < maxSockets;
  }

  function stateOf(lane: Lane | undefined): State {
    if (lane === undefined) return 'unidentified';
    return acceptedLanes.has(lane) ? 'accepted' : 'unproven';
  }

  return {
    open(lane, drop) {
      const share = new Share(drop);
      if (share.enter(lane)) return share;
      const [oldest] = unidentified;
      const isHalfFull = stateOf(lane) === 'unproven' && counts.unproven >= maxUnproven;
      if (keptFree === 0 || oldest === undefined || isHalfFull) return undefined;
      oldest.release();
      oldest.drop?.();
      return share.enter(lane) ? share : undefined;
    },
  };
}
