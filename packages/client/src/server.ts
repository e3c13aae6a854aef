/**
 * Queries on a server that renders pages (SvelteKit, Next.js, any other), with the credentials of the user's session.
 * Call it once for each incoming request, and keep nothing that it returns for another one.
 */
import type { PersistedOption } from './persisted.ts';
import { createRequest, type Request as SendOperation } from './request.ts';
import { createSession } from './session.ts';

export interface ServerRequestOptions extends PersistedOption {
  /** The gateway's address, which browsers need not reach. */
  readonly url: string;
  /** The key of this server, which never reaches a browser. */
  readonly apiKey: string;
  /** The token of the user who sent `incoming`, from the session cookie or the session store. */
  readonly token: string;
  /** The request that is being answered. */
  readonly incoming: Pick<Request, 'headers'>;
  /** Renews the token and stores it in the user's session. */
  readonly renewToken?: () => Promise<string>;
}

/** Throw a redirect to the login when a result has the code UNAUTHENTICATED: the token was renewed once already. */
export function createServerRequest(options: ServerRequestOptions): SendOperation {
  const { url, apiKey, token, incoming, renewToken, persisted = false } = options;
  const session = createSession(apiKey, token, renewToken ? { fetchToken: renewToken } : {});
  const requestId = incoming.headers.get('x-request-id');
  // The gateway's log then has the same id as this server's.
  const headers = requestId === null ? {} : { 'x-request-id': requestId };
  return createRequest(url, session, { persisted, headers });
}

/** Headers of a page that was rendered with the user's data: no cache may keep it. */
export const privatePage = { 'cache-control': 'private, no-store', vary: 'cookie' } as const;
