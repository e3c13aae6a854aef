import type { Duplex } from 'node:stream';

/** Ends a connection with a status line, for a rejected upgrade or request to which Node gives no response object. */
export function endWithStatus(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  // Otherwise a client that does not close its side would keep the connection half-open.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
