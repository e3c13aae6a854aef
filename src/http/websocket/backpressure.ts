/** Sends to WebSocket clients, and bounds what is buffered for slow ones. */
import type { WebSocket } from 'ws';

/** Bytes that a client has not read: above the first the gateway stops reading from it, above the second it terminates it. */
const pauseAboveBytes = 1024 * 1024;
const terminateAboveBytes = 8 * 1024 * 1024;
/** Messages that were not written, above which the gateway stops reading: more than twice the operations of a socket. */
const pauseAbovePending = 500;

/**
 * Returns a promise if the message was not written to the network at once; it resolves when it was, so that a slow
 * reader delays only its own events. A callback for each message would cost more than building the message.
 */
export function send(socket: WebSocket, message: string): Promise<void> | undefined {
  if (socket.readyState !== socket.OPEN) return undefined;
  socket.send(message);
  if (socket.bufferedAmount === 0) return undefined;
  // A pong that no ping requested needs no reply. It is written after the message.
  return new Promise((resolve) => socket.pong('', false, () => resolve()));
}

/** What waits for a client to read. */
export interface Unread {
  readonly socket: WebSocket;
  /** Messages that were not written to the network. The handler or operation of each is kept until it was. */
  readonly pendingMessages: number;
}

/** Call for each message that arrives. Stops reading from a client that does not read its responses; then terminates it. */
export function applyBackpressure(unread: Unread): void {
  const { socket } = unread;
  const isBehind = () =>
    socket.bufferedAmount > pauseAboveBytes || unread.pendingMessages > pauseAbovePending;
  if (socket.bufferedAmount > terminateAboveBytes) {
    socket.terminate();
  } else if (isBehind() && !socket.isPaused) {
    socket.pause();
    const timer = setInterval(() => {
      if (isBehind() && socket.readyState === socket.OPEN) return;
      clearInterval(timer);
      socket.resume();
    }, 50);
  }
}
