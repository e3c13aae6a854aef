import { createContext, use } from 'react';

/** Sent to the gateway exactly as typed. They live in memory alone: not in storage, not in the address, not in a cookie. */
export interface Credentials {
  readonly apiKey: string;
  readonly authorization: string;
}

export const noCredentials: Credentials = { apiKey: '', authorization: '' };

/** What the sandbox lets in; it lets in almost anything. */
export const sandboxCredentials: Credentials = { apiKey: 'demo-key', authorization: 'Bearer demo-token' };

/** What a header may hold, as far as a browser sends it unchanged. */
export function isSendable(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

/** As headers, and as the payload of a WebSocket's `connection_init`. */
export function credentialHeaders({ apiKey, authorization }: Credentials): Record<string, string> {
  return {
    ...(apiKey ? { 'x-api-key': apiKey } : {}),
    ...(authorization ? { authorization } : {}),
  };
}

interface CredentialsState {
  readonly credentials: Credentials;
  setCredentials(credentials: Credentials): void;
}

export const CredentialsContext = createContext<CredentialsState | null>(null);

export function useCredentials(): CredentialsState {
  const state = use(CredentialsContext);
  if (state === null) throw new Error('There is no CredentialsContext above.');
  return state;
}
