/** Credentials: the key that an operator issued, and the token that the service's login issues and renews. */
import { callAll, callBack } from './call-back.ts';
import { shareBetweenTabs } from './tabs.ts';

export interface Session {
  /** The current credentials, for every request and every new socket. */
  readonly credentials: () => Credentials;
  /** Sets a token that the page got by itself, also for a session that was over. */
  readonly renew: (token: string) => void;
  /**
   * Renews the token after the service refused this `authorization`: once, however many operations ask. Resolves with
   * false when no new token could be had; the session has then ended.
   */
  readonly renewAfter: (refused: string) => Promise<boolean>;
  /** Calls back after each renewal, and when a session that was over gets a token, also the one that it had. */
  readonly onRenewal: (listener: () => void) => void;
  /** Ends the session: nothing is renewed any more. Call it when the service refuses a renewed token. */
  readonly signOut: () => void;
}

/** The header of the API key, and its name in the payload of `connection_init`. */
export const apiKeyHeader = 'x-api-key';

/** As headers, and as the payload of `connection_init`; with the names of the application, if the session has it. */
export type Credentials = Readonly<Record<typeof apiKeyHeader | 'authorization', string>>;

export interface SessionOptions {
  /** Names the front end and its version in the gateway's log, traces and metrics. */
  readonly application?: { readonly name: string; readonly version: string };
  /**
   * Gets a new token from the login. Without it an expired token ends the session. The operations of all tabs wait for it:
   * give its request a time limit.
   */
  readonly fetchToken?: () => Promise<string>;
  /** Called once, when the session is over: show the login. */
  readonly onSignOut?: () => void;
  /**
   * Name that the tabs of one login share, with the id of the user. One of them renews for all; without a name each renews for
   * itself.
   */
  readonly sharedAs?: string;
}

export function createSession(apiKey: string, firstToken: string, options: SessionOptions = {}): Session {
  const { application, fetchToken, onSignOut = () => {}, sharedAs } = options;
  const names = application && {
    'x-graphql-client-name': application.name,
    'x-graphql-client-version': application.version,
  };
  const listeners = new Set<() => void>();
  const tabs = sharedAs === undefined ? undefined : shareBetweenTabs(sharedAs, setToken, end);
  let token = firstToken;
  /** Those in progress, by the token that they renew. */
  const renewals = new Map<string, Promise<unknown>>();
  let isOver = false;

  const credentials = () => ({ ...names, [apiKeyHeader]: apiKey, authorization: `Bearer ${token}` });

  /** A session that is over takes no token of a login or of another tab, which may be that of the next user. */
  function setToken(renewed: string): void {
    if (isOver || !renewed || renewed === token) return;
    token = renewed;
    callAll(listeners);
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    callBack(onSignOut);
  }

  function signOut(): void {
    // Another tab may have the next login.
    if (isOver) return;
    end();
    tabs?.publishEnd();
  }

  /** Renews this token. Rejects when the login gives none, or when the session has ended or has got another token meanwhile. */
  async function renewToken(before: string): Promise<string> {
    const isOutdated = () => isOver || token !== before;
    const fetched = isOutdated() ? undefined : await fetchToken?.();
    // In no tab may it replace the token of the next login.
    if (!fetched || isOutdated()) throw new Error('There is no new token.');
    setToken(fetched);
    return fetched;
  }

  /** Resolves when this token has been renewed, or cannot be. */
  function renewalOf(before: string): Promise<unknown> {
    const renew = () => renewToken(before);
    const renewal =
      renewals.get(before) ??
      (tabs ? tabs.renewOnce(renew) : renew()).catch(() => {}).finally(() => renewals.delete(before));
    renewals.set(before, renewal);
    return renewal;
  }

  return {
    credentials,
    renew(renewed) {
      // A login that failed must not continue the one before.
      if (!renewed) return;
      const isAgain = isOver && renewed === token;
      isOver = false;
      if (isAgain) callAll(listeners);
      else setToken(renewed);
    },
    signOut,
    onRenewal: (listener) => listeners.add(listener),
    async renewAfter(refused) {
      if (isOver) return false;
      if (credentials().authorization === refused) await renewalOf(token);
      if (credentials().authorization === refused) signOut();
      return !isOver;
    },
  };
}
