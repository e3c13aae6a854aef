/** One WebSocket for all subscriptions, opened with the first and closed with the last. */
import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import type { Session } from './session.ts';

/** The longest wait before the nth attempt to connect again (milliseconds); the wait itself is random. */
const longestWaitMs = (attempts: number) => Math.min(30_000, 250 * 2 ** attempts);

/** `url`: the gateway's address, `http://…/graphql` or `https://…/graphql`. */
export function createSocket(url: string, session: Session): Client {
  const socket = createClient({
    url: url.replace(/^http/, 'ws'),
    // A function: each new socket gets the current credentials.
    connectionParams: session.credentials,
    // A gateway that restarts closes with 1001, and a stopped one refuses connections: subscriptions survive both.
    shouldRetry: () => true,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (attempts) =>
      new Promise((resolve) => setTimeout(resolve, Math.random() * longestWaitMs(attempts))),
  });
  // A socket keeps its first credentials: running subscriptions move to a new one by themselves.
  session.onRenewal(() => socket.terminate());
  return {
    ...socket,
    subscribe: (operation, sink) => socket.subscribe(withoutPersistedText(operation), sink),
  };
}

/** The protocol requires a text, which is empty when the hash is sent. */
function withoutPersistedText(operation: SubscribePayload): SubscribePayload {
  return operation.extensions?.['persistedQuery'] ? { ...operation, query: '' } : operation;
}
