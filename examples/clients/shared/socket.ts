/** One WebSocket for all subscriptions, opened with the first and closed with the last. */
import { type Client, CloseCode, createClient, type SubscribePayload } from 'graphql-ws';
import type { Session } from './session.ts';
import { withRenewal } from './watch.ts';

/** The longest wait before the nth attempt to connect again (milliseconds); the wait itself is random. */
const longestWaitMs = (attempts: number) => Math.min(30_000, 250 * 2 ** attempts);

/** Interval of pings, and the longest wait for a pong (ms): the socket of a laptop that slept is dead without a close. */
const pingMs = 10_000;
const pongMs = 5_000;

/** `url`: the gateway's address, `http://…/graphql` or `https://…/graphql`. */
export function createSocket(url: string, session: Session): Client {
  let authorization = '';
  let refused: string | undefined;
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  const socket = createClient({
    url: url.replace(/^http/, 'ws'),
    // A function: each new socket gets the current credentials.
    async connectionParams() {
      if (refused !== undefined) await session.renewAfter(refused);
      refused = undefined;
      const credentials = session.credentials();
      authorization = credentials.authorization;
      return credentials;
    },
    // A gateway that restarts closes with 1001, and a stopped one refuses connections: subscriptions survive both.
    shouldRetry: () => true,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (attempts) =>
      new Promise((resolve) => setTimeout(resolve, Math.random() * longestWaitMs(attempts))),
    keepAlive: pingMs,
    on: {
      ping(isReceived) {
        if (!isReceived) pongTimer = setTimeout(() => socket.terminate(), pongMs);
      },
      pong: () => clearTimeout(pongTimer),
      closed(event) {
        clearTimeout(pongTimer);
        // 4403: the service refused the credentials of this socket.
        if ((event as CloseEvent).code === CloseCode.Forbidden) refused = authorization;
      },
    },
  });
  // A socket keeps its first credentials: running subscriptions move to a new one by themselves.
  session.onRenewal(() => socket.terminate());
  const subscribe: Client['subscribe'] = (operation, sink) =>
    socket.subscribe(withoutPersistedText(operation), sink);
  return { ...socket, subscribe: withRenewal(subscribe, session, () => authorization) };
}

/** The protocol requires a text, which is empty when the hash is sent. */
function withoutPersistedText(operation: SubscribePayload): SubscribePayload {
  return operation.extensions?.['persistedQuery'] ? { ...operation, query: '' } : operation;
}
