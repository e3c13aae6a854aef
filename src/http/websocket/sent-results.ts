import type { ExecutionResult } from 'graphql';
import { done, StoppableIterator } from '../../iterators.ts';
import type { SubscriptionResults } from '../../operation/subscription.ts';
import type { SocketOperation } from './connection.ts';

/** The JSON of results without errors, which several subscribers receive. */
const texts = new WeakMap<ExecutionResult, string>();

/**
 * Sends the results of a subscription directly to its socket. graphql-ws would write the JSON of a result again for each
 * of its subscribers, and creates four promises for each. It gets an iterator that yields nothing and ends after the last
 * result.
 */
export class SentResults extends StoppableIterator<never> {
  readonly #results: SubscriptionResults;
  readonly #operation: SocketOperation;
  #end: PromiseWithResolvers<IteratorResult<never, void>> | undefined;
  #isStopped = false;

  constructor(results: SubscriptionResults, operation: SocketOperation) {
    super();
    this.#results = results;
    this.#operation = operation;
  }

  /** Resolves after the last result was sent, or when it is stopped. To be called once. */
  next(): Promise<IteratorResult<never, void>> {
    this.#end = Promise.withResolvers();
    this.#sendNext();
    return this.#end.promise;
  }

  stop(): void {
    this.#isStopped = true;
    this.#results.stop();
    this.#end?.resolve(done);
  }

  #sendNext(): void {
    if (this.#isStopped) return;
    this.#results.read((result) => {
      // From now on the client may use the id for another operation.
      if (this.#isStopped) return;
      try {
        if (!result) return this.#end?.resolve(done);
        const written = this.#send(result);
        if (written) written.then(() => this.#sendNext()).catch((error) => this.#end?.reject(error));
        else this.#sendNext();
      } catch (error) {
        this.#end?.reject(error);
        this.stop();
      }
    });
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

/** Whether the service refused the credentials. A missing credential is refused by the gateway, without a call. */
export function isRefusal({ errors = [] }: ExecutionResult): boolean {
  return errors.some(
    ({ extensions }) => extensions['code'] === 'UNAUTHENTICATED' && extensions['upstream'] !== undefined,
  );
}
