/** Connections that wait for a request: how many there are, and of how many one turn of the event loop reads the request. */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTurnLong } from '../../tools/event-loop-turns.ts';

/** In the order in which they began to wait. */
type Waiting = Set<Socket>;

export interface IdleConnections {
  /** Call for each new connection. */
  open(socket: Socket): void;
  /** Call when all responses of a connection have been sent. */
  wait(socket: Socket): void;
  /** Call when the head of a request is complete. */
  begin(socket: Socket): void;
  /** Call when a connection has been upgraded. */
  leave(socket: Socket): void;
  /** Resolves when what has arrived on all of them has been read. */
  whenRead(): Promise<void>;
}

/** Most connections that are read again in one turn of the event loop. */
const maxContinued = 128;
/** Number of the newest connections, which are always read. */
const newest = 16;

/**
 * Bounds the connections that wait for a request, since each may hold an incomplete head. Those that have had a request and
 * those that have not have half of the bound each: new connections do not close the ones that callers keep.
 *
 * Node would read the heads of all in one turn: 2,000 take 300 ms. When a turn has worked for too long, the others are read in
 * later ones, the oldest and the newest alternately: a new connection does not wait for all others, nor they for all new ones.
 */
export function createIdleConnections(max: number): IdleConnections {
  const most = Math.ceil(max / 2);
  const fresh: Waiting = new Set();
  const kept: Waiting = new Set();
  /** Those of both that are paused, the oldest first. */
  const postponed: Waiting = new Set();
  /** Whether this turn of the event loop has paused them. */
  let hasPostponed = false;
  /** Until a turn of the event loop has read those that were paused, and paused none. */
  let isContinuing = false;

  /** Closes the connection that has waited longest, if there are too many. */
  function add(waiting: Waiting, socket: Socket): void {
    waiting.add(socket);
    if (waiting.size <= most) return;
    const [longest] = waiting;
    waiting.delete(longest as Socket);
    longest?.destroy();
  }

  function remove(socket: Socket): void {
    postponed.delete(socket);
    if (!kept.delete(socket)) fresh.delete(socket);
  }

  function begin(socket: Socket): void {
    remove(socket);
    if (!hasPostponed && isTurnLong()) postponeAll();
  }

  function postponeAll(): void {
    if (!isContinuing) setImmediate(continueSome);
    isContinuing = true;
    hasPostponed = true;
    for (const socket of [...kept, ...[...fresh].slice(0, -newest)]) {
      if (postponed.has(socket)) continue;
      postponed.add(socket);
      socket.pause();
    }
  }

  function continueSome(): void {
    hasPostponed = false;
    isContinuing = postponed.size > 0;
    const all = [...postponed];
    for (let at = 0; at < Math.min(maxContinued, all.length); at += 1) {
      const socket = all.at(at % 2 === 0 ? at / 2 : -(at + 1) / 2) as Socket;
      postponed.delete(socket);
      socket.resume();
    }
    if (isContinuing) setImmediate(continueSome);
  }

  function onClose(this: Socket): void {
    remove(this);
  }

  return {
    open(socket) {
      socket.on('close', onClose);
      add(fresh, socket);
    },
    wait(socket) {
      if (!socket.destroyed) add(kept, socket);
    },
    begin,
    leave(socket) {
      begin(socket);
      socket.off('close', onClose);
    },
    async whenRead() {
      do await nextTurn();
      while (isContinuing);
    },
  };
}
