/** Connections that wait for a request: how many there are, and of how many one turn of the event loop reads the request. */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Holder, Owner } from '../../caller.ts';
import type { AcceptedLanes } from '../../shares/accepted-lanes.ts';
import { areConnectionsFirst, countArrival, isReadingLong } from '../../tools/event-loop-turns.ts';
import { listeningSockets } from '../listen.ts';

/** In the order in which they began to wait. */
type Waiting = Set<Socket>;

export type IdleConnections = ReturnType<typeof createIdleConnections>;

/** Most connections that are read again in one turn of the event loop. */
const maxContinued = 128;
/** New connections in one turn of the event loop from which more wait to be accepted. */
const manyOpened = Math.ceil(listeningSockets / 8);
/** Connections of one caller, or new ones, that are read in order. Of more, the oldest may have waited for too long. */
const mostInOrder = 512;
/** Number of the newest connections, which are always read. */
const newest = 2;

/**
 * Bounds the connections that wait for a request, since each may hold an incomplete head. Those that have had a request and
 * those that have not have half of the bound each: new connections do not close the ones that callers keep. Of these one of
 * the accepted caller with most is closed; callers that are not in `acceptedLanes` count as one.
 *
 * Node would read the heads of all in one turn: 2,000 take 300 ms. When a turn has worked for too long, the others are read in
 * later ones. Callers take turns with theirs and with those that are new. Of each the oldest is next; of more than `mostInOrder`
 * the oldest and the newest alternate. While many connections arrive, those that are new are read after they have all been
 * accepted.
 */
export function createIdleConnections(max: number, acceptedLanes?: Pick<AcceptedLanes, 'has'>) {
  const most = Math.ceil(max / 2);
  const fresh: Waiting = new Set();
  /** By accepted caller; those of all others under undefined. */
  const kept = new Map<Owner | undefined, Waiting>();
  /** Of each connection in `kept`, in the order in which they began to wait. */
  const ownerOf = new Map<Socket, Owner | undefined>();
  /** Those of both that are paused. */
  const postponed: Waiting = new Set();
  /** Those that are closed once the next turn of the event loop has read them: their requests may have arrived. */
  const leaving: Waiting = new Set();
  /** Connections that this turn has accepted. */
  let opened = 0;
  /** Whether this turn has paused all of them, or at least the new ones. */
  let hasPostponed = false;
  let hasPostponedFresh = false;
  /** Whether connections that are new were paused at the beginning of this turn, or have been since. */
  let isLate = false;
  /** Until a turn of the event loop has read those that were paused, and paused none. */
  let isContinuing = false;

  /** Undefined for a caller who is not accepted. */
  function acceptedOwner(holder: Holder | undefined): Owner | undefined {
    return holder && acceptedLanes?.has(holder.lane) ? holder.owner : undefined;
  }

  function largestOfOwner(): Waiting {
    return [...kept.values()].reduce((one, other) => (other.size > one.size ? other : one));
  }

  function closeLongest(waiting: Waiting): void {
    const longest = waiting.values().next().value as Socket;
    remove(longest);
    leaving.add(longest);
    longest.resume();
    setImmediate(setImmediate, () => leaving.delete(longest) && longest.destroy());
  }

  function remove(socket: Socket): void {
    postponed.delete(socket);
    leaving.delete(socket);
    const owner = ownerOf.get(socket);
    if (!ownerOf.delete(socket)) {
      fresh.delete(socket);
      return;
    }
    const ofOwner = kept.get(owner);
    ofOwner?.delete(socket);
    if (ofOwner?.size === 0) kept.delete(owner);
  }

  function begin(socket: Socket): void {
    remove(socket);
    if (opened >= manyOpened && areConnectionsFirst()) postponeFresh();
    if (!hasPostponed && isReadingLong()) postponeAll();
  }

  function postponeAll(): void {
    hasPostponed = true;
    postpone(ownerOf.keys());
    postponeFresh();
  }

  function postponeFresh(): void {
    if (hasPostponedFresh) return;
    hasPostponedFresh = true;
    const late = [...fresh].slice(0, -newest);
    isLate ||= late.length > 0;
    postpone(late);
  }

  function postpone(sockets: Iterable<Socket>): void {
    if (!isContinuing) setImmediate(continueSome);
    isContinuing = true;
    for (const socket of sockets) {
      if (postponed.has(socket)) continue;
      postponed.add(socket);
      socket.pause();
    }
  }

  function continueSome(): void {
    hasPostponed = false;
    hasPostponedFresh = false;
    isContinuing = postponed.size > 0;
    isLate = fresh.values().some((socket) => postponed.has(socket));
    if (isLate) countArrival();
    for (const socket of inTurn().take(maxContinued)) {
      postponed.delete(socket);
      socket.resume();
    }
    if (isContinuing) setImmediate(continueSome);
  }

  function* inTurn(): Generator<Socket> {
    const parts = [fresh, ...kept.values()].map((part) =>
      [...part].filter((socket) => postponed.has(socket)),
    );
    for (let at = 0; at < maxContinued; at += 1) {
      for (const part of parts) {
        if (at < part.length) yield nextOf(part, at);
      }
    }
  }

  function onClose(this: Socket): void {
    remove(this);
  }

  return {
    /** Call for each new connection. */
    open(socket: Socket) {
      countArrival();
      if (opened === 0) setImmediate(() => (opened = 0));
      opened += 1;
      socket.on('close', onClose);
      fresh.add(socket);
      if (fresh.size > most) closeLongest(fresh);
    },
    /** Call when all responses of a connection have been sent. `holder`: the caller of its last request. */
    wait(socket: Socket, holder?: Holder) {
      if (socket.destroyed) return;
      const owner = acceptedOwner(holder);
      ownerOf.set(socket, owner);
      kept.getOrInsertComputed(owner, () => new Set()).add(socket);
      if (ownerOf.size > most) closeLongest(largestOfOwner());
    },
    /** Whether nearly as many are kept as may be: some responses are being sent. */
    isNearlyFull: () => ownerOf.size >= (most * 7) / 8,
    /** Whether one of the caller's is closed for the next one. */
    hasMost: (holder: Holder | undefined) => kept.get(acceptedOwner(holder)) === largestOfOwner(),
    /** Whether some that are new wait to be read. Of the others, few have something to read. */
    isLate: () => isLate,
    /** Call when the head of a request is complete. */
    begin,
    /** Call when a connection has been upgraded. */
    leave(socket: Socket) {
      begin(socket);
      socket.off('close', onClose);
    },
    /** Resolves when what has arrived on all of them has been read. */
    async whenRead() {
      do await nextTurn();
      while (isContinuing || leaving.size > 0);
    },
  };
}

function nextOf(part: readonly Socket[], at: number): Socket {
  const isInOrder = part.length <= mostInOrder;
  const index = at % 2 === 0 ? at / 2 : -(at + 1) / 2;
  return part.at(isInOrder ? at : index) as Socket;
}
