/** Who may hold how many of the process's WebSockets and event streams. */

import type { Lane } from '../caller.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';

/** One socket's part of the bound. */
export interface SocketShare {
  /** The socket's credentials are known now. False: there is no room for them, and the socket must end. */
  identify(lane: Lane): boolean;
  /** The socket has ended. May be called again. */
  release(): void;
}

export interface SocketShares {
  /**
   * A share for a new socket; undefined when there is no room. `lane` undefined: its credentials are not known
   * yet, and `drop` is called when it has to make room for a newer one before they are.
   */
  open(lane: Lane | undefined, drop?: () => void): SocketShare | undefined;
}

interface Share {
  standing: 'unidentified' | 'unproven' | 'accepted' | 'released';
  lane: Lane | undefined;
  readonly drop: () => void;
}

/**
 * At most `maxSockets`. Callers whom the service has never accepted have at most half of them. A quarter is
 * free for accepted callers, and for new sockets whose credentials are not known yet: of these the oldest
 * makes room. A half that rounds down to none is one; a quarter that does keeps nothing free.
 */
export function createSocketShares(maxSockets: number, acceptedLanes: AcceptedLanes): SocketShares {
  const maxUnproven = Math.max(1, Math.floor(maxSockets / 2));
  const keptFree = Math.floor(maxSockets / 4);
  const unidentified = new Set<Share>();
  /** By lane, so that all of a lane change sides when the service accepts it. */
  const unproven = new Map<Lane, Set<Share>>();
  let unprovenCount = 0;
  let acceptedCount = 0;

  acceptedLanes.onAccept((lane) => {
    for (const share of unproven.get(lane) ?? []) {
      leave(share);
      enter(share, 'accepted', lane);
    }
  });

  function hasRoom(standing: 'unidentified' | 'unproven' | 'accepted'): boolean {
    const strangers = unidentified.size + unprovenCount;
    if (standing === 'unproven' && unprovenCount >= maxUnproven) return false;
    if (standing === 'unidentified' && strangers >= maxSockets - keptFree) return false;
    return strangers + acceptedCount < maxSockets;
  }

  /** Room that is there, or that the oldest unidentified socket makes. */
  function makeRoom(standing: 'unidentified' | 'unproven' | 'accepted'): boolean {
    if (hasRoom(standing)) return true;
    const [oldest] = unidentified;
    if (keptFree === 0 || oldest === undefined) return false;
    if (standing === 'unproven' && unprovenCount >= maxUnproven) return false;
    leave(oldest);
    oldest.drop();
    return hasRoom(standing);
  }

  function enter(share: Share, standing: Share['standing'], lane: Lane | undefined): void {
    share.standing = standing;
    share.lane = lane;
    if (standing === 'unidentified') unidentified.add(share);
    if (standing === 'accepted') acceptedCount += 1;
    if (standing === 'unproven' && lane !== undefined) {
      unproven.set(lane, (unproven.get(lane) ?? new Set()).add(share));
      unprovenCount += 1;
    }
  }

  function leave(share: Share): void {
    const { standing, lane } = share;
    share.standing = 'released';
    if (standing === 'unidentified') unidentified.delete(share);
    if (standing === 'accepted') acceptedCount -= 1;
    if (standing === 'unproven' && lane !== undefined) {
      const ofLane = unproven.get(lane);
      ofLane?.delete(share);
      if (ofLane?.size === 0) unproven.delete(lane);
      unprovenCount -= 1;
    }
  }

  function standingOf(lane: Lane | undefined): 'unidentified' | 'unproven' | 'accepted' {
    if (lane === undefined) return 'unidentified';
    return acceptedLanes.has(lane) ? 'accepted' : 'unproven';
  }

  return {
    open(lane, drop = () => {}) {
      if (!makeRoom(standingOf(lane))) return undefined;
      const share: Share = { standing: 'released', lane: undefined, drop };
      enter(share, standingOf(lane), lane);
      return {
        identify(identified) {
          if (share.standing === 'released') return false;
          leave(share);
          if (!hasRoom(standingOf(identified))) return false;
          enter(share, standingOf(identified), identified);
          return true;
        },
        release: () => leave(share),
      };
    },
  };
}
