/** Sends typed operations with `fetch`: with the session's credentials, safe retries, renewal, files and hashes. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, getOperationAST, print } from 'graphql';
import { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';
import { readResponse, redirect } from './graphql-response.ts';
import type { WriteError } from './list-of-writes.ts';
import { lostRead } from './lost-read.ts';
import { hasFile, multipartOf, type OperationBody } from './multipart.ts';
import { type HashOf, hashOfDocuments, type PersistedOption } from './persisted.ts';
import { afterLost, isTokenRefused, leavesLostOpen, mayRepeatRenewed, retryDelayMs } from './retry-rule.ts';
import { apiKeyHeader, type Credentials, type Session } from './session.ts';
import { orAborted, waitToRepeat } from './wait-to-repeat.ts';

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

/**
 * Rejects only when no response came, or a response that is not GraphQL, and for a write also when later attempts do not show
 * what became of that one.
 */
export type Request = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  options?: RequestOptions,
) => Promise<Result<Data>>;

export interface RequestSettings {
  /** Further headers of each request, such as `x-request-id`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation without its variables. */
export interface Operation {
  /** `query` or `mutation`. */
  readonly kind: string;
  readonly body: Omit<OperationBody, 'variables'>;
  /** Undefined where only the hash is known: a write is then not repeated after a lost connection. */
  readonly document?: DocumentNode;
}

/** What only some clients pass on. */
interface SendOptions extends RequestOptions {
  /** Another address than the client's. */
  readonly url?: string | undefined;
  /** Sends each request. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Further options of `fetch`, with further headers and another signal that aborts the request. */
  readonly fetchOptions?: RequestInit | undefined;
}

type Send = (operation: Operation, variables: unknown, options?: SendOptions) => Promise<Sent>;

interface Sent extends Result<Record<string, unknown>> {
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  readonly response: Response;
}

/** A function that sends all operations of a client. `gatewayUrl`: the address, unless an operation has another one. */
export function createSend(gatewayUrl: string, session: Session): Send {
  /**
   * The token of the last renewal for a member of a list that the service had refused next to others, until it has helped: one
   * without access is refused with each token, and would be a reason to renew for every read.
   */
  let renewedForMember: string | undefined;

  function initOf(body: string | FormData, credentials: Credentials, options: SendOptions): RequestInit {
    const { signal, fetchOptions } = options;
    const headers = {
      ...Object.fromEntries(new Headers(fetchOptions?.headers)),
      ...credentials,
      accept: 'application/graphql-response+json',
      // Proves that no page of another origin sent the request.
      'x-graphql-yoga-csrf': '1',
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    };
    return {
      ...fetchOptions,
      method: 'POST',
      headers,
      body,
      // Responses contain personal data: frameworks must not keep them.
      cache: 'no-store',
      redirect,
      ...(signal && { signal }),
    };
  }

  async function sendOnce(kind: string, init: RequestInit, options: SendOptions): Promise<Sent> {
    const { url = gatewayUrl, onProgress, fetch = globalThis.fetch } = options;
    const response = await (onProgress ? fetchWithProgress(onProgress) : fetch)(url, init);
    return { ...(await readResponse(response, kind === 'query')), response };
  }

  return async ({ kind, body, document }, variables, options = {}) => {
    const signal = firstOf(options.signal, options.fetchOptions?.signal);
    let hasRenewed = false;
    let failedAt: number | undefined;
    let lost: unknown;
    let lostOwner: string | undefined;
    // Once: the page may change its variables between two attempts. Throws for what can never be sent, such as a BigInt.
    const content = contentOf({ ...body, variables });
    for (let number = 1; ; ) {
      // Node ends the process when it is given the form of a file with a signal that was aborted before.
      signal?.throwIfAborted();
      const credentials = session.credentials();
      if (lostOwner !== undefined && lostOwner !== ownerOf(credentials)) throw lost;
      const init = initOf(content, credentials, { ...options, signal });
      const result = await sendOnce(kind, init, options).catch((error: unknown) => {
        lost = error;
        if (kind !== 'query') lostOwner = ownerOf(credentials);
      });
      signal?.throwIfAborted();
      // Another operation may have renewed the token since.
      const isOutdated = () => session.credentials().authorization !== credentials.authorization;
      const isRefused = result !== undefined && mayRepeatRenewed({ kind, ...result });
      const isOfMember = isRefused && !isTokenRefused(result);
      const isOfRenewal = credentials.authorization === renewedForMember;
      if (hasRenewed && result && !isRefused && isOfRenewal) renewedForMember = undefined;
      if (isRefused && !(isOfMember && isOfRenewal) && (!hasRenewed || isOutdated())) {
        hasRenewed = await orAborted(session.renewAfter(credentials.authorization), signal);
        if (isOfMember) renewedForMember = session.credentials().authorization;
        if (hasRenewed) continue;
      } else if (hasRenewed && result && isTokenRefused(result) && !isOutdated()) {
        session.signOut();
      }
      const { data, errors } = result ?? {};
      failedAt ??= performance.now();
      const sinceMs = performance.now() - failedAt;
      const delayMs = retryDelayMs({ kind, document, variables, data, errors, number, sinceMs });
      if (delayMs === undefined) {
        if (!result) throw kind === 'query' ? lostRead(lost) : lost;
        if (lost === undefined || kind === 'query') return result;
        if (leavesLostOpen({ kind, data, errors })) throw lost;
        return { ...result, errors: afterLost(result.errors) };
      }
      await waitToRepeat(delayMs, signal);
      number += 1;
    }
  };
}

/** Whose idempotency keys they are: without an API key those of another token are others, and a repetition would be sent. */
function ownerOf(credentials: Credentials): string {
  return credentials[apiKeyHeader] || credentials.authorization;
}

function contentOf(body: OperationBody): string | FormData {
  return hasFile(body.variables) ? multipartOf(body) : JSON.stringify(body);
}

/** Aborted as soon as one of these is. */
function firstOf(...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal != null);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** A function that sends typed documents. `url`: the gateway's address. */
export function createRequest(
  url: string,
  session: Session,
  { persisted, headers }: RequestSettings & PersistedOption = {},
): Request {
  const send = createSend(url, session);
  const fetchOptions = headers && { headers };
  const hashOf = hashOfDocuments(persisted);
  return async <Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    options?: RequestOptions,
  ) => {
    const kind = getOperationAST(document)?.operation ?? 'query';
    const operation = { kind, document, body: operationOf(document, hashOf) };
    const { data, errors } = await send(operation, variables, { ...options, fetchOptions });
    return { data: data as Data, errors };
  };
}

/** The text of an operation, or its hash. */
export function operationOf(
  document: DocumentNode,
  hashOf: HashOf,
): Pick<OperationBody, 'query' | 'extensions'> {
  const sha256Hash = hashOf(document);
  return sha256Hash === undefined
    ? { query: print(document) }
    : { extensions: { persistedQuery: { version: 1, sha256Hash } } };
}
