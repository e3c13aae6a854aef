/** What arrives over WebSockets: it is read and handled in turn with requests, and what waits counts as request bodies. */
import type { WebSocket } from 'ws';
import { nobody } from '../../caller.ts';
import type { Admission } from '../../shares/admission.ts';
import type { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import type { Scheduler } from '../../shares/scheduler.ts';
import type { Connection, WaitingMessage } from './connection.ts';

/** Bytes of one WebSocket that are not counted: 4 KiB. Most messages have fewer. */
const freeBytes = 4 * 1_024;
/** Memory of a message or chunk besides its bytes, measured (bytes). */
const overheadBytes = 256;
/** Bytes in which no costly message fits: a ping and pongs do. */
const smallBytes = 64;
/** As clients send it. A client that gets no pong for some seconds opens another socket, which would add to an overload. */
const ping = Buffer.from('{"type":"ping"}');

/** `guard`: runs what handles an event of a socket, and closes the socket if that throws. */
export function createInbox(
  admission: Admission,
  bodies: ReclaimingBudget,
  scheduler: Scheduler,
  handle: (connection: Connection, data: Buffer, isBinary: boolean) => void,
  guard: (socket: WebSocket, handle: () => void) => void,
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
      const { waiting: message } = connection;
      if (message) guard(connection.socket, () => handleWaiting(connection, message));
      return message !== undefined;
    });
  }

  function handleWaiting(connection: Connection, { data, isBinary, receivedAt }: WaitingMessage): void {
    connection.waiting = undefined;
    if (!connection.isHeldBack) connection.socket.resume();
    count(connection);
    connection.waitedMs = performance.now() - receivedAt;
    handle(connection, data, isBinary);
    connection.waitedMs = 0;
    readOn(connection);
  }

  /** Reads on when no message waits and this turn of the event loop has time for it. Until then nothing more arrives. */
  function readInTurn(this: OpenReceiver, callback: Callback): void {
    // Node writes the chunks behind one with an invalid frame before it reports the error.
    if (this._errored) {
      dropRest.call(this, callback);
      return;
    }
    const { connection } = this;
    const read = () => (Object.getPrototypeOf(this) as Receiver).startLoop.call(this, callback);
    if (connection.waiting) {
      connection.readOn = read;
      return;
    }
    const holder = connection.identity ?? nobody;
    const isSmall = this._bufferedBytes <= smallBytes;
    const turn = isSmall ? scheduler.waitToRead(holder) : scheduler.waitForTurn(holder);
    if (!turn) {
      read();
      return;
    }
    const { socket } = connection;
    const { isPaused } = socket;
    socket.pause();
    void turn.then(() => {
      if (!isPaused) socket.resume();
      read();
    });
  }

  return {
    /** Call for each new socket. */
    open(connection: Connection): void {
      readWith(connection, readInTurn);
    },

    /** Counts what a socket has received and not handled. Call after each chunk. */
    count: (connection: Connection) => count(connection),

    /** Call when the connection has closed. ws reads to the end before it reports that the socket has, so the rest is dropped. */
    dropRest(connection: Connection): void {
      readWith(connection, dropRest);
      readOn(connection);
    },

    /** Handles the message now, or at its turn. Until then nothing more of its socket is read. */
    receive(connection: Connection, data: Buffer, isBinary: boolean) {
      // What is left of a connection that has closed is not handled.
      if (connection.socket.readyState !== connection.socket.OPEN) return;
      if (data.equals(ping) || admission.tryStart()) {
        if (connection.received) count(connection, true);
        return handle(connection, data, isBinary);
      }
      // A copy: the message is a part of a chunk, of up to 64 KiB, which it would keep, as a copy in Node's pool would keep that.
      const copy = Buffer.from(new Uint8Array(data).buffer);
      connection.waiting = { data: copy, isBinary, receivedAt: performance.now() };
      connection.socket.pause();
      startLater(connection);
      count(connection, true);
    },

    /** Call when the socket has closed. */
    close(connection: Connection): void {
      connection.waiting = undefined;
      connection.received?.close();
      connection.received = undefined;
    },
  };
}

type Callback = (error?: Error) => void;

/** Members of the receiver of ws, whose types do not have them. The test of incomplete messages notices a change. */
interface Receiver {
  readonly _bufferedBytes: number;
  readonly _buffers: readonly Buffer[];
  /** The earlier frames of a message. */
  readonly _fragments: readonly Buffer[];
  readonly _mask: Buffer | undefined;
  readonly _payloadLength: number;
  readonly _state: number;
  /** Whether a frame was invalid: what follows it cannot be read. */
  readonly _errored: boolean;
  /** Reads frames until a message or control frame is complete, or nothing is left. */
  startLoop(callback: Callback): void;
}

interface OpenReceiver extends Receiver {
  readonly connection: Connection;
}

const receiverOf = (socket: WebSocket) =>
  (socket as WebSocket & { readonly _receiver: Receiver | null })._receiver;

/**
 * Lets `startLoop` decide when ws reads what has arrived: it would read up to 64 KiB of each connection, which can have thousands
 * of messages, pings or frames.
 */
function readWith(connection: Connection, startLoop: (this: OpenReceiver, callback: Callback) => void): void {
  const receiver = receiverOf(connection.socket);
  if (receiver) Object.assign(receiver, { connection, startLoop });
}

function dropRest(this: Receiver, callback: Callback): void {
  Object.assign(this, { _bufferedBytes: 0, _buffers: [] });
  callback();
}

/** Reads on, and drops the message that waits. */
function readOn(connection: Connection): void {
  const { readOn: read } = connection;
  connection.waiting = undefined;
  connection.readOn = undefined;
  read?.();
}

/** The state in which a message is complete, and emitted in the next turn of the event loop. */
const isEmitting = 6;

/** `isEmitted`: whether the complete message has been emitted. */
function bytesOf({ socket, waiting, receivedBytes }: Connection, isEmitted: boolean): number {
  const receiver = receiverOf(socket);
  const waitingBytes = waiting ? waiting.data.length + overheadBytes : 0;
  if (!receiver) return waitingBytes;
  const { _buffers, _fragments, _mask, _payloadLength, _state } = receiver;
  const pieces = [..._buffers, ..._fragments, ...(_mask ? [_mask] : [])];
  // Each is a view of the whole chunk that it arrived in: of 64 KiB a frame of one byte may be all that is left.
  const chunks = new Set(pieces.map(({ buffer }) => buffer));
  const bytes = chunks
    .values()
    .reduce((sum, { byteLength }) => sum + byteLength, waitingBytes + overheadBytes * pieces.length);
  return _state === isEmitting && !isEmitted ? Math.max(bytes + _payloadLength, receivedBytes) : bytes;
}
