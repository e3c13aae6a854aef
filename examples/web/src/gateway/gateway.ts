import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
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
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query, variables: variables as Record<string, unknown> },
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

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
