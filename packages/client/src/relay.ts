/** The environment for Relay: hashes, files, one WebSocket, and a store that holds no null of a failed field. */
import type { DocumentNode } from 'graphql';
import {
  Environment,
  type FetchFunction,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  type RequestParameters,
  Store,
  type SubscribeFunction,
} from 'relay-runtime';
import { embeddedTypes } from './entities.ts';
import type { WriteError } from './list-of-writes.ts';
import { lostRead } from './lost-read.ts';
import { writesDocumentOf } from './relay/writes-document.ts';
import { createSend } from './request.ts';
import type { Session } from './session.ts';
import { createSocket } from './socket.ts';
import { isUnreadState } from './unread-state.ts';

/** An operation with errors. Relay would store null for a failed field, which has a meaning of its own. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly errors: readonly WriteError[];
  /** The fields that did not fail. Of several writes these were done. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined;

  constructor(errors: readonly WriteError[], data: OperationError['data']) {
    super(errors.map(({ message }) => message).join('\n'));
    this.errors = errors;
    this.data = data;
  }
}

/** Of each mutation that was sent: the network gets its hash alone. */
const documents = new WeakMap<RequestParameters, DocumentNode>();

class WritingEnvironment extends Environment {
  override executeMutation(config: Parameters<Environment['executeMutation']>[0]) {
    const { node } = config.operation.request;
    documents.set(node.params, writesDocumentOf(node));
    return super.executeMutation(config);
  }
}

/** One for each session: a store must not outlive its caller. */
export function createEnvironment(url: string, session: Session): Environment {
  const send = createSend(url, session);
  const socket = createSocket(url, session);

  const fetchOperation: FetchFunction = (request, variables) =>
    Observable.create((sink) => {
      const cancel = new AbortController();
      const document = documents.get(request);
      const operation = { kind: request.operationKind, body: bodyOf(request), ...(document && { document }) };
      send(operation, variables, { signal: cancel.signal })
        .then(({ data, errors }) => {
          if (errors.length > 0 || !data) throw new OperationError(errors, data);
          sink.next({ data } as GraphQLResponse);
          sink.complete();
        })
        .catch((error: Error) => {
          if (!cancel.signal.aborted) sink.error(error);
        });
      return () => cancel.abort();
    });

  const subscribeOperation: SubscribeFunction = (request, variables) =>
    Observable.create((sink) => {
      const operation = { query: '', ...bodyOf(request), variables };
      return socket.subscribe(operation, {
        next({ data, errors }) {
          if (errors) sink.error(new OperationError(errors, data));
          else sink.next({ data } as GraphQLResponse);
        },
        error: (error) => sink.error(errorOf(error)),
        complete: () => sink.complete(),
      });
    });

  return new WritingEnvironment({
    network: Network.create(fetchOperation, subscribeOperation),
    store: new Store(new RecordSource()),
    getDataID: storeIdOf,
  });
}

/** Of a subscription: a list when the gateway refuses the operation, otherwise a close event. */
function errorOf(error: unknown): Error {
  if (Array.isArray(error)) return new OperationError(error, undefined);
  return error instanceof Error ? error : lostRead(new Error('The socket was closed.'));
}

/** Relay's `persistConfig` replaces each text by its hash. */
function bodyOf({ id, text }: RequestParameters) {
  return id === null
    ? { query: text ?? '' }
    : { extensions: { persistedQuery: { version: 1, sha256Hash: id } } };
}

/** With the type: the id of a group is the service's own. Undefined: the object is part of the one that contains it. */
function storeIdOf(value: Readonly<Record<string, unknown>>, type: string): string | undefined {
  if (embeddedTypes.includes(type) || isUnreadState({ ...value, __typename: type })) return undefined;
  return typeof value['id'] === 'string' ? `${type}:${value['id']}` : undefined;
}
