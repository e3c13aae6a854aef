import type { ExecutionResult } from 'graphql';
import { done, StoppableIterator } from '../../iterators.ts';
import type { SubscriptionResults } from '../../operation/subscription.ts';
import type { SocketOperation } from './socket-operation.ts';

/** The JSON of results that several subscribers receive. */
const texts = new WeakMap<ExecutionResult, string>();

/**
 * Sends the results of a subscription. graphql-ws would write the JSON of a result again for each of its subscribers, and
 * takes four promises for each; so it gets an iterator without results, for whose end it waits.
 */
export class SentResults extends StoppableIterator<never> {
  readonly #results: SubscriptionResults;
  readonly #operation: SocketOperation;
  #end: PromiseWithResolvers<IteratorResult<never, void>> | undefined;

  constructor(results: SubscriptionResults, operation: SocketOperation) {
    super();
    this.#results = results;
    this.#operation = operation;
  }

  /** Resolves after the last result was sent. To be called once. */
  next(): Promise<IteratorResult<never, void>> {
    this.#end = Promise.withResolvers();
    this.#sendNext();
    return this.#end.promise;
  }

  stop(): void {
    this.#results.stop();
  }

  #sendNext(): void {
    this.#results.read((result) => {
      try {
        if (!result) return this.#end?.resolve(done);
        const written = this.#send(result);
        if (written) void written.then(() => this.#sendNext());
        else this.#sendNext();
      } catch (error) {
        this.stop();
        this.#end?.reject(error);
      }
    });
  }

  #send(result: ExecutionResult): Promise<void> | undefined {
    const { socket, id } = this.#operation;
    socket.isRefused = isRefusal(result);
    const payload = texts.getOrInsertComputed(result, () => JSON.stringify(result));
    return socket.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
  }
}

/** Whether the service refused the credentials. A missing credential is refused by the gateway, without a call. */
export function isRefusal({ errors = [] }: ExecutionResult): boolean {
  return errors.some(
    ({ extensions }) => extensions['code'] === 'UNAUTHENTICATED' && extensions['upstream'] !== undefined,
  );
}
