import type { OperationTypeNode } from 'graphql';
import type { Caller } from '../../caller.ts';
import { Cancellation } from '../../cancellation.ts';
import type { PreparedOperation } from '../../operation/prepared.ts';

interface WaitingOperation {
  readonly operation: PreparedOperation;
  readonly caller: Caller;
}

/** The socket to which an operation sends its results. */
interface ResultSocket {
  /** Whether the last result that was sent reports that the service refused the credentials of a subscription. */
  isRefused: boolean;
  /** Returns a promise if the message was not written to the network at once. */
  send(message: string): Promise<void> | undefined;
}

/** One operation of a socket, which is also its caller's signal. */
export class SocketOperation extends Cancellation {
  readonly socket: ResultSocket;
  /** The client's id. */
  readonly id: string;
  readonly type: OperationTypeNode;
  #waiting: WaitingOperation | undefined;

  constructor(
    socket: ResultSocket,
    id: string,
    operation: PreparedOperation,
    caller: Omit<Caller, 'signal'>,
  ) {
    super();
    this.socket = socket;
    this.id = id;
    this.type = operation.operation.operation;
    this.#waiting = { operation, caller: { ...caller, signal: this } };
  }

  /** Returns what the pipeline needs. Call once: the request is not kept while the operation runs. */
  take(): WaitingOperation {
    const taken = this.#waiting as WaitingOperation;
    this.#waiting = undefined;
    return taken;
  }
}
