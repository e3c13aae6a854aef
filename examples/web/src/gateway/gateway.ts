import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import type { DocumentNode } from 'graphql';
import { createClient as createSocketClient, type Sink } from 'graphql-ws';
import { type Credentials, credentialHeaders } from '../credentials/credentials.ts';
import { createSocketState, type SocketState } from './socket-state.ts';

/**
 * A client of the gateway for one caller: other credentials need another client, with its own socket. The socket
 * is opened for the first subscription and closed after the last.
 */
export interface Gateway {
  readonly client: Client;
  readonly socketState: SocketState;
}

/** Delay between a lost socket and the next attempt: one second, growing up to ten, half of it random. */
const longestRetryMs = 10_000;
const keepAliveMs = 10_000;

export function createGateway(credentials: Credentials): Gateway {
  const headers = credentialHeaders(credentials);
  const socketState = createSocketState();
  const socket = createSocketClient({
    url: new URL('/graphql', window.location.href.replace(/^http/, 'ws')).href,
    connectionParams: headers,
    keepAlive: keepAliveMs,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (retries) => wait(Math.min(longestRetryMs, 1_000 * 2 ** retries) * (0.5 + Math.random() / 2)),
    // A refused connection is an error event before it is a close, and by default no reason to retry.
    shouldRetry: () => true,
    on: socketState.listeners,
  });
  const client = new Client({
    url: '/graphql',
    // Without a cache: a page always shows the current state. docs/caching.md has the settings for a cache.
    exchanges: [
      // Operations are sent as hashes: the gateway knows their texts from `src/graphql/persisted-documents.json`.
      persistedExchange({
        generateHash: async (_text, document) => hashOf(document),
        enableForMutation: true,
        enableForSubscriptions: true,
        enforcePersistedQueries: true,
        // Variables contain personal data, and URLs are logged by proxies.
        preferGetForPersistedQueries: false,
      }),
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables, extensions }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query, variables: variables as Record<string, unknown>, extensions: { ...extensions } },
              sink as Sink,
            ),
          }),
        }),
      }),
      fetchExchange,
    ],
    preferGetMethod: false,
    // The second header proves that no page of another origin sent the upload.
    fetchOptions: { headers: { ...headers, 'apollo-require-preflight': 'true' } },
  });
  return { client, socketState };
}

/** The hash that graphql-codegen wrote into the document. */
function hashOf(document: DocumentNode): string {
  return (document as { readonly __meta__?: { readonly hash: string } }).__meta__?.hash ?? '';
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
