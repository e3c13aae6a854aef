/** One WebSocket for all subscriptions, opened with the first and closed with the last. */

import type { FormattedExecutionResult } from 'graphql';
import { CloseCode, createClient } from 'graphql-ws';
import type { Session } from './session.ts';
import { withRenewal } from './watch.ts';

/** An operation as the protocol sends it. */
export interface SocketOperation {
  readonly query: string;
  readonly variables?: Record<string, unknown> | null | undefined;
  readonly operationName?: string | null | undefined;
  readonly extensions?: Record<string, unknown> | null | undefined;
}

export interface SocketSink {
  next(result: FormattedExecutionResult<Record<string, unknown>, unknown>): void;
  error(error: unknown): void;
  complete(): void;
}

export type SocketEvent = 'connecting' | 'connected' | 'closed';

/** One WebSocket. The clients of the libraries use it like a client of graphql-ws. */
export interface Socket {
  /** Returns a function that ends the subscription. */
  subscribe(operation: SocketOperation, sink: SocketSink): () => void;
  /** Calls back when the state of the socket changes; returns a function that stops it. */
  on(event: SocketEvent, listener: (event: unknown) => void): () => void;
  /** Ends all subscriptions and closes the socket. */
  dispose(): void | Promise<void>;
}

/** The longest wait before the nth attempt to connect again (milliseconds); the wait itself is random. */
const longestWaitMs = (attempts: number) => Math.min(30_000, 250 * 2 ** attempts);

/** Interval of pings, and the longest wait for a pong (ms): the socket of a laptop that slept is dead without a close. */
const pingMs = 10_000;
const pongMs = 5_000;

/** `url`: the gateway's address, `http://…/graphql` or `https://…/graphql`. */
export function createSocket(url: string, session: Session): Socket {
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
  const subscribe: Socket['subscribe'] = (operation, sink) =>
    socket.subscribe(withoutPersistedText(operation), sink);
  return {
    subscribe: withRenewal(subscribe, session, () => authorization),
    on: (event, listener) => socket.on(event, listener as () => void),
    dispose: () => socket.dispose(),
  };
}

/** The protocol requires a text, which is empty when the hash is sent. */
function withoutPersistedText(operation: SocketOperation): SocketOperation {
  return operation.extensions?.['persistedQuery'] ? { ...operation, query: '' } : operation;
}
