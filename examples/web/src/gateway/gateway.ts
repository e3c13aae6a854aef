import { createSocket, createSubscribe, persistedHashOf, type Session, type Subscribe } from '@folio/client';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { type Credentials, credentialHeaders } from '../credentials/credentials.ts';
import { createSocketState, type SocketState } from './socket-state.ts';

/**
 * A client of the gateway for one caller: other credentials need another client, with its own socket. The socket
 * is opened for the first subscription and closed after the last.
 */
export interface Gateway {
  readonly client: Client;
  readonly socketState: SocketState;
  /** Subscribes over the socket. */
  readonly subscribe: Subscribe;
}

/** The credentials as they were typed: nothing renews them. */
export function sessionOf(credentials: Credentials): Session {
  const headers = credentialHeaders(credentials) as ReturnType<Session['credentials']>;
  return {
    credentials: () => headers,
    renew: () => {},
    renewAfter: async () => false,
    onRenewal: () => {},
    signOut: () => {},
  };
}

export function gatewayUrl(): string {
  return new URL('/graphql', window.location.href).href;
}

export function createGateway(credentials: Credentials): Gateway {
  const headers = credentialHeaders(credentials);
  const socket = createSocket(gatewayUrl(), sessionOf(credentials));
  const socketState = createSocketState(socket);
  const client = new Client({
    url: '/graphql',
    // Without a cache: a page always shows the current state. docs/caching.md has the settings for a cache.
    exchanges: [
      // Operations are sent as hashes: the gateway knows their texts from `src/graphql/persisted-documents.json`.
      persistedExchange({
        generateHash: async (_text, document) => persistedHashOf(document) ?? '',
        enableForMutation: true,
        enforcePersistedQueries: true,
        // Variables contain personal data, and URLs are logged by proxies.
        preferGetForPersistedQueries: false,
      }),
      fetchExchange,
    ],
    preferGetMethod: false,
    // The second header proves that no page of another origin sent the upload.
    fetchOptions: { headers: { ...headers, 'apollo-require-preflight': 'true' } },
  });
  return { client, socketState, subscribe: createSubscribe(socket.subscribe, { persisted: true }) };
}
