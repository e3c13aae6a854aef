/** Sends typed operations with `fetch`: with the session's credentials, safe retries, renewal, files and hashes. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, getOperationAST, print } from 'graphql';
import { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';
import type { WriteError } from './list-of-writes.ts';
import { hasFile, multipartOf, type OperationBody } from './multipart.ts';
import { type PersistedOption, persistedHashOf } from './persisted.ts';
import { isUnauthenticated, mayRepeatRenewed } from './renewal.ts';
import { retryDelayMs } from './retry-rule.ts';
import type { Session } from './session.ts';

export interface Result<Data> {
  /** The fields that did not fail. A null field without an error has a meaning of its own, such as "never validated". */
  readonly data: Data | null | undefined;
  /** Empty after a success. */
  readonly errors: readonly WriteError[];
}

export interface RequestOptions {
  /** Aborts the request. A write that was sent runs to its end. */
  readonly signal?: AbortSignal | undefined;
  /** Reports the progress of an upload; browsers only. */
  readonly onProgress?: OnProgress | undefined;
}

/** Rejects only when no response came, or a response that is not GraphQL. */
export type Request = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  options?: RequestOptions,
) => Promise<Result<Data>>;

export interface RequestSettings extends PersistedOption {
  /** Further headers of each request, such as `x-request-id`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `url`: the gateway's address. */
export function createRequest(url: string, session: Session, settings: RequestSettings = {}): Request {
  const { persisted = false, headers: ownHeaders } = settings;

  async function send(body: OperationBody, authorization: object, options: RequestOptions) {
    const { signal, onProgress } = options;
    const isUpload = hasFile(body.variables);
    const headers = {
      ...ownHeaders,
      ...authorization,
      accept: 'application/graphql-response+json',
      // Proves that no page of another origin sent the request.
      'x-graphql-yoga-csrf': '1',
      ...(!isUpload && { 'content-type': 'application/json' }),
    };
    const response = await (onProgress ? fetchWithProgress(onProgress) : fetch)(url, {
      method: 'POST',
      headers,
      body: isUpload ? multipartOf(body) : JSON.stringify(body),
      // Responses contain personal data: frameworks must not keep them.
      cache: 'no-store',
      ...(signal && { signal }),
    });
    const { data, errors = [] } = (await response.json()) as Partial<Result<never>>;
    return { data, errors };
  }

  return async <Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    options: RequestOptions = {},
  ) => {
    const kind = getOperationAST(document)?.operation ?? 'query';
    const body = { ...operationOf(document, persisted), variables };
    let hasRenewed = false;
    for (let number = 1; ; ) {
      const credentials = session.credentials();
      const attempt = send(body, credentials, options);
      const result: Result<Record<string, unknown>> | undefined = await attempt.catch(() => undefined);
      options.signal?.throwIfAborted();
      if (result && !hasRenewed && mayRepeatRenewed({ kind, ...result })) {
        hasRenewed = await session.renewAfter(credentials.authorization);
        if (hasRenewed) continue;
      } else if (hasRenewed && result?.errors.some(isUnauthenticated)) {
        session.signOut();
      }
      const data = result?.data;
      const delayMs = retryDelayMs({ kind, document, variables, data, errors: result?.errors, number });
      if (delayMs === undefined) return (await attempt) as Result<Data>;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      number += 1;
    }
  };
}

/** The text of an operation, or its hash. */
export function operationOf(
  document: DocumentNode,
  persisted: boolean,
): Pick<OperationBody, 'query' | 'extensions'> {
  const sha256Hash = persisted ? persistedHashOf(document) : undefined;
  return sha256Hash === undefined
    ? { query: print(document) }
    : { extensions: { persistedQuery: { version: 1, sha256Hash } } };
}
