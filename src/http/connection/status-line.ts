import type { Duplex } from 'node:stream';

/** Longest time until the status line is sent (ms): a client that does not read an earlier response takes nothing more. */
const sendingMs = 5_000;

/** Ends a connection with a status line, for a rejected upgrade or request to which Node gives no response object. */
export function endWithStatus(socket: Duplex, status: string): void {
  const destroy = () => void socket.destroy();
  const timer = setTimeout(destroy, sendingMs);
  socket.on('error', () => {});
  // Otherwise a client that does not close its side would keep the connection half-open.
  socket.once('finish', destroy).once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
