import type { ExecutionResult } from 'graphql';
import type { ResultReader, SubscriptionResults } from '../../operation/subscription-results.ts';
import { done, StoppableIterator } from '../../tools/iterators.ts';
import type { SocketOperation } from './connection.ts';

type End = IteratorResult<never, void>;

/** The JSON of results without errors, which several subscribers receive. */
const texts = new WeakMap<ExecutionResult, string>();

/**
 * Sends the results of a subscription directly to its socket. graphql-ws would write the JSON of a result again for each
 * of its subscribers, and creates four promises for each. It gets an iterator that yields nothing and ends after the last
 * result.
 */
export class ResultSender extends StoppableIterator<never> implements ResultReader {
  readonly #results: SubscriptionResults;
  readonly #operation: SocketOperation;
  #end: ((end: End | Promise<End>) => void) | undefined;
  #isStopped = false;

  constructor(results: SubscriptionResults, operation: SocketOperation) {
    super();
    this.#results = results;
    this.#operation = operation;
  }

  /** Resolves after the last result was sent, or when it is stopped. To be called once. */
  next(): Promise<End> {
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#readNext();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#results.stop();
    this.#end?.(done);
  }

  #readNext(): void {
    if (!this.#isStopped) this.#results.read(this);
  }

  onResult(result: ExecutionResult | undefined): void {
    // From now on the client may use the id for another operation.
    if (this.#isStopped) return;
    try {
      const written = result && this.#send(result);
      if (!result) this.#end?.(done);
      else if (written) written.then(() => this.#readNext()).catch((error) => this.#fail(error));
      else this.#readNext();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    // A rejection that nobody waits for would end the process.
    if (this.#isStopped) return;
    this.#end?.(Promise.reject(error));
    this.stop();
  }

  /** Returns a promise if the message was not written to the network at once. */
  #send(result: ExecutionResult): Promise<void> | undefined {
    const { socket, id } = this.#operation;
    socket.isRefused = isRefusal(result);
    const payload = result.errors
      ? JSON.stringify(result)
      : texts.getOrInsertComputed(result, () => JSON.stringify(result));
    return socket.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
  }
}

/** Whether the credentials were refused. */
export function isRefusal({ errors = [] }: ExecutionResult): boolean {
  return errors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED');
}
