/** Options for TanStack Query, of any framework: `useQuery(queryOf(request, …))`, `useMutation(mutationOf(request, …))`. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { QueryClient, QueryKey } from '@tanstack/query-core';
import { type DocumentNode, getOperationAST, print } from 'graphql';
import type { WriteError } from './list-of-writes.ts';
import type { Request, RequestOptions } from './request.ts';
import type { Subscribe } from './subscribe.ts';
import { isUnreadState } from './unread-state.ts';

/** A query with errors. Nothing of it is cached: null would look like "never validated". */
export class QueryError<Data> extends Error {
  override readonly name = 'QueryError';
  readonly errors: readonly WriteError[];
  /** The fields that did not fail. */
  readonly data: Data | null | undefined;

  constructor(errors: readonly WriteError[], data: Data | null | undefined) {
    super(errors.map(({ message }) => message).join('\n'));
    this.errors = errors;
    this.data = data;
  }
}

/** With the name of the operation, or its text when it has none. */
export function keyOf(document: DocumentNode, variables: unknown): QueryKey {
  return [getOperationAST(document)?.name?.value ?? print(document), variables];
}

/** Each read is sent: the service can change a state at any time. `request` retries what is safe, so TanStack Query does not. */
export function queryOf<Data, Variables>(
  request: Request,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  return {
    queryKey: keyOf(document, variables),
    async queryFn({ signal }: { readonly signal: AbortSignal }): Promise<Data> {
      const { data, errors } = await request(document, variables, { signal });
      if (errors.length > 0 || !data) throw new QueryError(errors, data);
      return data;
    },
    retry: false as const,
    staleTime: 0,
  };
}

/** Resolves with data and errors: of several writes some may have been done. */
export function mutationOf<Data, Variables>(
  request: Request,
  document: TypedDocumentNode<Data, Variables>,
  options?: RequestOptions,
) {
  return {
    mutationFn: (variables: Variables) => request(document, variables, options),
    retry: false as const,
  };
}

export interface Watch<Data, Variables> {
  readonly subscription: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** The query whose cached result an event replaces: its document, variables and data. */
  readonly updates: (data: Data) => readonly [document: DocumentNode, variables: unknown, data: unknown];
  readonly onData?: (data: Data) => void;
  readonly onError?: (errors: readonly unknown[]) => void;
  readonly onComplete?: () => void;
}

/** Puts each event of a subscription into the cache. Returns a function that ends it. */
export function watchInto<Data, Variables>(
  queries: QueryClient,
  subscribe: Subscribe,
  { subscription, variables, updates, onData, onError, onComplete }: Watch<Data, Variables>,
): () => void {
  return subscribe(subscription, variables, {
    next({ data, errors }) {
      if (errors) onError?.(errors);
      if (!data) return;
      const [document, ofQuery, fresh] = updates(data);
      const [status] = Object.values(fresh as object);
      // A state that could not be read must not replace the last one.
      if (!isUnreadState(status)) {
        const queryKey = keyOf(document, ofQuery);
        // A read that began before the event could replace it by an older state. Who waits for it gets the event.
        void queries.cancelQueries({ queryKey, exact: true });
        queries.setQueryData(queryKey, fresh);
      }
      onData?.(data);
    },
    error: (error) => onError?.(Array.isArray(error) ? error : [error]),
    complete: () => onComplete?.(),
  });
}
