/** A WebSocket's traffic: nobody can make the gateway hold what he does not read, or keep a dead peer. */
import type { WebSocket } from 'ws';

/** Unread by the client: over the first it is no longer read, over the second it is cut (bytes). */
const muchBufferedBytes = 1024 * 1024;
const mostBufferedBytes = 8 * 1024 * 1024;
/** A ping this often (ms); a peer that did not answer by the next one is closed. */
const keepAliveMs = 12_000;
/** A socket without any operation is closed after so many pings: after a minute. */
export const quietPings = 5;
/** How long a peer has to answer the closing handshake (ms). */
const closingMs = 2_000;

/** Resolves when the message left for the network: a slow reader slows its own events and nobody else's. */
export function send(socket: WebSocket, message: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(message, () => resolve());
  });
}

/** Call with each message that arrives: who sends and does not read is not read either, then cut. */
export function applyBackpressure(socket: WebSocket): void {
  if (socket.bufferedAmount > mostBufferedBytes) {
    socket.terminate();
  } else if (socket.bufferedAmount > muchBufferedBytes && !socket.isPaused) {
    socket.pause();
    const timer = setInterval(() => {
      if (socket.bufferedAmount > muchBufferedBytes && socket.readyState === socket.OPEN) return;
      clearInterval(timer);
      socket.resume();
    }, 50);
  }
}

/** Calls `onPing` with each ping. The returned function stops it. */
export function keepAlive(socket: WebSocket, onPing: () => void): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
    onPing();
  }, keepAliveMs);
  return () => clearInterval(timer);
}

/** Closes with 1001: the client may come back, to another gateway. */
export function closeGoingAway(socket: WebSocket): void {
  endSocket(socket, 1001, 'Going away');
}

/** Closes the socket, and cuts it when the client does not answer the closing handshake. */
export function endSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closingMs).unref();
}

export function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
