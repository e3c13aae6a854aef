/**
 * What is not the body of a response, such as interim responses, blanks in its head, chunk extensions and trailers: a service may
 * send any number.
 */
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { inSharedTurn, isTurnLong } from '../tools/event-loop-turns.ts';

/** Most bytes of one response that are not its body (64 KiB), and 8 more for each byte of it: a chunk of one byte has 5. */
const maxFramingBytes = 64 * 1024;
const framingOfByte = 8;
/** Bytes that are read also in a turn of the event loop that has worked for long (4 KiB). Most responses have fewer. */
const freeBytes = 4 * 1024;

/** Members of undici's parser. The tests of interim responses, endless heads, chunk extensions and trailers notice a change. */
interface Parser {
  readonly statusCode: number;
  /** Bytes of the body of the response in progress. */
  readonly bytesRead: number;
  /** Called for each header and trailer. Closes the connection when there are too many. */
  trackHeader(length: number): void;
  onHeadersComplete(status: number, isUpgrade: boolean, shouldKeepAlive: boolean): number;
  onMessageComplete(): number;
  readonly llhttp: { llhttp_set_lenient_keep_alive(ptr: number, isOn: number): void };
  readonly ptr: number;
}

/**
 * Closes the connection when the service sends too much besides a body. Call once undici has connected. Parsing 64 KiB of
 * trailers takes some milliseconds, which cannot be interrupted, so larger reads begin while the turn has time for them.
 */
export function boundFraming(socket: Socket, client: Client): void {
  const { read, unshift } = socket;
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser = (socket as unknown as Record<symbol, Parser>)[key as symbol] as Parser;
  const { trackHeader, onHeadersComplete, onMessageComplete } = parser;
  /** Bytes of the response in progress, with its head. */
  let received = 0;
  let isPostponed = false;

  function readLater(): void {
    if (isPostponed) return;
    isPostponed = true;
    inSharedTurn(() => {
      isPostponed = false;
      socket.emit('readable');
    });
  }

  socket.read = (size) => {
    const { bytesRead } = parser;
    if (received - bytesRead > maxFramingBytes + framingOfByte * bytesRead) {
      socket.destroy(new Error('What the response has besides its body is larger than the bound.'));
      return null;
    }
    // What comes without a request is read at once. Read after the next request, it would be taken for its response.
    if (socket.readableLength > freeBytes && client.stats.running > 0 && isTurnLong()) {
      readLater();
      return null;
    }
    const chunk: Buffer | null = read.call(socket, size);
    received += chunk?.length ?? 0;
    return chunk;
  };

  // undici would create an error for each of thousands that it has read.
  parser.trackHeader = (length) => {
    if (!socket.destroyed) trackHeader.call(parser, length);
  };

  // A client must accept 100 although it asked for none (RFC 9110, section 15.2.1). undici would end the connection, and with it a
  // write that the service has done, but it ignores 102.
  parser.onHeadersComplete = (status, ...head) =>
    onHeadersComplete.call(parser, status === 100 ? 102 : status, ...head);
  // An interim response may have `Connection: close`. Behind a final one with it, undici reads nothing.
  parser.llhttp.llhttp_set_lenient_keep_alive(parser.ptr, 1);

  parser.onMessageComplete = () => {
    // Interim responses count with the response that they come before: there may be any number of them.
    if (parser.statusCode >= 200) received = 0;
    return onMessageComplete.call(parser);
  };

  // What undici has not parsed when it pauses.
  socket.unshift = (chunk: Buffer) => {
    received -= chunk.length;
    unshift.call(socket, chunk);
  };
}
