/** Bounds the WebSockets and event streams of the process, and each kind of caller's part of them. */
import type { Bound } from '../bound-names.ts';
import type { Holder } from '../caller.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import type { Shares } from './shares.ts';

/** One socket's part of the bound. A class: a gateway has thousands of them. */
export class SocketShare {
  /** Takes a part of the bound for a caller. Returns a function that releases it; undefined when there is no room. */
  readonly #hold: (holder: Holder, bytes: number) => (() => void) | undefined;
  /** Undefined when nothing is held. */
  #release: (() => void) | undefined;

  constructor(hold: (holder: Holder, bytes: number) => (() => void) | undefined, release: () => void) {
    this.#hold = hold;
    this.#release = release;
  }

  /**
   * Call when the socket's credentials are known and its request is released. `bytes`: of the credentials. Returns false
   * when there is no room, or when the share was released; the socket must then be closed.
   */
  identify(holder: Holder, bytes: number): boolean {
    if (!this.#release) return false;
    this.#release();
    this.#release = this.#hold(holder, bytes);
    return this.#release !== undefined;
  }

  /** Call when the socket has closed. Further calls have no effect. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

export type Sockets = ReturnType<typeof createSockets>;

/** Bytes of its request, then of its credentials, with which a WebSocket counts as one: 4 KiB. Each further 4 KiB count as one more. */
const bytesOfOne = 4 * 1_024;

function countOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesOfOne));
}

/**
 * A quarter stays free for accepted callers, and newcomers leave another one for new sockets whose credentials are not known
 * yet; the oldest of these makes room for a newer one.
 */
export function createSockets(shares: Shares) {
  const identified = new LaneBudget(shares.of.sockets, shares);
  const streams = new LaneBudget(shares.of.streams, shares);
  const maxSockets = shares.of.sockets.all;
  const keptFree = Math.floor(maxSockets / 4);
  /** What drops each, the oldest first. */
  const unidentified = new Set<() => void>();
  let unidentifiedHeld = 0;
  const held = () => identified.held + unidentifiedHeld;
  shares.report(identified.share, () => ({ ...identified.fill(), all: held() }));

  /** The part of the bound that does not allow as many further sockets. */
  function reached(holder: Holder | undefined, count: number): Bound | undefined {
    if (held() + count > maxSockets) return 'sockets';
    const isAccepted = holder !== undefined && shares.acceptedLanes.has(holder.lane);
    const notAccepted = unidentifiedHeld + identified.heldByNewcomers;
    if (!isAccepted && notAccepted + count > maxSockets - keptFree) return 'sockets-newcomers';
    return holder && identified.reached(holder, count);
  }

  /** As `reached`, after the oldest unidentified sockets have made room where that helps. */
  function reachedAnyway(holder: Holder | undefined, count: number): Bound | undefined {
    const isFull = holder !== undefined && identified.reached(holder, count) !== undefined;
    for (const drop of unidentified) {
      if (!reached(holder, count) || isFull) break;
      shares.dropped('sockets');
      drop();
    }
    return reached(holder, count);
  }

  /** Holds a socket whose credentials are not known. */
  function holdUnidentified(count: number, drop: () => void): SocketShare {
    const dropThis = () => {
      share.release();
      drop();
    };
    const share = new SocketShare(holdIdentified, () => {
      unidentified.delete(dropThis);
      unidentifiedHeld -= count;
    });
    unidentified.add(dropThis);
    unidentifiedHeld += count;
    return share;
  }

  function holdIdentified(holder: Holder, bytes: number): (() => void) | undefined {
    const count = countOf(bytes);
    const bound = reached(holder, count);
    if (!bound) return identified.holdAnyway(holder, count);
    shares.dropped(bound);
    return undefined;
  }

  return {
    /**
     * Holds a new WebSocket; undefined when there is no room. `bytes`: of its request. `holder` is undefined while its
     * credentials are not known; until then `drop` may be called to make room for newer sockets.
     */
    hold(holder: Holder | undefined, bytes: number, drop: () => void) {
      const count = countOf(bytes);
      const bound = reachedAnyway(holder, count);
      if (bound) {
        shares.dropped(bound);
        return undefined;
      }
      if (!holder) return holdUnidentified(count, drop);
      return new SocketShare(holdIdentified, identified.holdAnyway(holder, count));
    },

    /** Holds an event stream, and returns a function that releases it. Throws RATE_LIMITED when there is no room. */
    holdStream(holder: Holder) {
      const bound = streams.reached(holder, 1) ?? reachedAnyway(holder, 1);
      if (bound) throw refusedBy(bound, 503);
      const releases = [identified.holdAnyway(holder, 1), streams.holdAnyway(holder, 1)];
      return () => {
        for (const release of releases) release();
      };
    },
  };
}
