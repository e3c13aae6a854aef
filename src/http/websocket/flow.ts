/** Bounds what is buffered for slow WebSocket clients and detects dead peers. */
import type { WebSocket } from 'ws';

/** Bytes that a client has not read: above the first the gateway stops reading from it, above the second it terminates it. */
const pauseAboveBytes = 1024 * 1024;
const terminateAboveBytes = 8 * 1024 * 1024;
/** Interval of pings (ms): 12 seconds. A peer that has not responded by the next ping is terminated. */
const keepAliveMs = 12_000;
/** Pings after which a socket without an operation is closed: one minute. */
export const quietPings = 5;
/** Time that a peer has to complete the closing handshake (ms). */
const closingMs = 2_000;

/** Resolves when the message was written to the network, so that a slow reader delays only its own events. */
export function send(socket: WebSocket, message: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(message, () => resolve());
  });
}

/** Call for each message that arrives. Stops reading from a client that does not read its responses; then terminates it. */
export function applyBackpressure(socket: WebSocket): void {
  if (socket.bufferedAmount > terminateAboveBytes) {
    socket.terminate();
  } else if (socket.bufferedAmount > pauseAboveBytes && !socket.isPaused) {
    socket.pause();
    const timer = setInterval(() => {
      if (socket.bufferedAmount > pauseAboveBytes && socket.readyState === socket.OPEN) return;
      clearInterval(timer);
      socket.resume();
    }, 50);
  }
}

/** Pings the client and calls `onPing` for each ping. Returns a function that stops this. */
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

/** Closes with 1001: clients reconnect, to another gateway. */
export function closeGoingAway(socket: WebSocket): void {
  endSocket(socket, 1001, 'Going away');
}

/** Closes the socket, and terminates it when the client does not complete the closing handshake. */
export function endSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closingMs).unref();
}

export function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
