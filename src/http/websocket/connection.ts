/** The state of one WebSocket and of its operations, in one object each: a gateway holds thousands of them. */
import type { IncomingMessage } from 'node:http';
import { OperationTypeNode } from 'graphql';
import type { WebSocket as ProtocolSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Application, Caller, CallerIdentity } from '../../caller.ts';
import type { PreparedOperation } from '../../operation/valid-document.ts';
import type { Holding } from '../../shares/reclaiming-budget.ts';
import type { SocketShare } from '../../shares/sockets-and-streams.ts';
import { Cancellation } from '../../tools/cancellation.ts';
import { leastUnsentBytes, type UnreadResult } from '../unread-results.ts';
import { closeSocket } from './close-codes.ts';

/** Interval in which `onTick` is called (ms). */
export const tickMs = 250;
/** Time until `connection_init`: 3 seconds. */
const initTicks = 3_000 / tickMs;
/** Interval of pings: 12 seconds. A peer that has neither responded nor read by the next ping is terminated. */
const pingTicks = 12_000 / tickMs;
/** Pings after which a socket without an operation is closed: one minute. */
const quietPings = 5;

/** Bytes that a client has not read, above which the gateway stops reading from it. `unread-results.ts` bounds them. */
const pauseAboveBytes = 1024 * 1024;
/** Messages that were not written, above which the gateway stops reading: more than twice the operations of a socket. */
const pauseAbovePending = 500;

/** Memory of a message that was not written, besides its bytes, with what waits for that: measured 2 to 11 KiB (bytes). */
const pendingBytes = 4 * 1_024;

/** The reason that is being sent: ws copies it immediately. */
const closeReason = Buffer.alloc(123);

export interface WaitingMessage {
  readonly data: Buffer;
  readonly isBinary: boolean;
  readonly receivedAt: number;
}

/** It is also the socket that graphql-ws uses. */
export class Connection implements ProtocolSocket {
  readonly socket: WebSocket;
  /** Its share of MAX_SOCKETS. */
  readonly share: SocketShare;
  /** The upgrade request, until its credentials are known. It needs more memory than the rest of an idle socket. */
  request: IncomingMessage | undefined;
  /** Known after `connection_init`. */
  identity: CallerIdentity | undefined;
  /** Known after `connection_init`, if the client names itself. */
  application: Application | undefined;
  /** Until graphql-ws reports their end. */
  operations: readonly SocketOperation[] = [];
  /** By id, what graphql-ws handles and the client has not completed. Known after `connection_init`. */
  handled: Readonly<Record<string, unknown>> | undefined;
  /** The ids of what graphql-ws handles and the client has completed. */
  left: readonly string[] = [];
  /** Whether it closes when its queries and mutations have ended: their results would be lost with it. */
  isLeaving = false;
  /** Whether the last result that was sent reports that the service refused the credentials of a subscription. */
  isRefused = false;
  /** Messages that were not written to the network. The handler or operation of each is kept until it was. */
  pendingMessages = 0;
  /** Whether nothing is read because the client does not read. */
  isHeldBack = false;
  waiting: WaitingMessage | undefined;
  /** Reads what has arrived behind it. */
  readOn: (() => void) | undefined;
  /** How long the message that is being handled has waited (ms). */
  waitedMs = 0;
  /** Counts the bytes that were received and are not handled yet; undefined while there are few. */
  received: Holding | undefined;
  receivedBytes = 0;
  /** Whether the peer has responded since the last ping. */
  isAlive = true;
  /** Pings since its last operation ended. */
  quietPings = 0;
  /** Passes a message to graphql-ws. */
  handle: (message: string) => Promise<void> = async () => {};
  /** Ends the protocol of graphql-ws after the socket was closed. */
  endProtocol: (code: number, reason: string) => Promise<void> = async () => {};
  /** Counts the bytes that were not sent at once; undefined while there are none. */
  unsent: UnreadResult | undefined;
  readonly #onUnsent: (connection: Connection) => void;
  #ticks = 0;
  /** Bytes that the network had not taken at the last ping: the client gets it behind them. */
  #queuedBytes = 0;

