import type { OperationTypeNode } from 'graphql';
import type { Caller } from '../../caller.ts';
import { Cancellation } from '../../cancellation.ts';
import type { PreparedOperation } from '../../operation/prepared.ts';

interface WaitingOperation {
  readonly operation: PreparedOperation;
  readonly caller: Caller;
}

/** One operation of a socket, which is also its caller's signal. */
export class SocketOperation extends Cancellation {
  readonly type: OperationTypeNode;
  #waiting: WaitingOperation | undefined;

  constructor(operation: PreparedOperation, caller: Omit<Caller, 'signal'>) {
    super();
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
