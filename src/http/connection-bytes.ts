import type { Socket } from 'node:net';

/** Returns a function that returns the bytes a connection has read and written since its last call for it. */
export function createConnectionBytes(): (socket: Socket) => number {
  const counted = new WeakMap<Socket, number>();
  return (socket) => {
    const total = socket.bytesRead + socket.bytesWritten;
    const bytes = total - (counted.get(socket) ?? 0);
    counted.set(socket, total);
    return bytes;
  };
}
