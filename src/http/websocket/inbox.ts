/** What arrives over WebSockets: messages are handled in turn with requests, and what waits counts as request bodies. */
import type { WebSocket } from 'ws';
import type { Admission } from '../../shares/overload.ts';
import type { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import { nobody } from '../../shares/share.ts';
import { type Connection, noMessages } from './connection.ts';

/** Bounds of one message, as options of ws. */
export const messageBounds = {
  /** Bytes: 128 KiB. */
  maxPayload: 128 * 1_024,
  /** Frames: ws holds a Buffer for each until the last one arrives. */
  maxFragments: 128,
  /** Chunks of an incomplete message: one of 128 KiB has 245 of the smallest usual size, 536 bytes. */
  maxBufferedChunks: 512,
};
/** Most messages of one WebSocket that wait: more than twice its operations. */
const maxWaiting = 1_000;
/** Bytes of one WebSocket that are not counted: 4 KiB. Most messages have fewer. */
const freeBytes = 4 * 1_024;
/** Memory of a message or chunk besides its bytes, measured (bytes). */
const overheadBytes = 256;

export function createInbox(
  admission: Admission,
  bodies: ReclaimingBudget,
  handle: (connection: Connection, data: Buffer, isBinary: boolean) => void,
) {
  function count(connection: Connection, isEmitted = false): void {
    const bytes = bytesOf(connection, isEmitted);
    connection.receivedBytes = bytes;
    if (bytes <= freeBytes) {
      connection.received?.close();
      connection.received = undefined;
      return;
    }
    connection.received ??= bodies.open({
      holder: connection.identity,
      isSilent: true,
      drop: () => connection.socket.terminate(),
    });
    connection.received.hold(bytes);
  }

  function startLater(connection: Connection): void {
    admission.startLater(connection.identity ?? nobody, () => {
      const message = connection.waiting.shift();
      if (!message) return false;
      if (connection.waiting.length > 0) startLater(connection);
      else connection.socket.resume();
      count(connection);
      connection.waitedMs = performance.now() - message.receivedAt;
      handle(connection, message.data, message.isBinary);
      connection.waitedMs = 0;
      return true;
    });
  }

  return {
    /** Counts what a socket has received and not handled. Call after each chunk. */
    count: (connection: Connection) => count(connection),

    /** Handles the message now, or at its turn. Until then its socket is not read. */
    receive(connection: Connection, data: Buffer, isBinary: boolean) {
      const { waiting } = connection;
      if (waiting.length === 0 && admission.tryStart()) {
        if (connection.received) count(connection, true);
        return handle(connection, data, isBinary);
      }
      if (waiting.length === maxWaiting) return connection.socket.terminate();
      if (waiting.length === 0) {
        connection.waiting = [];
        // What has been read already is still emitted, one message in each turn of the event loop.
        connection.socket.pause();
        startLater(connection);
      }
      connection.waiting.push({ data, isBinary, receivedAt: performance.now() });
      count(connection, true);
    },

    /** Call when the socket has closed. */
    close(connection: Connection): void {
      connection.waiting = noMessages;
      connection.received?.close();
      connection.received = undefined;
    },
  };
}

/** Members of the receiver of ws, whose types do not have them. The test of incomplete messages notices a change. */
interface Receiver {
  readonly _bufferedBytes: number;
  readonly _buffers: readonly Buffer[];
  readonly _messageLength: number;
  readonly _payloadLength: number;
  readonly _state: number;
}

/** The state in which a message is complete, and emitted in the next turn of the event loop. */
const isEmitting = 6;

/** `isEmitted`: whether the complete message has been emitted. */
function bytesOf({ socket, waiting, receivedBytes }: Connection, isEmitted: boolean): number {
  const { _receiver: receiver } = socket as WebSocket & { readonly _receiver: Receiver | null };
  let bytes = 0;
  for (const { data } of waiting) bytes += data.length + overheadBytes;
  if (!receiver) return bytes;
  const { _bufferedBytes, _buffers, _messageLength, _payloadLength, _state } = receiver;
  bytes += _bufferedBytes + _messageLength + overheadBytes * _buffers.length;
  return _state === isEmitting && !isEmitted ? Math.max(bytes + _payloadLength, receivedBytes) : bytes;
}
