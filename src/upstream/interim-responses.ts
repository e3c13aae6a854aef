/**
 * Interim responses before a response. A client must accept `100 Continue` although it asked for none (RFC 9110, section
 * 15.2.1), but undici ends the connection, and with it a write that the service has done. All others are dropped with it,
 * as it may come after them; 101 is not one of them, since nothing is upgraded.
 */
import type { Socket } from 'node:net';

const statusLine = Buffer.from('HTTP/1.1 1');
const nothing = Buffer.alloc(0);
const switching = Buffer.from('HTTP/1.1 101');
const endOfHead = Buffer.from('\r\n\r\n');
/** Most bytes of the interim responses before one response: as the headers of any. Dropping endless ones takes all time. */
const maxInterimBytes = 16 * 1024;

/** Removes interim responses from what undici reads between the head of its request and the response. */
export function dropContinue(socket: Socket): void {
  const { read, write } = socket;
  /** Bytes that have arrived since the head of the request; undefined once a response has begun. */
  let head: Buffer | undefined;
  let droppedBytes = 0;

  // undici writes the head of each request at once, as text, and only after the response to the one before.
  socket.write = ((data: unknown, ...rest: []) => {
    if (typeof data === 'string' && /^(GET|POST) /.test(data)) {
      head = nothing;
      droppedBytes = 0;
    }
    return write.call(socket, data as string, ...rest);
  }) as Socket['write'];

  socket.read = (size) => {
    const chunk: Buffer | null = read.call(socket, size);
    if (head === undefined || chunk === null) return chunk;
    // The status of an interim response begins with 1. Almost no response has one.
    if (head === nothing && chunk.length >= statusLine.length && chunk[statusLine.length - 1] !== 0x31) {
      head = undefined;
      return chunk;
    }
    head = head === nothing ? chunk : Buffer.concat([head, chunk]);
    while (beginsAlike(head, statusLine)) {
      const end = head.indexOf(endOfHead);
      const length = end < 0 ? head.length : end + endOfHead.length;
      if (droppedBytes + length > maxInterimBytes) {
        // undici would end the connection at 100 Continue only.
        socket.destroy(new Error('The interim responses are larger than the bound.'));
        return null;
      }
      if (end < 0) return null;
      if (beginsAlike(head, switching)) break;
      droppedBytes += length;
      head = head.subarray(length);
    }
    const rest = head;
    head = undefined;
    return rest;
  };
}

/** Whether the shorter of both is the beginning of the other. */
function beginsAlike(bytes: Buffer, other: Buffer): boolean {
  const length = Math.min(bytes.length, other.length);
  return bytes.subarray(0, length).equals(other.subarray(0, length));
}
