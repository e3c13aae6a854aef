import { apiKeyHeader } from '@folio/client';
import { createContext, use } from 'react';

/** Sent to the gateway exactly as typed. Kept in memory only: not in storage, the address or a cookie. */
export interface Credentials {
  readonly apiKey: string;
  readonly authorization: string;
}

export const noCredentials: Credentials = { apiKey: '', authorization: '' };

/** Credentials that the sandbox accepts; it accepts almost any. */
export const sandboxCredentials: Credentials = { apiKey: 'demo-key', authorization: 'Bearer demo-token' };

/** The header values that a browser sends unchanged. */
export function isSendable(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

/** As headers, and as the payload of a WebSocket's `connection_init`; with the name of this application. */
export function credentialHeaders({ apiKey, authorization }: Credentials): Record<string, string> {
  return {
    'x-graphql-client-name': 'folio-web',
    'x-graphql-client-version': '0.1.0',
    ...(apiKey ? { [apiKeyHeader]: apiKey } : {}),
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
  if (state === null) throw new Error('CredentialsContext is missing.');
  return state;
}
