/** Credentials: the key that an operator issued, and the token that the service's login issues and renews. */

export interface Session {
  /** The current credentials, for every request and every new socket. */
  readonly credentials: () => Record<string, string>;
  readonly renew: (token: string) => void;
  /** Calls back after each renewal. */
  readonly onRenewal: (listener: () => void) => void;
}

export function createSession(apiKey: string, firstToken: string): Session {
  const listeners: (() => void)[] = [];
  let token = firstToken;
  return {
    credentials: () => ({ 'x-api-key': apiKey, authorization: `Bearer ${token}` }),
    renew(renewed) {
      token = renewed;
      for (const listener of listeners) listener();
    },
    onRenewal: (listener) => listeners.push(listener),
  };
}
