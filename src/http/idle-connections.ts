import type { Socket } from 'node:net';

/** In the order in which they began to wait. */
type Waiting = Set<Socket>;

/**
 * Bounds the connections that wait for a request, since each may hold an incomplete head. Those that have had a request and
 * those that have not have half of the bound each: new connections do not close the ones that callers keep.
 */
export class IdleConnections {
  readonly #most: number;
  readonly #fresh: Waiting = new Set();
  readonly #kept: Waiting = new Set();
  readonly #onClose: (this: Socket) => void;

  constructor(max: number) {
    this.#most = Math.ceil(max / 2);
    const end = (socket: Socket) => this.begin(socket);
    this.#onClose = function () {
      end(this);
    };
  }

  /** Call for each new connection. */
  open(socket: Socket): void {
    socket.on('close', this.#onClose);
    this.#add(this.#fresh, socket);
  }

  /** Call when all responses of a connection have been sent. */
  wait(socket: Socket): void {
    if (!socket.destroyed) this.#add(this.#kept, socket);
  }

  /** Call when the head of a request is complete. */
  begin(socket: Socket): void {
    if (!this.#kept.delete(socket)) this.#fresh.delete(socket);
  }

  /** Closes the connection that has waited longest, if there are too many. */
  #add(waiting: Waiting, socket: Socket): void {
    waiting.add(socket);
    if (waiting.size <= this.#most) return;
    const [longest] = waiting;
    waiting.delete(longest as Socket);
    longest?.destroy();
  }
}
