/** Subscriptions of typed documents. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { WriteError } from './list-of-writes.ts';
import { hashOfDocuments, type PersistedOption } from './persisted.ts';
import { operationOf } from './request.ts';
import type { Socket } from './socket.ts';

export interface SubscriptionSink<Data> {
  next(result: { readonly data?: Data | null; readonly errors?: readonly WriteError[] }): void;
  /** The subscription could not be begun, or its transport failed for good. Called instead of `complete`. */
  error?(error: unknown): void;
  complete?(): void;
}

/** Calls back with each result. Connects again after a lost connection; the returned function ends it. */
export type Subscribe = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  sink: SubscriptionSink<Data>,
) => () => void;

/** Subscribes with the operations of a socket or of event streams. */
export function createSubscribe(
  subscribe: Socket['subscribe'],
  { persisted }: PersistedOption = {},
): Subscribe {
  const hashOf = hashOfDocuments(persisted);
  return (document, variables, sink) => {
    const { query = '', extensions } = operationOf(document, hashOf);
    const operation = {
      query,
      extensions: { ...extensions },
      variables: variables as Record<string, unknown>,
    };
    return subscribe(operation, {
      next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
      error: (error) => sink.error?.(error),
      complete: () => sink.complete?.(),
    });
  };
}
