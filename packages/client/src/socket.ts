/** One WebSocket for all subscriptions, opened with the first and closed with the last. */

import type { FormattedExecutionResult } from 'graphql';
import { CloseCode, createClient, MessageType } from 'graphql-ws';
import { callBack } from './call-back.ts';
import type { Session } from './session.ts';
import { withRenewal } from './subscription-renewal.ts';
import { pause, reconnectMs, worksAfterMs } from './wait-to-repeat.ts';

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

/** Interval of pings, and the longest wait for a pong (ms): the socket of a laptop that slept is dead without a close. */
const pingMs = worksAfterMs;
const pongMs = 5_000;
/** Longest time in which a socket opens (ms): browsers wait for minutes for a proxy or gateway that is stuck. */
const openMs = 30_000;

/**
 * Close codes that end all subscriptions of graphql-ws, whatever `shouldRetry` says, although a new connection helps: a proxy in
 * front of the gateway failed (1011, 1015), or the gateway did (4500).
 */
const passing: readonly number[] = [1011, 1015, CloseCode.InternalServerError];

/** `url`: the gateway's address, `https://…/graphql`, or `/graphql` for the origin of the page. */
export function createSocket(url: string, session: Session): Socket {
  let authorization = '';
  let refused: string | undefined;
  let failures = 0;
  let subscriptions = 0;
  /** Whether the last subscription has ended, with which graphql-ws closes the socket. */
  let isUnused = false;
  /** Ends a socket that does not open in time, or responds to no ping. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  const endAfter = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.terminate(), ms);
  };
  const socket = createClient({
    url: () => wholeAddress(url).replace(/^http/, 'ws'),
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
    // Not the attempts that graphql-ws counts, only until a socket is accepted: one may be closed soon after each time.
    retryWait: () => pause(reconnectMs(failures++)),
    keepAlive: pingMs,
    on: {
      connecting() {
        isUnused = false;
        endAfter(openMs);
      },
      opened: () => clearTimeout(timer),
      message({ type }) {
        if (type === MessageType.Complete) failures = 0;
      },
      ping(isReceived) {
        if (!isReceived) endAfter(pongMs);
      },
      pong(isReceived) {
        if (!isReceived) return;
        clearTimeout(timer);
        failures = 0;
      },
      closed(event) {
        clearTimeout(timer);
        const { code } = event as CloseEvent;
        // After 1000 it would connect again at once.
        const isPassing = passing.includes(code) || (code === 1000 && !isUnused);
        // graphql-ws connects again after `terminate`, and ignores what it hears of the same socket afterwards.
        if (isPassing) socket.terminate();
        // 4403: the service refused the credentials of this socket.
        if (code === CloseCode.Forbidden) refused = authorization;
      },
    },
  });
  // A socket keeps its first credentials: running subscriptions move to a new one by themselves.
  session.onRenewal(() => socket.terminate());
  const subscribe: Socket['subscribe'] = (operation, sink) => {
    const ended = () => {
      subscriptions -= 1;
      if (subscriptions === 0) isUnused = true;
    };
    subscriptions += 1;
    return socket.subscribe(withoutPersistedText(operation), {
      ...sink,
      error(error) {
        ended();
        sink.error(error);
      },
      complete() {
        ended();
        sink.complete();
      },
    });
  };
  return {
    subscribe: withRenewal(subscribe, session, () => authorization),
    on: (event, listener) => socket.on(event, (about: unknown) => callBack(() => listener(about))),
    dispose: () => socket.dispose(),
  };
}

/**
 * Chrome before 125 and Firefox before 124 take only whole addresses, which are made as newer browsers and `fetch` do: a
 * page can have a `<base>`. A whole address stays as it is: the `URL` of React Native would add a slash.
 */
function wholeAddress(url: string): string {
  if (/^https?:/.test(url)) return url;
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}

/** The protocol requires a text, which is empty when the hash is sent. */
function withoutPersistedText(operation: SocketOperation): SocketOperation {
  return operation.extensions?.['persistedQuery'] ? { ...operation, query: '' } : operation;
}
