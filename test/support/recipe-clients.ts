/** The clients of `packages/client` behind one interface, so that a test applies to each. */
import { CombinedGraphQLErrors } from '@apollo/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import type { OperationResult } from '@urql/core';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { createApolloClient } from '../../packages/client/src/apollo.ts';
import { MalaysiaStatusDocument } from '../../packages/client/src/gql/graphql.ts';
import type { WriteError } from '../../packages/client/src/list-of-writes.ts';
import type { PersistedOption } from '../../packages/client/src/persisted.ts';
import { createRequest } from '../../packages/client/src/request.ts';
import type { Session } from '../../packages/client/src/session.ts';
import { createSocket } from '../../packages/client/src/socket.ts';
import { createSubscribe } from '../../packages/client/src/subscribe.ts';
import { keyOf, mutationOf, QueryError, queryOf, watchInto } from '../../packages/client/src/tanstack.ts';
import { createUrqlClient } from '../../packages/client/src/urql.ts';

export interface Answer {
  readonly data: any;
  /** The codes of its errors; LOST for a connection that was cut. */
  readonly codes: readonly string[];
  /** The errors of the gateway. */
  readonly errors: readonly WriteError[];
  /** What the client throws or returns as its error. */
  readonly failure: unknown;
}

/** What the tests use of each client, each with the settings of its recipe. */
export interface TestClient {
  query(document: TypedDocumentNode<any, any>, variables: object): Promise<Answer>;
  mutate(document: TypedDocumentNode<any, any>, variables: object): Promise<Answer>;
  /** What the cache alone returns; null: nothing, or not all of it. */
  cached(document: TypedDocumentNode<any, any>, variables: object): Promise<any>;
  /** Each result that a page would show, until the returned function is called. */
  show(
    document: TypedDocumentNode<any, any>,
    variables: object,
    onResult: (result: Answer) => void,
  ): () => void;
  /** Resolves when the subscription completes. */
  watch(document: TypedDocumentNode<any, any>, variables: object, onData: (data: any) => void): Promise<void>;
  close(): void;
}

/** Without the `__typename` of the operation, which codegen adds to generated documents only. */
function fieldsOf(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const { __typename, ...fields } = data as Record<string, unknown>;
  return fields;
}

const codesOf = (errors: readonly { extensions?: Record<string, unknown> | undefined }[]) =>
  errors.map(({ extensions }) => String(extensions?.['code']));

export function urqlClient(url: string, session: Session, options?: PersistedOption): TestClient {
  const client = createUrqlClient(url, session, options);
  const readResponse = ({ data, error }: Pick<OperationResult, 'data' | 'error'>): Answer => ({
    data: fieldsOf(data),
    codes: error?.networkError ? ['LOST'] : codesOf(error?.graphQLErrors ?? []),
    errors: error?.graphQLErrors ?? [],
    failure: error,
  });
  return {
    query: async (document, variables) => readResponse(await client.query(document, variables)),
    mutate: async (document, variables) => readResponse(await client.mutation(document, variables)),
    cached: async (document, variables) =>
      fieldsOf((await client.query(document, variables, { requestPolicy: 'cache-only' })).data) ?? null,
    show: (document, variables, onResult) =>
      client.query(document, variables).subscribe((result) => onResult(readResponse(result))).unsubscribe,
    watch: (document, variables, onData) =>
      new Promise((resolve) => {
        client.subscription(document, variables).subscribe(({ data, hasNext }) => {
          // At the end urql delivers the last result again.
          if (data && hasNext) onData(data);
          if (!hasNext) resolve();
        });
      }),
    close: () => {},
  };
}

