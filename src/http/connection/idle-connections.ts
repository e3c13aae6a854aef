/** Closes the connection that has waited longest for a request when too many wait. */
import type { Socket } from 'node:net';

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
}

/**
 * Bounds the connections that wait for a request, since each may hold an incomplete head. Those that have had a request and
 * those that have not have half of the bound each: new connections do not close the ones that callers keep.
 */
export function createIdleConnections(max: number): IdleConnections {
  const most = Math.ceil(max / 2);
  const fresh: Waiting = new Set();
  const kept: Waiting = new Set();

  /** Closes the connection that has waited longest, if there are too many. */
  function add(waiting: Waiting, socket: Socket): void {
    waiting.add(socket);
    if (waiting.size <= most) return;
    const [longest] = waiting;
    waiting.delete(longest as Socket);
    longest?.destroy();
  }

  function begin(socket: Socket): void {
    if (!kept.delete(socket)) fresh.delete(socket);
  }

  function onClose(this: Socket): void {
    begin(this);
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
  };
}
