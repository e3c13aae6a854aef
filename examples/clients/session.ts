/** Who calls: the key that an operator issued, and the token that the service's login gives and renews. */

export interface Session {
  /** What goes with every request and every new socket, as it is at this moment. */
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