  constructor(
    socket: WebSocket,
    request: IncomingMessage,
    share: SocketShare,
    onUnsent: (connection: Connection) => void,
  ) {
    this.socket = socket;
    this.request = request;
    this.share = share;
    this.#onUnsent = onUnsent;
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  /**
   * Returns a promise if the message was not written to the network at once; it resolves when it was, so that a slow
   * reader delays only its own events. A callback for each message would cost more than building the message.
   */
  send(message: string): Promise<void> | undefined {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return undefined;
    // Node counts the characters of a text that it has not sent, not its bytes.
    const data = message.length < leastUnsentBytes ? message : Buffer.from(message);
    socket.send(data, { binary: false });
    if (socket.bufferedAmount === 0) return undefined;
    this.pendingMessages += 1;
    // A pong that no ping requested needs no reply. It is written after the message.
    const written = new Promise<void>((resolve) => socket.pong('', false, () => resolve()));
    if (this.unsentBytes >= leastUnsentBytes) this.#onUnsent(this);
    return written.then(() => {
      this.pendingMessages -= 1;
      this.unsent?.sent();
    });
  }

  /** graphql-ws keeps each until it was written. */
  get keepsResults(): boolean {
    return true;
  }

  /** Memory of what was not written to the network. Of small messages, the bytes are the least part. */
  get unsentBytes(): number {
    return this.socket.bufferedAmount + this.pendingMessages * pendingBytes;
  }

  destroy(): void {
    this.socket.terminate();
  }

  /** Call for each message that arrives. Stops reading from a client that does not read its responses. */
  applyBackpressure(): void {
    const { socket } = this;
    if (this.isHeldBack || !this.#isBehind()) return;
    this.isHeldBack = true;
    socket.pause();
    const timer = setInterval(() => {
      if (this.#isBehind() && socket.readyState === socket.OPEN) return;
      clearInterval(timer);
      this.isHeldBack = false;
      if (!this.waiting) socket.resume();
    }, 50);
  }

  #isBehind(): boolean {
    return this.socket.bufferedAmount > pauseAboveBytes || this.pendingMessages > pauseAbovePending;
  }

  /** Of the reason, the first 123 bytes are sent (RFC 6455, section 5.5): graphql-ws puts an id into it. */
  close(code?: number, reason = ''): void {
    const { written } = new TextEncoder().encodeInto(reason, closeReason);
    this.socket.close(code, closeReason.subarray(0, written));
  }

  onMessage(handle: (message: string) => Promise<void>): void {
    this.handle = handle;
  }

  /** Its operations that have not ended. */
  get running(): readonly SocketOperation[] {
    return this.operations.filter(({ aborted }) => !aborted);
  }

  /** The operation with the client's id. */
  operation(id: string): SocketOperation | undefined {
    return this.operations.find((operation) => operation.id === id);
  }

  /** Closes it now, or when its queries and mutations have ended. Clients reconnect, to another gateway. */
  closeWhenIdle(): void {
    this.isLeaving = this.running.some(({ type }) => type !== OperationTypeNode.SUBSCRIPTION);
    if (!this.isLeaving) closeSocket(this, 'leaving');
  }

  /** Call when the client has completed an operation or has left: nobody waits for the reads of a query any more. */
  leave(id: string): void {
    if (this.handled && id in this.handled) this.left = this.left.concat(id);
    const running = this.operation(id);
    if (running?.type === OperationTypeNode.QUERY) running.abort();
  }

  /** Call when the operation with the id has ended. */
  onEnd(id: string): void {
    this.operation(id)?.abort();
    this.operations = this.operations.filter((operation) => operation.id !== id);
    this.quietPings = 0;
    // graphql-ws sends `complete` first: a client that does not receive it sends a mutation again, over another socket.
    if (this.isLeaving) setImmediate(() => this.closeWhenIdle());
  }

  onTick(): void {
    this.#ticks += 1;
    if (this.#ticks >= initTicks && this.identity === undefined && this.waiting === undefined) {
      closeSocket(this, 'silent');
    }
    if (this.#ticks % pingTicks !== 0) return;
    const isReading = this.#queuedBytes > 0 && queuedBytes(this.socket) !== this.#queuedBytes;
    if (this.isAlive || isReading) this.#ping();
    else this.socket.terminate();
  }

  /** Asks the peer for a sign of life, and closes a socket that had no operation for a minute, to make room. */
  #ping(): void {
    this.isAlive = false;
    this.socket.ping();
    this.#queuedBytes = queuedBytes(this.socket);
    this.quietPings = this.operations.length > 0 ? 0 : this.quietPings + 1;
    if (this.quietPings >= quietPings) closeSocket(this, 'idle');
  }
}

/** What the network has not taken of the bytes that are being written. `bufferedAmount` counts a message until all of it is taken. */
function queuedBytes(socket: WebSocket): number {
  // Members of ws and Node, whose types do not have them. The test of pings notices a change.
  const { _socket } = socket as unknown as { _socket: { _handle: { writeQueueSize: number } | null } };
  return _socket._handle?.writeQueueSize ?? 0;
}

/** One operation of a socket, which is also its caller's signal. */
export class SocketOperation extends Cancellation {
  readonly socket: Connection;
  /** The client's id. */
  readonly id: string;
  readonly type: OperationTypeNode;
  #waiting: readonly [PreparedOperation, Caller] | undefined;

  constructor(socket: Connection, id: string, operation: PreparedOperation, caller: Omit<Caller, 'signal'>) {
    super();
    this.socket = socket;
    this.id = id;
    this.type = operation.operation.operation;
    this.#waiting = [operation, { ...caller, signal: this }];
  }

  /** Returns what the pipeline needs. Call once: the request is not kept while the operation runs. */
  take(): readonly [PreparedOperation, Caller] {
    const taken = this.#waiting;
    this.#waiting = undefined;
    return taken as readonly [PreparedOperation, Caller];
  }
}