export function apolloClient(url: string, session: Session, options?: PersistedOption): TestClient {
  const client = createApolloClient(url, session, options);
  const readResponse = ({ data, error }: { data?: unknown; error?: unknown }): Answer => {
    if (!CombinedGraphQLErrors.is(error))
      return { data: fieldsOf(data), codes: error ? ['LOST'] : [], errors: [], failure: error };
    const { errors } = error;
    return { data: fieldsOf(data ?? error.data), codes: codesOf(errors), errors, failure: error };
  };
  const settled = async (result: Promise<{ data?: unknown; error?: unknown }>) =>
    readResponse(await result.catch((error: unknown) => ({ error })));
  return {
    query: (query, variables) => settled(client.query({ query, variables })),
    mutate: (mutation, variables) => settled(client.mutate({ mutation, variables })),
    cached: async (query, variables) => fieldsOf(client.readQuery({ query, variables })),
    show(query, variables, onResult) {
      const shown = client.watchQuery({ query, variables, notifyOnNetworkStatusChange: false });
      const subscription = shown.subscribe((result) => onResult(readResponse(result)));
      return () => subscription.unsubscribe();
    },
    watch: (query, variables, onData) =>
      new Promise((resolve, reject) => {
        client.subscribe({ query, variables }).subscribe({
          next: ({ data }) => onData(data),
          error: reject,
          complete: resolve,
        });
      }),
    close: () => client.stop(),
  };
}

function tanstackClient(url: string, session: Session, options: PersistedOption = {}): TestClient {
  const queries = new QueryClient();
  const request = createRequest(url, session, options);
  const subscribe = createSubscribe(createSocket(url, session).subscribe, options);
  const answerOf = (data: unknown, errors: readonly WriteError[] = [], failure?: unknown): Answer => ({
    data: fieldsOf(data),
    codes: failure && errors.length === 0 ? ['LOST'] : codesOf(errors),
    errors,
    failure,
  });
  const failed = (error: unknown) =>
    error instanceof QueryError ? answerOf(error.data, error.errors, error) : answerOf(undefined, [], error);
  return {
    query: async (document, variables) =>
      await queries.fetchQuery(queryOf(request, document, variables)).then((data) => answerOf(data), failed),
    async mutate(document, variables) {
      const mutation = new MutationObserver(queries, mutationOf(request, document));
      return await mutation.mutate(variables).then(({ data, errors }) => answerOf(data, errors), failed);
    },
    cached: async (document, variables) => fieldsOf(queries.getQueryData(keyOf(document, variables)) ?? null),
    show: (document, variables, onResult) =>
      new QueryObserver(queries, queryOf(request, document, variables)).subscribe(
        ({ data, error, isPending }) => {
          if (!isPending) onResult(error ? failed(error) : answerOf(data));
        },
      ),
    watch: (subscription, variables, onData) =>
      new Promise((resolve) => {
        watchInto<any, any>(queries, subscribe, {
          subscription,
          variables,
          updates: ({ malaysiaStatusChanged: malaysiaStatus, malaysiaStatusesChanged }) => {
            const status = malaysiaStatus ?? malaysiaStatusesChanged;
            return [MalaysiaStatusDocument, { documentId: status.documentId }, { malaysiaStatus: status }];
          },
          onData,
          onComplete: resolve,
        });
      }),
    close: () => queries.clear(),
  };
}

/** For `describe.each`: the client of each recipe. */
export const recipes = [
  ['urql', urqlClient],
  ['Apollo Client', apolloClient],
  ['TanStack Query', tanstackClient],
] as const;

/** Expects that the client prints nothing in any test of the suite. Restores the mocks of each test. */
export function expectNothingPrinted(): void {
  let printed: unknown[];
  beforeEach(() => {
    printed = [];
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((message) => printed.push(message));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    expect(printed).toEqual([]);
  });
}

/** Makes the random back-offs of clients a tenth as long, until mocks are restored. */
export function shortenBackOffs(): void {
  const { random } = Math;
  vi.spyOn(Math, 'random').mockImplementation(() => random() / 10);
}

/** The waits of a client before it connects again (ms), until mocks are restored: only they are not of whole milliseconds. */
export function recordedWaits(random: number): readonly number[] {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  const waits: number[] = [];
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
    if (!Number.isInteger(ms)) waits.push(ms);
    return setTimeout(run, ms);
  }) as typeof setTimeout);
  return waits;
}

/** What is thrown where nobody catches it, until mocks are restored. */
export function reportedErrors(): readonly unknown[] {
  const reported: unknown[] = [];
  const { queueMicrotask } = globalThis;
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) =>
    queueMicrotask(() => {
      try {
        task();
      } catch (error) {
        reported.push(error);
      }
    }),
  );
  return reported;
}

/** An input to import an invoice. */
export const anImport = (docNumber: string) => ({
  queueId: '42',
  invoice: { docType: 'INVOICE' as const, docNumber, lines: [{ amountExclTax: '10.00' }] },
});
